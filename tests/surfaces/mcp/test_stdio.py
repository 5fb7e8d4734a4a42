"""stdio in a process of its own: only the protocol on stdout, and shutdown without losing a ledger row."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sanya.engines.database import open_database
from sanya.engines.ledger import SqlLedgerStore
from tests.surfaces.mcp.asgi_requests import CLIENT, message, tool_call

ROOT = Path(__file__).parents[3]
HELLO = message("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT})


@pytest.fixture
async def process(home: Path) -> AsyncIterator[Process]:
    command = [sys.executable, "-m", "tests.surfaces.mcp.sample_stdio", str(home)]
    started = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    yield started
    if started.returncode is None:
        started.kill()
    await started.communicate()


async def say(process: Process, body: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(body).encode() + b"\n")
    await process.stdin.drain()


async def ask(process: Process, body: dict[str, Any]) -> Any:
    assert process.stdout is not None
    await say(process, body)
    async with asyncio.timeout(30):
        return json.loads(await process.stdout.readline())


async def hang_up(process: Process) -> tuple[bytes, bytes]:
    """Close stdin; return the rest of stdout and all of stderr."""
    async with asyncio.timeout(30):
        return await process.communicate(b"")


async def rows(home: Path) -> list[tuple[str, str | None]]:
    async with open_database("", home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "test")
        return [(link.entry.tool, link.entry.fault) async for link in store.read_links("main")]


async def test_closing_stdin_ends_the_server_with_every_row_written(process: Process, home: Path) -> None:
    answer = await ask(process, tool_call("shop.echo", {"text": "a"}))
    assert answer["result"]["structuredContent"]["said"] == ["a"]
    rest, _ = await hang_up(process)
    assert (rest, process.returncode) == (b"", 0)
    assert await rows(home) == [("shop.echo", None)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM that can be handled")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_cancels_calls_and_writes_every_ledger_row(
    process: Process, home: Path, number: signal.Signals
) -> None:
    await ask(process, tool_call("shop.echo", {"text": "a"}))
    await say(process, {**tool_call("shop.wait"), "id": 2})
    waiting = {**tool_call("shop.events"), "id": 3}
    while "waiting" not in (await ask(process, waiting))["result"]["structuredContent"]["items"]:
        pass
    process.send_signal(number)
    async with asyncio.timeout(30):
        await process.wait()
    assert process.returncode == 0
    assert ("shop.wait", "cancelled") in await rows(home)


async def test_stray_output_and_broken_lines_do_not_disturb_the_protocol(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.write(b"\n\xff\xfe not json\n{}\n")
    hello = await ask(process, HELLO)
    assert hello["result"]["capabilities"]["extensions"] == {
        "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}
    }
    await say(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    answer = await ask(process, message("tools/call", {"name": "shop.print", "arguments": {"text": "noise"}}, id=2))
    assert answer["result"]["structuredContent"] == {"said": [""], "price": None}
    rest, logged = await hang_up(process)
    assert rest == b""
    assert b"noise" in logged


async def test_a_long_line_arrives_whole(process: Process) -> None:
    text = "ค้อน" * 40_000
    answer = await ask(process, tool_call("shop.note", {"text": text}))
    assert answer["result"]["structuredContent"] == {"count": 1}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        # Half an emoji, as a truncated model output leaves it.
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"shop.echo\\ud83d"}}', -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}', -32600),
        (b'{"id":7,"method":"ping"}', -32600),
    ],
)
async def test_an_invalid_request_with_an_id_gets_an_error(process: Process, line: bytes, code: int) -> None:
    assert process.stdin is not None
    process.stdin.write(line + b"\n")
    answer = await ask(process, tool_call("shop.echo", {"text": "a"}))
    assert (answer["id"], answer["error"]["code"]) == (7, code)
    assert process.stdout is not None
    async with asyncio.timeout(30):
        assert json.loads(await process.stdout.readline())["result"]["structuredContent"]["said"] == ["a"]


@pytest.mark.parametrize("line", [b"", b"hello", b"\xff\xfe", b"[]", b"[" * 100_000, b'{"jsonrpc":"2.0","id":null}'])
async def test_a_line_that_is_not_a_message_is_ignored(process: Process, line: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(line + b"\n")
    answer = await ask(process, tool_call("shop.echo", {"text": "a"}))
    assert answer["result"]["structuredContent"]["said"] == ["a"]


async def test_a_line_that_has_a_name_twice_is_answered_with_an_error_and_runs_nothing(
    process: Process, home: Path
) -> None:
    assert process.stdin is not None and process.stdout is not None
    await ask(process, HELLO)
    line = json.dumps(tool_call("shop.echo", {"text": "a"})).replace('"text": "a"', '"text": "a", "text": "b"')
    process.stdin.write(line.encode() + b"\n")
    async with asyncio.timeout(30):
        answer = json.loads(await process.stdout.readline())
    assert answer["error"]["code"] == -32600 and "twice" in answer["error"]["message"]
    await hang_up(process)
    assert await rows(home) == []
