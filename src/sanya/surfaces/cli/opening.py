"""Opens the home that the person chose, runs one piece of work in it, and closes it."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sanya.app import App

Result = TypeVar("Result")


def in_home(options: Namespace, work: Callable[[App], Awaitable[Result]], **overrides: Any) -> Result:
    from sanya import app  # here, so that help and usage errors do not wait for the whole house

    async def opened() -> Result:
        async with app.open(options.home, **overrides) as home:
            return await work(home)

    return asyncio.run(opened())
