"""MCP on stdin and stdout, both eras, as the owner: for a client that starts the server itself.

It ends when the client closes stdin, or on SIGTERM or SIGINT, and either way it returns, so that whoever opened the
home closes it with every audit row written.
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

from sanya.kernel.dispatch import Kernel
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.event_loop_monitor import EventLoopMonitor
from sanya.surfaces.mcp.invalid_lines import InvalidLineResponder
from sanya.surfaces.mcp.server import build_server

log = logging.getLogger(__name__)

_STDIN = 0
_CHUNK_BYTES = 64 * 1024


async def serve_stdio(kernel: Kernel, *, portable: bool, max_result_tokens: int) -> None:
    reader = CallReader(kernel.catalogue, max_result_tokens)
    server = build_server(kernel, reader, portable=portable)
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
        log.info("the client closed its end")


async def _run_until_signal(serving: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(serving, name="stdio")
    signals = (signal.SIGTERM, signal.SIGINT)
    for one in signals:
        with suppress(NotImplementedError):  # Windows has no such handlers; there the process just ends
            loop.add_signal_handler(one, task.cancel)
    try:
        await asyncio.wait({task})
    finally:
        for one in signals:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(one)
        task.cancel()
    if not task.cancelled():
        task.result()


@contextmanager
def _private_stdin() -> Iterator[int]:
    """The client's end under a number of its own, and nothing to read where handlers and children would look."""
    private = os.dup(_STDIN)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    try:
        yield private
    finally:
        os.dup2(private, _STDIN)  # `private` stays open: a read may still wait on it


async def _iter_lines(descriptor: int) -> AsyncIterator[str]:
    """The lines of a descriptor, read by a thread that nobody waits for.

    A read from a pipe cannot be interrupted: with the SDK's own reader, SIGTERM would wait for the client's next line.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def hand_over(line: bytes) -> None:
        with suppress(RuntimeError):  # the loop has closed, and nobody reads any more
            loop.call_soon_threadsafe(lines.put_nowait, line)

    Thread(target=_read_lines, args=(descriptor, hand_over), name="stdin", daemon=True).start()
    while line := await lines.get():
        yield line.decode("utf-8", "replace")


def _read_lines(descriptor: int, hand_over: Callable[[bytes], None]) -> None:
    """Hands over every line with its end, and at last an empty one."""
    rest = b""
    while chunk := os.read(descriptor, _CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            hand_over(line + b"\n")
    if rest:
        hand_over(rest)
    hand_over(b"")
