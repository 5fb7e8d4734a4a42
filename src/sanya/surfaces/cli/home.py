"""The home that a command works in: opened for one piece of work, then closed."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sanya.app import App

_Result = TypeVar("_Result")


def run_in_home(
    options: Namespace,
    work: Callable[[App], Awaitable[_Result]],
    *,
    busy: bool = False,
    lazily: bool = False,
    **overrides: Any,
) -> _Result:
    """Open the home, run the work in it, close it, and return the result.

    `busy` work runs on uvloop, which takes longer to import than a single call takes to run. Work that only makes calls
    through the kernel can open the suites `lazily`: only the suite that it calls is imported. The first such command in
    a home opens all of them, and saves their outline for the next.
    """
    from sanya import app  # imported here, so that help and usage errors do not load every package

    async def open_and_work() -> _Result:
        async with app.open(options.home, lazily=lazily, **overrides) as home:
            result = await work(home)
            if lazily:
                home.save_outline_if_kept()
            return result

    return run_on_fast_loop(open_and_work()) if busy else asyncio.run(open_and_work())


def run_on_fast_loop(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Run the work on uvloop, where there is one."""
    with asyncio.Runner(loop_factory=_find_fast_loop()) as runner:
        return runner.run(work)


def _find_fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop
    except ImportError:  # uvloop does not support Windows
        return None
    return new_event_loop
