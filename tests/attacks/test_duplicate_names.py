"""JSON that has a name twice in one object is refused on every surface that parses JSON, and nothing runs."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import orjson
import pytest

from sanya import surfaces
from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import ACCEPT, META, MODERN, HeaderList, RawConnection

SURFACES = Path(surfaces.__file__).parent
JSON = ("Content-Type", "application/json")
PLAIN_CALL: HeaderList = (
    JSON,
    ACCEPT,
    ("MCP-Protocol-Version", MODERN),
    ("Mcp-Method", "tools/call"),
    ("Mcp-Name", "send_memory"),
)
OLDER: HeaderList = (JSON, ACCEPT, ("MCP-Protocol-Version", "2025-11-25"))
META_JSON = orjson.dumps(META)
TWICE = (b'"content": "shown to the check", "content": "stored"', b'"content": "shown", "\\u0063ontent": "stored"')
QUERY = b'"query": "mutation($content: String!) { send_memory(content: $content) { memory_id } }"'
REQUESTS: dict[str, tuple[str, HeaderList, bytes]] = {
    "gateway arguments": ("/tools/send_memory", (JSON,), b'{"args": {%s}}'),
    "gateway envelope": ("/tools/send_memory", (JSON,), b'{"args": {"content": "a"}, "args": {%s}}'),
    "gateway source": ("/tools/send_memory", (JSON,), b'{"args": {"content": "a", "source": {%s}}}'),
    "MCP arguments": (
        "/mcp",
        PLAIN_CALL,
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "send_memory", "_meta": '
        + META_JSON
        + b', "arguments": {%s}}}',
    ),
    "MCP tool names": (
        "/mcp",
        PLAIN_CALL,
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "get_projects", "name": "send_memory"'
        b', "_meta": ' + META_JSON + b', "arguments": {"content": "a", "source": {%s}}}}',
    ),
    "older MCP arguments": (
        "/mcp",
        OLDER,
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "send_memory", "arguments": {%s}}}',
    ),
    "GraphQL variables": ("/graphql", (JSON,), b"{" + QUERY + b', "variables": {%s}}'),
}


async def _count_memories(connection: RawConnection) -> int:
    reply = await connection.request("GET", "/console/api/holdings")
    (memory,) = [holding for holding in reply.json["suites"] if holding["suite"] == "memory"]
    return int(memory["counts"]["memories"])


@pytest.mark.parametrize("name", REQUESTS)
async def test_a_name_that_stands_twice_is_refused_before_anything_runs(
    open_connection: RawConnection, unguarded: AttackedServer, name: str
) -> None:
    path, headers, template = REQUESTS[name]
    before = await _count_memories(open_connection)
    for twice in TWICE:
        reply = await open_connection.request("POST", path, headers, template.replace(b"%s", twice))
        assert reply.status == 400, (name, reply)
        assert "twice" in str(reply.json), reply.json
    if path == "/mcp":
        assert reply.json["id"] == 7 and reply.json["error"]["code"] == -32600
    assert await _count_memories(open_connection) == before


async def test_variables_in_a_query_string_are_parsed_as_strictly(open_connection: RawConnection) -> None:
    query = quote("query($limit: Int) { get_tasks(limit: $limit) { next_cursor } }")
    for variables, status in (('{"limit": 1}', 200), ('{"limit": 1, "limit": 2}', 400)):
        reply = await open_connection.request("GET", f"/graphql?query={query}&variables={quote(variables)}")
        assert reply.status == status, reply


def test_surfaces_parse_what_they_are_sent_with_the_strict_parser() -> None:
    """These read our own files and orders, or what the strict parser has passed already."""
    own = {
        "schema_files.py",
        "cli/output/labels.py",
        "cli/suite_sources.py",
        "mcp/listing/lists.py",
        "mcp/plain_calls.py",
        "serving/order.py",  # from the supervisor, over a socket that no other process holds
    }
    using = {
        str(path.relative_to(SURFACES)) for path in SURFACES.rglob("*.py") if "orjson.loads(" in path.read_text("utf-8")
    }
    assert using == own
