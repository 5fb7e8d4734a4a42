"""Host and Origin headers: other people's web pages cannot reach a server on this machine."""

from __future__ import annotations

import httpx
import pytest

from sanya.surfaces.http.asgi import HttpRefusal
from sanya.surfaces.http.auth.hosts_and_origins import HostCheck, OriginCheck, format_host, is_loopback
from tests.surfaces.http.conftest import DemoServer, OpenServer

ALLOWED_HOSTS = ("Sanya.Example.com", "exact.example.com:8443", "tunnel:9000", "[2001:db8::7]")
ALLOWED_ORIGINS = ("https://App.example.com", "https://port.example.com:8443/", "vscode-webview://abc")

HOSTS: list[tuple[bytes, bool]] = [
    (b"127.0.0.1:8787", True),
    (b"localhost:8787", True),
    (b"LOCALHOST:8787", True),
    (b"LocalHost", True),
    (b"[::1]:8787", True),
    (b"[::1]", True),
    (b"127.0.0.1", True),
    (b"sanya.example.com", True),
    (b"SANYA.example.COM:443", True),
    (b"sanya.example.com:1", True),
    (b"exact.example.com:8443", True),
    (b"tunnel:9000", True),
    (b"[2001:db8::7]:80", True),
    (b"[2001:db8::7]", True),
    (b"evil.example.com", False),
    (b"evil.example.com:8787", False),
    (b"localhost:1", False),
    (b"127.0.0.1:80", False),
    (b"127.0.0.2:8787", False),
    (b"localhost.", False),
    (b"localhost.:8787", False),
    (b"localhost.evil.com:8787", False),
    (b"evil-localhost:8787", False),
    (b"127.0.0.1.nip.io:8787", False),
    (b"2130706433:8787", False),
    (b"0x7f.1:8787", False),
    (b"0:8787", False),
    (b"[::ffff:127.0.0.1]:8787", False),
    (b"::1", False),
    (b"exact.example.com", False),
    (b"exact.example.com:443", False),
    (b"tunnel", False),
    (b"sub.sanya.example.com", False),
    (b"sanya.example.com.evil.com", False),
    (b"sanya.example.com:99999", False),
    (b"localhost:8787@evil.com", False),
    (b"evil.com#localhost:8787", False),
    (b"localhost:8787/", False),
    (b"localhost:", False),
    (b"localhost:abc", False),
    (b" localhost:8787", False),
    (b"localhost:8787\t", False),
    (b"*", False),
    (b"\xff\xfe:8787", False),
    (b"192.168.1.10:8787", False),
]

ORIGINS: list[tuple[bytes | None, bool]] = [
    (None, True),
    (b"http://localhost", True),
    (b"http://localhost:8787", True),
    (b"http://localhost:6274", True),
    (b"https://localhost:3000", True),
    (b"http://127.0.0.1", True),
    (b"http://127.0.0.1:65535", True),
    (b"https://127.0.0.1:1", True),
    (b"http://[::1]", True),
    (b"http://[::1]:5173", True),
    (b"HTTP://LOCALHOST:8787", True),
    (b"https://app.example.com", True),
    (b"https://APP.example.com", True),
    (b"https://port.example.com:8443", True),
    (b"vscode-webview://abc", True),
    (b"null", False),
    (b"", False),
    (b"*", False),
    (b"http://evil.example.com", False),
    (b"http://localhost.evil.com", False),
    (b"http://evil.com/localhost", False),
    (b"http://localhost@evil.com", False),
    (b"http://evil.com#http://localhost", False),
    (b"http://localhost:8787/", False),
    (b"http://localhost:8787/path", False),
    (b"http://user@localhost", False),
    (b"http://localhost:", False),
    (b"http://localhost:0", False),
    (b"http://localhost:99999", False),
    (b"http://localhost:80 http://evil.com", False),
    (b"http://127.0.0.2", False),
    (b"http://0.0.0.0:8787", False),
    (b"http://2130706433", False),
    (b"http://127.0.0.1.nip.io", False),
    (b"http://[::ffff:127.0.0.1]", False),
    (b"file://localhost", False),
    (b"file://", False),
    (b"ws://localhost:8787", False),
    (b"chrome-extension://abcdef", False),
    (b"http://app.example.com", False),
    (b"https://app.example.com:444", False),
    (b"https://port.example.com", False),
    (b"https://evil.app.example.com", False),
    (b"https://app.example.com.evil.com", False),
    (b"http://localhost\x00", False),
    (b"localhost", False),
]


