"""Bombs: inputs that expand, and requests that never end. Each is refused in time and harms no other call."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path

import orjson
import pytest

from sanya.suites.papers.pubmed.files import BadFile, open_file, read_items
from sanya.suites.papers.pubmed.xml_reader import BadRecord
from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import ACCEPT, META, MODERN, RawConnection, Reply
from tests.sources.documents import made
from tests.sources.documents.test_hostile_documents import LAUGHS, OUTSIDE

JSON = ("Content-Type", "application/json")
DEEP = 50_000
LARGE = 900_000
MCP_HEADERS = (
    JSON,
    ACCEPT,
    ("MCP-Protocol-Version", MODERN),
    ("Mcp-Method", "tools/call"),
    ("Mcp-Name", "search_tasks"),
)


def _call(arguments: bytes) -> bytes:
    return b'{"args": ' + arguments + b"}"


def _mcp(arguments: bytes) -> bytes:
    meta = orjson.dumps(META)
    params = b'{"name": "search_tasks", "_meta": ' + meta + b', "arguments": ' + arguments + b"}"
    return b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + params + b"}"


def _graphql(arguments: bytes) -> bytes:
    query = b'"query($q: String!) { search_tasks(query: $q) { next_cursor } }"'
    return b'{"query": ' + query + b', "variables": ' + arguments + b"}"


# Argument values, sent to the gateway, MCP and GraphQL.
ARGUMENTS: dict[str, bytes] = {
    "arrays in arrays": b'{"query": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "objects in objects": b'{"query": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
    "arrays that never close": b'{"query": ' + b"[" * LARGE,
    "nesting that a parser still takes": b'{"query": ' + b"[" * 900 + b"]" * 900 + b"}",
    "a number without end": b'{"query": "x", "limit": ' + b"9" * 300_000 + b"}",
    "a number beyond all": b'{"query": "x", "limit": 1e999999999}',
    "a tiny number": b'{"query": "x", "limit": 1e-999999999}',
    "digits behind the point": b'{"query": "x", "limit": 1.' + b"5" * 300_000 + b"}",
    "no number": b'{"query": "x", "limit": NaN}',
    "infinity": b'{"query": "x", "limit": Infinity}',
    "a huge text": b'{"query": "' + b"a" * LARGE + b'"}',
    "a huge text of escapes": b'{"query": "' + b"\\u0e01" * 150_000 + b'"}',
    "a hundred thousand keys": b"{" + b",".join(b'"k%d":1' % n for n in range(70_000)) + b"}",
    "one key a hundred thousand times": b"{" + b",".join([b'"query":1'] * 70_000) + b"}",
    "a key without end": b'{"' + b"k" * LARGE + b'": 1}',
    "half a surrogate pair": b'{"query": "\\ud800"}',
    "broken UTF-8": b'{"query": "\xc3\x28"}',
    "a cursor without end": b'{"query": "x", "cursor": "' + b"A" * 500_000 + b'"}',
}
WAYS: dict[str, tuple[str, Callable[[bytes], bytes], tuple[tuple[str, str], ...]]] = {
    "gateway": ("/tools/search_tasks", _call, (JSON,)),
    "mcp": ("/mcp", _mcp, MCP_HEADERS),
    "graphql": ("/graphql", _graphql, (JSON,)),
}


def _chunked(size: int, count: int) -> bytes:
    chunk = b"%x\r\n" % size + b" " * size + b"\r\n"
    return chunk * count + b"0\r\n\r\n"


CHUNKED = (JSON, ("Transfer-Encoding", "chunked"))
Send = Callable[[RawConnection], Awaitable[Reply]]
# Requests that attack by size or slowness, and the acceptable statuses; 0 is a closed connection.
REQUESTS: dict[str, tuple[Send, tuple[int, ...]]] = {
    "a compressed body": (
        lambda connection: connection.request(
            "POST", "/tools", [JSON, ("Content-Encoding", "gzip")], gzip.compress(b" " * 50_000_000)
        ),
        (415,),
    ),
    "a compressed body for MCP": (
        lambda connection: connection.request(
            "POST", "/mcp", [*MCP_HEADERS, ("Content-Encoding", "gzip")], gzip.compress(_mcp(b"{}"))
        ),
        (400, 415),
    ),
    "a length of terabytes": (
        lambda connection: connection.request("POST", "/tools", [JSON, ("Content-Length", "9" * 15)], b"{}"),
        (413,),
    ),
    "a length beyond numbers": (
        lambda connection: connection.request("POST", "/tools", [JSON, ("Content-Length", "9" * 200)], b"{}"),
        (400, 413, 0),
    ),
    "chunks beyond the limit": (
        lambda connection: connection.request("POST", "/tools", CHUNKED, _chunked(65_536, 30)),
        (413, 0),
    ),
    "chunks beyond the limit for MCP": (
        lambda connection: connection.request("POST", "/mcp", [*MCP_HEADERS, CHUNKED[1]], _chunked(65_536, 30)),
        (413, 0),
    ),
    "a chunk of no size": (lambda connection: connection.request("POST", "/tools", CHUNKED, b"zz\r\nx\r\n"), (400, 0)),
    "a chunk of no size for MCP": (
        lambda connection: connection.request("POST", "/mcp", [*MCP_HEADERS, CHUNKED[1]], b"zz\r\nx\r\n"),
        (400, 0),
    ),
    "a chunk of no size for GraphQL": (
        lambda connection: connection.request("POST", "/graphql", CHUNKED, b"zz\r\nx\r\n"),
        (400, 0),
    ),
    "a chunk beyond numbers": (
        lambda connection: connection.request("POST", "/tools", CHUNKED, b"f" * 40 + b"\r\nx"),
        (400, 0),
    ),
    "a header without end": (
        lambda connection: connection.request("GET", "/tools", [("X", "a" * 1_000_000)]),
        (400, 431, 0),
    ),
    "thousands of headers": (
        lambda connection: connection.request("GET", "/tools", [(f"X{n}", "a") for n in range(5_000)]),
        (400, 431, 0),
    ),
    "an address without end": (
        lambda connection: connection.request("GET", "/tools/" + "a" * 300_000),
        (400, 404, 414, 0),
    ),
    "a query without end": (
        lambda connection: connection.request("GET", "/graphql?query=" + "%7B" * 30_000),
        (200, 400, 414, 0),
    ),
    "a thousand messages at once": (
        lambda connection: connection.request(
            "POST", "/mcp", [JSON, ACCEPT], b"[" + b",".join([_mcp(b"{}")] * 1_000) + b"]"
        ),
        (400, 413),
    ),
    "a body that stops half way": (
        lambda connection: connection.request("POST", "/tools", [JSON, ("Content-Length", "100")], b"{"),
        (408,),
    ),
    "a body that stops half way for MCP": (
        lambda connection: connection.request("POST", "/mcp", [*MCP_HEADERS, ("Content-Length", "100")], b"{"),
        (408,),
    ),
    "a body that stops half way for GraphQL": (
        lambda connection: connection.request("POST", "/graphql", [JSON, ("Content-Length", "100")], b"{"),
        (408,),
    ),
    "chunks that never end": (
        lambda connection: connection.request("POST", "/tools", CHUNKED, b"1\r\n \r\n"),
        (408,),
    ),
}


async def test_oversized_values_are_refused_on_every_surface(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    assert len(ARGUMENTS) * len(WAYS) + len(REQUESTS) >= 60
    for name, value in ARGUMENTS.items():
        for way, (path, body, headers) in WAYS.items():
            reply = await open_connection.request("POST", path, headers, body(value))
            assert reply.status in (200, 400, 413), (name, way, reply.status)
            assert reply.status != 200 or _is_refused(reply), (name, way, reply.body[:300])
            assert len(reply.body) < 20_000, (name, way)
            assert b"Traceback" not in reply.body
        assert (await open_connection.call_tool("search_tasks", {"query": "x"})).status == 200, name


@pytest.mark.parametrize("name", REQUESTS)
async def test_huge_or_endless_requests_are_ended(open_connection: RawConnection, name: str) -> None:
    send, statuses = REQUESTS[name]
    reply = await send(open_connection)
    assert reply.status in statuses, reply
    assert reply.status != 200 or _is_refused(reply)
    await open_connection.close()
    assert (await open_connection.call_tool("search_tasks", {"query": "x"})).status == 200


async def test_slow_loris_connections_do_not_block_others(unguarded: AttackedServer) -> None:
    heads = (b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX", b"")
    waiting = [await asyncio.open_connection("127.0.0.1", unguarded.port) for _ in range(200)]
    for number, (_, writer) in enumerate(waiting):
        writer.write(heads[number % len(heads)])
    async with RawConnection(unguarded.port) as connection:
        for _ in range(20):
            assert (await connection.call_tool("get_projects", {})).status == 200
    for _, writer in waiting:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in waiting), return_exceptions=True)


async def test_a_thousand_pipelined_requests_are_all_answered(unguarded: AttackedServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", unguarded.port)
    writer.write(f"GET /health/live HTTP/1.1\r\nHost: localhost:{unguarded.port}\r\n\r\n".encode() * 1_000)
    async with asyncio.timeout(30):
        for _ in range(1_000):
            assert b" 200 " in (await reader.readuntil(b"\r\n\r\n")).splitlines()[0]
            await reader.readuntil(b"}")
    writer.close()


LONG_QUESTIONS = {
    "patterns": "(a+)+$ (a|aa)+ ([a-zA-Z]+)*x (.*)*" * 20,
    "stars": "*" * 900,
    "quotes": '"' * 901,
    "brackets": "(" * 450 + ")" * 450,
    "operators": "AND OR NOT NEAR/5 " * 50,
    "boosts": "x^999999999 y~999999 [* TO *] {a TO z} " * 25,
    "one letter": "a " * 450,
    "thousands of Thai letters": "\u0e01\u0e34" * 450,
    "marks on one letter": "e" + "\u0301" * 900,
    "one long word": "z" * 999,
}


async def test_slow_queries_are_answered_or_refused_in_time(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    asked = (
        ("tool.hybrid_search", "query"),
        ("rag.search", "query"),
        ("get_memory", "query"),
        ("search_tasks", "query"),
        ("search_rmf_funds", "search"),
        ("tool.rag_answer", "question"),
    )
    for number, (name, text) in enumerate(LONG_QUESTIONS.items()):
        for tool, argument in asked[number % 3 :: 3]:
            reply = await open_connection.call_tool(tool, {argument: text})
            assert reply.status in (200, 400), (name, tool, reply.body[:300])


async def test_decompression_bombs_end_in_the_ingest_report(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    inbox = unguarded.home / "inbox"
    inbox.mkdir(exist_ok=True)
    bombs = {
        "laughs.docx": made.docx_of([], document=LAUGHS),
        "outside.docx": made.docx_of([], document=OUTSIDE),
        "bomb.docx": made.docx_bomb(80),
        "deep.html": b"<html>" + b"<div>" * 5_000,
        "stream.pdf": made.decompression_bomb(),
        "pages.pdf": made.many_pages(10_000),
        "damaged.pdf": b"%PDF-1.7\n" + bytes(2_000),
    }
    for name, data in bombs.items():
        (inbox / name).write_bytes(data)
    batch = [{"uri": (inbox / name).as_uri()} for name in bombs]
    reply = await open_connection.call_tool("tool.ingest.run", {"batch": batch, "wait_s": 25})
    assert reply.status == 200, reply.body
    report = reply.json["data"]
    assert report["status"] in ("done", "error"), report
    assert (await open_connection.call_tool("get_projects", {})).status == 200


def test_decompression_bombs_of_papers_are_refused(tmp_path: Path) -> None:
    entities = b'<!DOCTYPE PubmedArticleSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    outside = b'<!DOCTYPE PubmedArticleSet [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    record = b"<PubmedArticle><MedlineCitation><PMID>&b;</PMID></MedlineCitation></PubmedArticle>"
    for data in (
        entities + b"<PubmedArticleSet>" + record + b"</PubmedArticleSet>",
        outside + b"<PubmedArticleSet>" + record.replace(b"&b;", b"&a;") + b"</PubmedArticleSet>",
        b"<PubmedArticleSet>" + record + b"</PubmedArticleSet>",
        b"<PubmedArticleSet><PubmedArticle>" + b"<i>" * 100_000 + b"</PubmedArticle></PubmedArticleSet>",
        b"<PubmedArticleSet><PubmedArticle>" + b" " * 34_000_000,
        b" " * 34_000_000,
    ):
        with pytest.raises((BadFile, BadRecord)):
            list(read_items([data]))
    bomb = tmp_path / "bomb.xml.gz"
    bomb.write_bytes(gzip.compress(b"<PubmedArticleSet><PubmedArticle>" + b" " * 34_000_000, 1))
    with pytest.raises(BadFile), open_file(bomb) as (_, blocks):
        list(read_items(blocks))


def _is_refused(reply: Reply) -> bool:
    answer = reply.json
    return bool(answer.get("error") or answer.get("errors") or answer.get("result", {}).get("isError"))
