"""Path traversal in resource URIs: every template of every suite, on every surface."""

from __future__ import annotations

import re
from urllib.parse import quote

import orjson

from sanya.kernel.clock import read_clock
from tests.attacks.conftest import GuardedServer
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.raw_http import RawConnection, Reply

PARTS = (
    "..", ".", "../..", "../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%252e%252e%252f%252e%252e%252fetc%252fpasswd", "%25252e%25252e",
    "..%5c..%5cwindows%5cwin.ini", "..\\..\\x", "%c0%ae%c0%ae%c0%af", "%e0%80%ae%e0%80%ae%e0%80%af",
    "%u002e%u002e%u2215", "\u2024\u2024\u2215x", "\uff0e\uff0e\uff0fx", "..\u2215..\u2215etc", "..;/x",
    "....//....//etc/passwd", "x%00", "%00", "x%00.json", "x%0a%0d", "%ff%fe", "%ud800", "%", "%zz",
    "x" * 2_000, "..%2f" * 300, "/etc/passwd", "%2fetc%2fpasswd", "file:%2f%2f%2fetc%2fpasswd", "C:%5cx", "~root",
    "~%2f.ssh%2fid_rsa", "$HOME", "%24%7bjndi:ldap:x%7d", "sanya.toml", "..%2fsanya.toml", "..%2fsanya.db", "x?y=1",
    "x#y", "x;y", "*", "%25", "_", "' OR 1=1 --", "%27%20OR%201=1--", "x/../y", "x/./y", "x//y", " ", "%20", "\u202e",
    "\ufeffx", "9" * 2_000, "-1", "1e400",
)  # fmt: skip
WHOLE = (
    "file:///etc/passwd", "file://localhost/etc/passwd", "FILE:///etc/passwd", "http://127.0.0.1/",
    "https://evil.example/", "ftp://evil.example/x", "gopher://127.0.0.1:25/x", "data:text/plain,x",
    "jar:file:///x!/y", "javascript:alert(1)", "", " ", "/", "//", "..", "../../etc/passwd", "/etc/passwd",
    "\\\\evil.example\\share", "tasks:", "tasks:/", "tasks://", "tasks://task", "tasks://task/", "tasks:///task/1",
    "tasks://user@task/1", "tasks://task:80/1", "TASKS://task/1", "tasks://TASK/1", " tasks://task/1",
    "tasks://task/1 ", "tasks://task/1\n", "tasks://task/1/", "tasks://task/1/2", "tasks://task//1",
    "tasks://task/1#x", "tasks://task/1?x", "xtasks://task/1", "tasks%3a//task/1", "tasks:%2f%2ftask/1",
    "ui://../x", "ui://rmf-fund-list", "component://..", "component://rmf-fund-list/..",
    "eval://reports/..", "eval://report/../reports", "job://x/../y/log", "job:///log", "job://x/log/",
    "job://x/log/../..", "kg://herb", "kg:///herb/x", "kg://herb/x/../y", "kg://../herb/x", "paper://pmid/../../x",
    "resource://pubmed/paper/../x", "resource://evil/paper/1", "tasks://task/{id}",
    "kg://{type}/{id}", "job://{id}/log", "funds://fund/{code}",
)  # fmt: skip

SECRETS = (b"root:x:", b"SQLite format", b"Traceback", b'File "/', b".py", b"sanya.db")


def every_address(guarded: GuardedServer) -> list[str]:
    templates = [resource.uri for resource in guarded.app.kernel.catalogue.resources if resource.is_template]
    assert len(templates) >= 8
    return [re.sub(r"\{\w+\}", "{}", uri).replace("{}", part) for uri in templates for part in PARTS] + [*WHOLE]


async def test_path_traversal_fails_on_every_surface(
    guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient
) -> None:
    addresses = every_address(guarded)
    assert len(set(addresses)) >= 490
    for number, uri in enumerate(addresses):
        reply = await _over(number % 3, connection, uri, guarded.alice)
        _assert_nothing(reply.body, uri)
        assert reply.status in (200, 400, 404), (uri, reply.status)
        if number % 3 == 2 and "\ud800" not in uri:
            status, said = await grpc.read(uri, guarded.alice)
            assert status in ("NOT_FOUND", "INVALID_ARGUMENT"), (uri, status, said)
            _assert_nothing(str(said).encode(), uri)
    assert (await _over(0, connection, "eval://reports", guarded.alice)).status == 200


async def test_traversal_fails_on_file_and_page_paths_too(guarded: GuardedServer, connection: RawConnection) -> None:
    digest = re.search(rb"/console/(\w+)/", (await connection.request("GET", "/")).body)
    assert digest is not None
    below = (f"/console/{digest[1].decode()}/", "/console/", "/console/widgets/", "/graphiql/", "/evaluations/",
             "/jobs/", "/tools/", "/.well-known/oauth-protected-resource/")  # fmt: skip
    tried = 0
    for folder in below:
        for part in PARTS:
            if not part.isascii() or part in (" ", ".", "x?y=1", "x#y") or "'" in part:
                part = quote(part)
            reply = await connection.request("GET", folder + part, [("Authorization", f"Bearer {guarded.alice}")])
            tried += 1
            assert reply.status in (400, 404, 0), (folder, part, reply.status)
            _assert_nothing(reply.body, folder + part)
    assert tried >= 400


async def test_logs_and_reports_of_another_caller_are_not_found(
    guarded: GuardedServer, connection: RawConnection, grpc: GrpcClient
) -> None:
    """The refusal is the same as for an unknown id, on every surface and under every URI."""
    job = await guarded.app.jobs.create("herbs.ingest", "key:somebody", {}, read_clock())
    for uri in (f"job://{job.id}/log", f"job://{job.id.replace('_', '%5f')}/log"):
        told: list[object] = []
        for address in (uri, uri.replace(job.id[-6:], "000000")):
            told += [(await grpc.read(address, guarded.alice))[0]]
            told += [(await _over(way, connection, address, guarded.alice)).status for way in range(3)]
        assert told[:4] == told[4:]
        assert told[0] == "NOT_FOUND"
    for path in (f"/jobs/{job.id}", f"/jobs/{job.id}/log", f"/jobs//{job.id}", f"/jobs/{job.id}/../{job.id}"):
        assert (await connection.request("GET", path, [("Authorization", f"Bearer {guarded.alice}")])).status == 404
    assert (
        job.id
        not in (await connection.request("GET", "/jobs", [("Authorization", f"Bearer {guarded.alice}")])).body.decode()
    )


async def _over(way: int, connection: RawConnection, uri: str, key: str) -> Reply:
    if way == 0:
        return await connection.send_mcp("resources/read", {"uri": uri}, key)
    if way == 1:
        query = "query($uri: String!) { resource(uri: $uri) { text } }"
        return await connection.post("/graphql", {"query": query, "variables": {"uri": uri}}, key)
    return await connection.request(
        "GET", f"/console/api/resource?uri={quote(uri, safe='')}", [("Authorization", f"Bearer {key}")]
    )


def _assert_nothing(body: bytes, uri: str) -> None:
    said = body.replace(orjson.dumps(uri)[1:-1], b"").replace(uri.encode("utf-8", "replace"), b"")
    for secret in SECRETS:
        assert secret not in said or secret.decode() in uri, (uri, body[:300])
