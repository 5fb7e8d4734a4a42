"""Injection strings in every text argument of every read tool are treated as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import orjson
import pytest

from sanya.kernel.contracts.tool import Tool
from tests.attacks.conftest import GuardedServer
from tests.attacks.raw_http import RawConnection, Reply, bearer
from tests.attacks.strings import ORDERS_HERE, STRINGS
from tests.long_form import often

# Tools with semantic search take a hundred times as long, so fewer strings go through each of their arguments.
SLOW = ("tool.hybrid_search", "tool.rag_answer", "rag.search", "get_memory")
EVERY, EVERY_SLOW = often(6, 3), often(60, 15)
ADDRESSES = (
    "/tools/",
    "/evaluations/",
    "/jobs/",
    "/console/",
    "/graphql?query=",
    "/console/api/call?id=",
    "/console/api/ledger?tool=",
    "/console/api/resource?uri=",
    "/console/api/complete?prompt=",
    "/console/api/herbs/labels?ids=",
    "/console/api/paper?pmid=",
    "/console/api/imports?id=",
    "/console/api/operations?minutes=",
)
_TRACES = re.compile(rb'Traceback|File "/|\.py"|sqlite3|psycopg|syntax error|no such column|fts5', re.IGNORECASE)
# No article can be shipped as an example.
WITHOUT_EXAMPLE = {"papers.fulltext.get": {"doc_id": "pmcid:PMC1"}}


def text_arguments(tool: Tool) -> list[tuple[str, ...]]:
    """List the paths of arguments that accept any text; `*` stands for a list item."""
    return [path for path, schema in _fields(tool.input_schema, ()) if _is_free_text(schema)]


def _fields(schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from _fields(inner, (*path, name))
    if isinstance(items := schema.get("items"), Mapping):
        yield from _fields(items, (*path, "*"))
    for choice in schema.get("anyOf", ()):
        yield from _fields(choice, path)


def _is_free_text(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return (kind == "string" or (isinstance(kind, list) and "string" in kind)) and "enum" not in schema


def placed(arguments: Any, path: tuple[str, ...], text: str) -> Any:
    if not path:
        return text
    head, rest = path[0], path[1:]
    if head == "*":
        return [placed({}, rest, text)]
    inner = arguments.get(head) if isinstance(arguments, dict) else None
    return {**(arguments if isinstance(arguments, dict) else {}), head: placed(inner or {}, rest, text)}


def test_there_are_more_than_three_hundred_of_every_kind() -> None:
    assert len(STRINGS) >= 300
    assert len(ORDERS_HERE) == 100


async def test_injection_strings_are_plain_text_to_every_argument(
    guarded: GuardedServer, connection: RawConnection, caplog: pytest.LogCaptureFixture
) -> None:
    reading = [tool for tool in guarded.app.kernel.catalogue.tools if tool.effect == "read"]
    arguments = [(tool, path) for tool in reading for path in text_arguments(tool)]
    assert len(arguments) >= 30
    sent = 0
    for turn, (tool, path) in enumerate(arguments):
        step = EVERY_SLOW if tool.name in SLOW else EVERY
        for number, text in enumerate(STRINGS[turn % step :: step]):
            given = placed(
                dict(tool.examples[0].arguments if tool.examples else WITHOUT_EXAMPLE[tool.name]), path, text
            )
            reply = await _over(number % 3, connection, tool, given, guarded.alice)
            sent += 1
            assert reply.status in (200, 400, 404), (tool.name, path, text, reply.body[:500])
            assert not _TRACES.search(reply.body.replace(orjson.dumps(text)[1:-1], b"")), (tool.name, path, text)
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert "html" not in reply.headers["content-type"]
    least = often(1_250, 2_500)
    assert sent >= least, "a sixth of the strings for each argument, so that each string meets every sixth of them"
    ours = [record for record in caplog.records if record.name.startswith("sanya")]
    assert [record.getMessage() for record in ours if record.levelname == "ERROR"] == []


async def test_no_url_or_header_text_is_rendered_as_html(guarded: GuardedServer, connection: RawConnection) -> None:
    for number, text in enumerate(STRINGS):
        path = ADDRESSES[number % len(ADDRESSES)]
        reply = await connection.request("GET", path + quote(text, safe=""), bearer(guarded.alice))
        assert reply.status in (200, 400, 403, 404), (path, text, reply.body)
        assert reply.headers.get("content-type", "application/json").startswith("application/json"), (path, text)
        assert not any("\r" in value or "\n" in value for value in reply.headers.values())
        assert "set-cookie" not in reply.headers
        assert "x" not in reply.headers
        traced = [("traceparent", text.encode().replace(b"\r", b"").replace(b"\n", b"").replace(b"\0", b""))]
        if all(sign >= " " and sign != "\x7f" for sign in text):
            assert (await connection.request("GET", "/tools", [*traced, *bearer(guarded.alice)])).status == 200


async def test_log_lines_cannot_be_forged(guarded: GuardedServer, connection: RawConnection) -> None:
    guarded.logged.clear()
    strings = [text for text in STRINGS if text.strip() and len(text) <= 128 and "\ud7ff" not in text]
    for text in strings:
        context = {"trace_id": text, "session_id": text}
        reply = await connection.call_tool(
            "get_projects", {"limit": 1}, guarded.alice, request_id=text, context=context
        )
        assert reply.status in (200, 400), text
    lines = guarded.logged.lines()
    assert len(lines) >= len(strings)
    for line in lines:
        record = orjson.loads(line)
        assert record["logger"].startswith("sanya")
        assert "forged" not in record["event"]


async def _over(way: int, connection: RawConnection, tool: Tool, arguments: dict[str, Any], key: str) -> Reply:
    if way == 0:
        return await connection.call_tool(tool.name, arguments, key)
    if way == 1:
        return await connection.send_mcp("tools/call", {"name": tool.name, "arguments": arguments}, key)
    return await connection.post("/tools", {"tool": tool.portable_name, "args": arguments}, key)