@pytest.mark.parametrize(("host", "taken"), HOSTS)
def test_only_our_own_hosts_are_accepted(host: bytes, taken: bool) -> None:
    check = HostCheck("127.0.0.1", 8787, ALLOWED_HOSTS)
    if taken:
        check.check(host)
        return
    with pytest.raises(HttpRefusal) as refused:
        check.check(host)
    assert refused.value.status == 421


@pytest.mark.parametrize("host", [None, b""])
def test_a_request_without_a_host_is_a_bad_request(host: bytes | None) -> None:
    with pytest.raises(HttpRefusal) as refused:
        HostCheck("127.0.0.1", 8787).check(host)
    assert refused.value.status == 400


@pytest.mark.parametrize(("origin", "taken"), ORIGINS)
def test_only_loopback_and_allowed_origins_are_accepted(origin: bytes | None, taken: bool) -> None:
    check = OriginCheck(ALLOWED_ORIGINS)
    if taken:
        headers = dict(check.check(origin))
        assert headers.get(b"access-control-allow-origin") == origin
        return
    with pytest.raises(HttpRefusal):
        check.check(origin)


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        (b"192.168.1.10:8787", True),
        (b"[2001:db8::1]:8787", True),
        (b"10.0.0.3", True),
        (b"192.168.1.10:80", False),
        (b"evil.example.com:8787", False),
        (b"999.1.1.1:8787", False),
    ],
)
def test_a_wildcard_bind_accepts_literal_addresses_only(host: bytes, taken: bool) -> None:
    check = HostCheck("0.0.0.0", 8787)
    if taken:
        check.check(host)
        return
    with pytest.raises(HttpRefusal):
        check.check(host)


def test_the_bound_address_is_accepted() -> None:
    HostCheck("192.168.1.10", 8787).check(b"192.168.1.10:8787")
    HostCheck("fd00::5", 8787).check(b"[fd00::5]:8787")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.10", False),
        ("example.com", False),
        ("localhost.example.com", False),
    ],
)
def test_only_loopback_is_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_an_ipv6_address_is_bracketed_once() -> None:
    assert [format_host(host) for host in ("::1", "[::1]", "127.0.0.1")] == ["[::1]", "[::1]", "127.0.0.1"]


@pytest.mark.parametrize("path", ["/tools", "/mcp", "/mcp/portable", "/health", "/metrics", "/nowhere"])
async def test_host_and_origin_are_checked_first_on_every_path(server: DemoServer, path: str) -> None:
    wrong_host = await server.client.get(path, headers={"host": "evil.example.com"})
    wrong_origin = await server.client.get(path, headers={"origin": "http://evil.example.com"})
    assert (wrong_host.status_code, wrong_origin.status_code) == (421, 403)
    assert "access-control-allow-origin" not in wrong_origin.headers


async def test_a_refusal_names_the_setting_to_change(server: DemoServer) -> None:
    host = await server.client.get("/tools", headers={"host": "sanya.corp"})
    origin = await server.client.get("/tools", headers={"origin": "https://sanya.corp"})
    assert "allowed_hosts" in host.json()["error"]["message"]
    assert "allowed_origins" in origin.json()["error"]["message"]


@pytest.mark.parametrize(("name", "status"), [("host", 400), ("origin", 403), ("content-type", 400)])
async def test_a_header_sent_twice_is_refused(server: DemoServer, name: str, status: int) -> None:
    value = {"host": "127.0.0.1:8787", "origin": "http://localhost", "content-type": "application/json"}[name]
    headers = httpx.Headers([("host", "127.0.0.1:8787"), (name, value)] + [(name, value)] * (name != "host"))
    response = await server.client.post("/tools/demo.say", headers=headers, content=b"{}")
    assert response.status_code == status


async def test_allowed_pages_get_cors_headers_and_others_none(open_server: OpenServer) -> None:
    server = await open_server(allowed_origins="https://app.example.com")
    good = await server.client.get("/tools", headers={"origin": "https://app.example.com"})
    plain = await server.client.get("/tools")
    assert good.headers["access-control-allow-origin"] == "https://app.example.com"
    assert good.headers["vary"] == "origin"
    assert "access-control-allow-origin" not in plain.headers


async def test_a_preflight_is_answered_without_credentials(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    asked = {
        "origin": "http://localhost:6274",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, mcp-method",
    }
    response = await server.client.options("/mcp", headers=asked)
    assert response.status_code == 204
    assert response.headers["access-control-allow-headers"] == "authorization, mcp-method"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert (await server.client.options("/mcp", headers={**asked, "origin": "http://evil.com"})).status_code == 403
