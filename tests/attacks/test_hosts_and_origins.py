"""Foreign Host and Origin headers: a web page cannot reach a server on this machine under a name of its own."""

from __future__ import annotations

from dataclasses import dataclass

from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import HeaderList, RawConnection, Reply

PATHS = ("/mcp", "/tools", "/graphql", "/", "/console/api/session")
SECURE = "https://evil.example"


@dataclass(frozen=True, slots=True)
class Knock:
    """A request. `host` may contain `{port}`; `target` replaces the path in the request line."""

    name: str
    host: str | None = ""
    headers: HeaderList = ()
    target: str = "{path}"
    refused: tuple[int, ...] = (421, 400)


HOSTS = [
    Knock(f"host {host}", host)
    for host in (
        "evil.example", "evil.example:{port}", "rebind.127.0.0.1.nip.io:{port}", "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}", "evil-localhost:{port}", "localhostevil:{port}", "localhost.:{port}",
        "127.0.0.1.:{port}", "localhost..:{port}", "localhost:1", "127.0.0.1:80", "localhost:0", "localhost:99999",
        "localhost:{port}0", "localhost:+{port}", "localhost:{port} ,evil.example", "localhost:", "127.0.0.2:{port}",
        "127.1:{port}", "127.0.1:{port}", "0:{port}", "0.0.0.0:{port}", "2130706433:{port}", "0x7f000001:{port}",
        "0x7f.0.0.1:{port}", "0177.0.0.1:{port}", "127.0.0.01:{port}", "[::ffff:127.0.0.1]:{port}", "[::]:{port}",
        "[0:0:0:0:0:0:0:1]:{port}", "[::1%25lo]:{port}", "[::1%lo]:{port}", "::1:{port}", "[::1:{port}",
        "[fe80::1]:{port}",
        "user@localhost:{port}", "user:password@127.0.0.1:{port}", "localhost:{port}@evil.example",
        "evil.example#localhost:{port}", "evil.example/localhost:{port}", "evil.example?localhost:{port}",
        "evil.example\\localhost:{port}", "localhost%00.evil.example:{port}", "localhost%2eevil.example:{port}",
        "xn--lcalhost-54a:{port}", "\u24dbocalhost:{port}", "localhost\u3002:{port}", "http://localhost:{port}", "*",
        "localhost:{port}, localhost:{port}", "metadata.google.internal", "192.168.1.10:{port}", "10.0.0.1:{port}",
    )
]  # fmt: skip
ODD_HOSTS = [
    Knock("no host", None),
    Knock("two hosts, the bad one first", "evil.example", (("Host", "127.0.0.1"),)),
    Knock("two hosts, the good one first", "", (("Host", "evil.example"),)),
    Knock("the same host twice", "127.0.0.1", (("Host", "127.0.0.1"),)),
    Knock("a forwarded host does not help", "evil.example", (("X-Forwarded-Host", "localhost"),)),
    Knock("Forwarded does not help", "evil.example", (("Forwarded", "host=localhost;for=127.0.0.1"),)),
    Knock("X-Host does not help", "evil.example", (("X-Host", "localhost"), ("X-Real-IP", "127.0.0.1"))),
    Knock("an absolute target does not help", "evil.example", (), "http://localhost{path}"),
    Knock("a zero byte", "localhost\x00evil.example"),
]
ORIGINS = [
    Knock(f"origin {origin}", "", (("Origin", origin),), refused=(403,))
    for origin in (
        "null", "", "*", SECURE, "http://evil.example:80", "http://localhost.evil.example", "http://localhost.",
        "http://localhost.:80", "http://evillocalhost", "http://localhost@evil.example", "http://user@localhost",
        "http://evil.example/localhost", "http://evil.example#http://localhost", "http://localhost/", "http://localhost:0",
        "http://localhost:99999", "http://localhost:", "http://localhost:80 http://evil.example",
        "http://localhost, http://evil.example", "file://", "file:///etc/passwd", "file://localhost", "ws://localhost",
        "ftp://localhost", "data:text/html,x", "blob:http://localhost", "javascript:alert(1)", "about:blank",
        "chrome-extension://abcdefgh", "moz-extension://abcdefgh", "http://127.0.0.2", "http://127.1",
        "http://0.0.0.0", "http://[::ffff:127.0.0.1]", "http://[::]", "http://2130706433", "http://0x7f000001",
        "http://127.0.0.1.nip.io", "http://localhost%00", "http://localhost\u3002", "https//localhost", "//localhost",
        "localhost", "http://LOCALHOST.evil.example", "http://xn--lcalhost-54a",
    )
]  # fmt: skip
ODD_ORIGINS = [
    Knock("two origins", "", (("Origin", "http://localhost"), ("Origin", SECURE)), refused=(403,)),
    Knock("a page asks first", "", (("Origin", SECURE), ("Access-Control-Request-Method", "POST")), refused=(403,)),
    Knock("both wrong", "evil.example", (("Origin", "http://localhost"),)),
    Knock("an absolute target of ours", "", (("Origin", SECURE),), "http://localhost{path}", (403,)),
]  # fmt: skip
KNOCKS = [*HOSTS, *ODD_HOSTS, *ORIGINS, *ODD_ORIGINS]

# hyper refuses these with its own 400 before the request reaches us.
_UNREADABLE = (400, 0)


async def test_foreign_hosts_and_origins_are_refused_everywhere(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    assert len(HOSTS) + len(ODD_HOSTS) >= 60
    assert len(ORIGINS) + len(ODD_ORIGINS) >= 45
    for number, knock in enumerate(KNOCKS):
        # Each host is tried on two paths in turn, so that each path gets dozens; unusual requests are tried on all.
        for path in PATHS if knock in (*ODD_HOSTS, *ODD_ORIGINS) else (PATHS[number % 5], PATHS[(number + 2) % 5]):
            reply = await _sent(open_connection, knock, path)
            assert reply.status in (*knock.refused, *_UNREADABLE), (knock.name, path, reply)
            assert "access-control-allow-origin" not in reply.headers, knock.name
            assert b"anonymous" not in reply.body, knock.name
    assert (await open_connection.request("GET", "/tools")).status == 200


async def test_refused_names_are_not_rendered_as_html(open_connection: RawConnection) -> None:
    for header in (("Origin", "http://<script>alert(1)</script>"), ("X-Forwarded-Host", "<script>")):
        reply = await open_connection.request("GET", "/", [header], host="<script>alert(1)</script>")
        assert reply.status in (421, 400)
        assert reply.headers.get("content-type", "application/json") == "application/json"


async def test_our_own_hosts_are_still_accepted(unguarded: AttackedServer, open_connection: RawConnection) -> None:
    for host in ("localhost", f"LOCALHOST:{unguarded.port}", "[::1]", f"127.0.0.1:{unguarded.port}"):
        assert (
            await open_connection.request("GET", "/tools", [("Origin", "http://localhost:6274")], host=host)
        ).status == 200


async def _sent(connection: RawConnection, knock: Knock, path: str) -> Reply:
    host = knock.host.replace("{port}", str(connection.port)) if knock.host else knock.host
    method = "OPTIONS" if any(name.startswith("Access-") for name, _ in knock.headers) else "GET"
    if path == "/mcp" and method == "GET":
        return await connection.request("POST", knock.target.format(path=path), knock.headers, b"{}", host=host)
    return await connection.request(method, knock.target.format(path=path), knock.headers, host=host)
