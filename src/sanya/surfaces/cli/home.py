"""Opens the home that the person chose, runs one piece of work in it, and closes it."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sanya.app import App

Result = TypeVar("Result")


def in_home(
    options: Namespace,
    work: Callable[[App], Awaitable[Result]],
    *,
    busy: bool = False,
    lazily: bool = False,
    **overrides: Any,
) -> Result:
    """`busy` work gets the faster loop, which takes longer to load than a single call takes to run. Work that comes
    through the kernel alone can open the suites `lazily`."""
    from sanya import app  # here, so that help and usage errors do not wait for the whole house

    async def opened() -> Result:
        async with app.open(options.home, lazily=lazily, **overrides) as home:
            return await work(home)

    with asyncio.Runner(loop_factory=_fast_loop() if busy else None) as runner:
        return runner.run(opened())


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop
    except ImportError:  # there is none for Windows
        return None
    return new_event_loop
