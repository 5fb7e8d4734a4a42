"""A page of another site reaches no route of an open server: not by a form, not by a script, not by a websocket."""

from __future__ import annotations

import re

from sanya.surfaces.http.application import build_application
from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import HeaderList, RawConnection

# The content types that a page may send to another site without asking first, as a form or a beacon does.
FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
FOREIGN = ("https://evil.example", "null", "http://127.0.0.1.evil.example", "file://")
UPGRADE: HeaderList = (
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
)


def list_routes(server: AttackedServer) -> list[tuple[str, str]]:
    """Every method and path of the server, a path for each pattern, and the two MCP endpoints."""
    routes = build_application(server.app).routes.list_all()
    fixed = [(method, path) for path, route in routes.items() for method in route.handlers]
    filled = [(method, re.sub(r"\(\?!.*?\)|\[\^/\]\*|\.\*", "", path).replace("\\", "")) for method, path in fixed]
    return [*filled, *((method, path) for path in ("/mcp", "/mcp/portable") for method in ("GET", "POST", "DELETE"))]


async def test_no_route_answers_a_page_of_another_site(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    await unguarded.app.ledger.flush()
    before = await unguarded.app.ledger_store.read_head("main")
    routes = list_routes(unguarded)
    assert len(routes) >= 30
    for method, path in routes:
        for number, origin in enumerate(FOREIGN):
            kind = FORMS[number % len(FORMS)]
            body = b'{"args": {}}' if method == "POST" else b""
            sent = await open_connection.request(method, path, [("Origin", origin), ("Content-Type", kind)], body)
            assert sent.status == 403, (method, path, origin, sent)
            assert "access-control-allow-origin" not in sent.headers, (method, path, origin)
        asked = [("Origin", FOREIGN[0]), ("Access-Control-Request-Method", method)]
        preflight = await open_connection.request("OPTIONS", path, asked)
        assert preflight.status == 403, (method, path, preflight)
        assert "access-control-allow-origin" not in preflight.headers
    await unguarded.app.ledger.flush()
    assert await unguarded.app.ledger_store.read_head("main") == before, "nothing was called"


async def test_no_route_becomes_a_websocket(unguarded: AttackedServer) -> None:
    for path in {path for _, path in list_routes(unguarded)}:
        for origin in ("https://evil.example", f"http://127.0.0.1:{unguarded.port}"):
            async with RawConnection(unguarded.port) as connection:
                reply = await connection.request("GET", path, [*UPGRADE, ("Origin", origin)])
                assert reply.status != 101, path
                assert "sec-websocket-accept" not in reply.headers, path
    async with RawConnection(unguarded.port) as connection:
        assert (await connection.request("GET", "/health/live")).status == 200
