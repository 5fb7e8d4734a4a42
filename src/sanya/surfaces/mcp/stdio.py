"""MCP over stdin and stdout for a client that starts the server itself. The caller is the owner.

Serving ends when the client closes stdin, or on SIGTERM or SIGINT. Either way `serve_stdio` returns, so that the code
that opened the home closes it with every ledger row written.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from sanya.kernel.calls.dispatch import Kernel
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.event_loop_monitor import EventLoopMonitor
from sanya.surfaces.mcp.invalid_lines import InvalidLineResponder
from sanya.surfaces.mcp.listing.toolsets import AGENT_TOOLS, Toolset
from sanya.surfaces.mcp.server import build_server

log = logging.getLogger(__name__)

_STDIN = 0
_CHUNK_BYTES = 64 * 1024


async def serve_stdio(
    kernel: Kernel, *, portable: bool, max_result_tokens: int, toolset: Toolset = AGENT_TOOLS
) -> None:
    reader = CallReader(kernel.catalogue, max_result_tokens)
    server = build_server(kernel, reader, portable=portable, toolset=toolset)
    with _private_stdin() as stdin:
        async with EventLoopMonitor(reader.called_tools).watching():
            await _run_until_signal(_serve(server, stdin))


async def _serve(server: Server[Any], stdin: int) -> None:
    unreadable = InvalidLineResponder()
    lines = cast("anyio.AsyncFile[str]", unreadable.filter_valid(_iter_lines(stdin)))
    try:
        async with stdio_server(stdin=lines) as (reading, writing):
            unreadable.writer.set_result(writing)
            await server.run(reading, writing, server.create_initialization_options())
    except* BrokenPipeError:
        log.info("the client closed the pipe")


async def _run_until_signal(serving: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(serving, name="stdio")
    signals = (signal.SIGTERM, signal.SIGINT)
    for signal_number in signals:
        with suppress(NotImplementedError):  # Windows has no signal handlers; there the process just ends
            loop.add_signal_handler(signal_number, task.cancel)
    try:
        await asyncio.wait({task})
    finally:
        for signal_number in signals:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(signal_number)
        task.cancel()
    if not task.cancelled():
        task.result()


@contextmanager
def _private_stdin() -> Iterator[int]:
    """Move stdin to a descriptor of its own and put /dev/null in its place.

    Handlers and child processes that read stdin would otherwise swallow the client's messages.
    """
    private = os.dup(_STDIN)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    try:
        yield private
    finally:
        os.dup2(private, _STDIN)  # `private` stays open: the reader thread may still be blocked on it


async def _iter_lines(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines of a descriptor, read by a daemon thread.

    A read from a pipe cannot be interrupted: with the SDK's own reader, SIGTERM would wait for the client's next line.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def put_line(line: bytes) -> None:
        with suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(lines.put_nowait, line)

    Thread(target=_read_lines, args=(descriptor, put_line), name="stdin", daemon=True).start()
    while line := await lines.get():
        yield line.decode("utf-8", "replace")


def _read_lines(descriptor: int, put_line: Callable[[bytes], None]) -> None:
    """Pass every line, with its line ending, to `put_line`; an empty line marks the end."""
    rest = b""
    while chunk := os.read(descriptor, _CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            put_line(line + b"\n")
    if rest:
        put_line(rest)
    put_line(b"")
