"""Requests whose headers and body disagree are refused, because a proxy may trust the headers."""

from __future__ import annotations

from typing import Any

import orjson

from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import META, MODERN, HeaderList, RawConnection

JSON = ("Content-Type", "application/json")
CALL: dict[str, Any] = {"name": "get_projects", "arguments": {}}
WRITE: dict[str, Any] = {"name": "send_memory", "arguments": {"content": "x"}}
CHUNK = b'c\r\n{"args": {}}\r\n0\r\n\r\n'
_VERSION = "io.modelcontextprotocol/protocolVersion"


def _meta(version: object) -> dict[str, Any]:
    return {**META, _VERSION: version}


# Headers that replace the right ones, and the body.
MCP: dict[str, tuple[HeaderList, str, dict[str, Any]]] = {
    "another method": ([("Mcp-Method", "tools/list")], "tools/call", CALL),
    "a reading method for a call": ([("Mcp-Method", "resources/read")], "tools/call", CALL),
    "a method in another case": ([("Mcp-Method", "TOOLS/CALL")], "tools/call", CALL),
    "a method with a slash more": ([("Mcp-Method", "tools/call/")], "tools/call", CALL),
    "an empty method": ([("Mcp-Method", "")], "tools/call", CALL),
    "two methods": ([("Mcp-Method", "tools/call"), ("Mcp-Method", "tools/list")], "tools/call", CALL),
    "another tool": ([("Mcp-Name", "get_tasks")], "tools/call", CALL),
    "another tool that writes": ([("Mcp-Name", "get_projects")], "tools/call", WRITE),
    "an empty tool": ([("Mcp-Name", "")], "tools/call", CALL),
    "a tool in another case": ([("Mcp-Name", "GET_PROJECTS")], "tools/call", CALL),
    "a tool with more behind it": ([("Mcp-Name", "get_projects, get_tasks")], "tools/call", CALL),
    "two tools": ([("Mcp-Name", "get_projects"), ("Mcp-Name", "get_tasks")], "tools/call", CALL),
    "another tool in base64": ([("Mcp-Name", "=?base64?Z2V0X3Rhc2tz?=")], "tools/call", CALL),
    "a tool in broken base64": ([("Mcp-Name", "=?base64?!!!?=")], "tools/call", CALL),
    "another address": ([("Mcp-Name", "kg://herb/x")], "resources/read", {"uri": "eval://reports"}),
    "another prompt": ([("Mcp-Name", "plan_day")], "prompts/get", {"name": "weekly_review"}),
    "an empty version in the head": ([("MCP-Protocol-Version", "")], "tools/call", CALL),
    "no such version in the head": ([("MCP-Protocol-Version", "1999-01-01")], "tools/call", CALL),
    "two versions": ([("MCP-Protocol-Version", MODERN), ("MCP-Protocol-Version", "2025-06-18")], "tools/call", CALL),
    "an older version in the body": ([], "tools/call", {**CALL, "_meta": _meta("2025-06-18")}),
    "no such version in the body": ([], "tools/call", {**CALL, "_meta": _meta("1999-01-01")}),
    "a version that is a number": ([], "tools/call", {**CALL, "_meta": _meta(1)}),
    "a name that is a list": (
        [("Mcp-Name", "get_projects")],
        "tools/call",
        {"name": ["get_projects"], "arguments": {}},
    ),
}


def _body(**content: Any) -> bytes:
    return orjson.dumps({"args": {}, **content})


