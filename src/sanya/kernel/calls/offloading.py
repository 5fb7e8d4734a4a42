"""Keeps callers answered beside long work: runs it in a thread, or waits for it no longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

LONG_CHARS = 2_000
"""A text of this length takes a millisecond or two to analyse. A shorter one is done before a thread has started."""

OffloadedParameters = ParamSpec("OffloadedParameters")
OffloadedResult = TypeVar("OffloadedResult")


async def run_by_length(
    chars: int,
    work: Callable[OffloadedParameters, OffloadedResult],
    *args: OffloadedParameters.args,
    **kwargs: OffloadedParameters.kwargs,
) -> OffloadedResult:
    """Return the result of `work`, run in a thread if it has this many characters to read and they are many.

    A thread shares the interpreter with the event loop. It helps only where the work consists of many short steps: one
    call of a regular expression over a long text keeps the interpreter to itself until it returns.
    """
    return work(*args, **kwargs) if chars < LONG_CHARS else await asyncio.to_thread(work, *args, **kwargs)


async def wait_briefly(task: asyncio.Task[None], timeout_s: float) -> None:
    """Wait for a task, but leave it running in the background where it takes longer. Raise its error if it failed by
    then; a later one is its own to report."""
    task.add_done_callback(_retrieve_error)
    await asyncio.wait([task], timeout=timeout_s)
    if task.done():
        task.result()


def _retrieve_error(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()  # the next caller starts the work again and meets the same error