# Path, headers and body. Each would be a valid call if only one side were read.
GATEWAY: dict[str, tuple[str, HeaderList, bytes]] = {
    "path and body name different tools": ("/tools/get_projects", [JSON], _body(tool="get_tasks")),
    "the body names a tool that writes": ("/tools/get_projects", [JSON], _body(tool="send_memory")),
    "the body names no tool that there is": ("/tools/get_projects", [JSON], _body(tool="nothing")),
    "the body's tool is a list": ("/tools/get_projects", [JSON], _body(tool=["get_projects"])),
    "no tool at all": ("/tools", [JSON], _body()),
    "a form": ("/tools/get_projects", [("Content-Type", "application/x-www-form-urlencoded")], _body()),
    "plain text": ("/tools/get_projects", [("Content-Type", "text/plain")], _body()),
    "a form with files": ("/tools/get_projects", [("Content-Type", "multipart/form-data; boundary=x")], _body()),
    "text that ends like JSON": ("/tools/get_projects", [("Content-Type", "text/plain; application/json")], _body()),
    "JSON of another charset": ("/tools/get_projects", [("Content-Type", "application/json; charset=utf-16")], _body()),
    "no type": ("/tools/get_projects", [], _body()),
    "two types": ("/tools/get_projects", [JSON, ("Content-Type", "text/plain")], _body()),
    "JSON that is UTF-16": ("/tools/get_projects", [JSON], '{"args": {}}'.encode("utf-16")),
    "JSON with a mark of order": ("/tools/get_projects", [JSON], b"\xef\xbb\xbf" + _body()),
    "XML": ("/tools/get_projects", [JSON], b"<args/>"),
    "two documents": ("/tools/get_projects", [JSON], _body() + _body()),
    "a compression that is none": ("/tools/get_projects", [JSON, ("Content-Encoding", "gzip")], _body()),
    "two lengths": ("/tools/get_projects", [JSON, ("Content-Length", "12"), ("Content-Length", "5")], b'{"args": {}}'),
    "a length with a sign": ("/tools/get_projects", [JSON, ("Content-Length", "+12")], b'{"args": {}}'),
    "a length in hex": ("/tools/get_projects", [JSON, ("Content-Length", "0xc")], b'{"args": {}}'),
    "a length that is short": (
        "/tools/get_projects",
        [JSON, ("Content-Length", "5"), ("Connection", "close")],
        b'{"args": {}}',
    ),
    "no length but a body": ("/tools/get_projects", [JSON, ("Content-Length", "0")], b""),
    "a length and chunks": (
        "/tools/get_projects",
        [JSON, ("Content-Length", "4"), ("Transfer-Encoding", "chunked")],
        CHUNK,
    ),
    "chunks of another coding": ("/tools/get_projects", [JSON, ("Transfer-Encoding", "gzip, chunked")], CHUNK),
    "chunks named twice": (
        "/tools/get_projects",
        [JSON, ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "identity")],
        CHUNK,
    ),
    "a query in GraphQL as a form": (
        "/graphql",
        [("Content-Type", "application/graphql")],
        b"{ get_projects { next_cursor } }",
    ),
    "a method in a header": ("/tools/send_memory", [JSON, ("X-HTTP-Method-Override", "GET")], _body()),
}
# A proxy reads these the same way, as the standard says. They are executed once or refused.
STANDARD = ("a length and chunks", "chunks of another coding", "chunks named twice", "no length but a body")


def test_there_are_more_than_twenty_of_each() -> None:
    assert len(MCP) >= 20
    assert len(GATEWAY) >= 20


async def test_mcp_refuses_requests_whose_headers_and_body_disagree(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    assert (await open_connection.send_mcp("tools/call", CALL)).json["result"]["structuredContent"]
    before = await _calls(unguarded)
    for name, (headers, method, params) in MCP.items():
        reply = await open_connection.send_mcp(method, params, headers=headers)
        assert reply.status == 400 or "error" in reply.json, (name, reply.status, reply.body[:300])
    assert await _calls(unguarded) == before, "none of them was carried out"


async def test_the_older_era_needs_no_routing_headers(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    """A proxy that trusts `Mcp-Name` must check the protocol version first, as the protocol says."""
    older = [("MCP-Protocol-Version", "2025-06-18"), ("Mcp-Name", "get_tasks")]
    reply = await open_connection.send_mcp("tools/call", CALL, headers=older)
    assert "Coffee shop" in str(reply.json["result"]["structuredContent"])


async def test_the_gateway_refuses_contradictory_requests(unguarded: AttackedServer) -> None:
    for name, (path, headers, body) in GATEWAY.items():
        async with RawConnection(unguarded.port) as connection:
            before = await _calls(unguarded)
            reply = await connection.request("POST", path, headers, body)
            if name in STANDARD:
                assert reply.status in (0, 200, 400, 501), name
                assert await _calls(unguarded) - before <= 1
                continue
            assert reply.status in (0, 400, 404, 415), (name, reply.status, reply.body[:300])
            assert reply.status != 404 or "nothing" in name or "no tool" in name, name


async def test_request_smuggling_fails(unguarded: AttackedServer) -> None:
    """Request smuggling: bytes after a body whose end two readers see differently are never a call."""
    hidden = b"GET /tools HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for head in (
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (5 + len(hidden)),
        b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Transfer-Encoding : chunked\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Transfer-Encoding: xchunked\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Transfer-Encoding:\x0bchunked\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Transfer-Encoding: chunked\r\n Transfer-Encoding: identity\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Content-Length: 0\r\nContent-Length: %d\r\n" % (5 + len(hidden)),
        b"Content-Length: 0, %d\r\n" % (5 + len(hidden)),
    ):
        start = b"POST /tools/get_projects HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        async with RawConnection(unguarded.port) as connection:
            reply = await connection.send_raw(start + head + b"\r\n0\r\n\r\n" + hidden)
            assert reply.status in (0, 400, 501), (head, reply)
            assert b'"tools"' not in reply.body


async def _calls(served: AttackedServer) -> int:
    await served.app.ledger.flush()
    rows = await served.app.database.fetch("SELECT COUNT(*) FROM ledger")
    return int(str(rows[0][0]))
