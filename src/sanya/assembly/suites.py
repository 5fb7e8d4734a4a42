"""The suites of the house, each opened by `open_<suite>` of the module here that bears its name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from sanya.assembly.opened import Opened
from sanya.assembly.outline import Door, outline_of, suite_from
from sanya.engines.outline_file import read_outline, write_outline
from sanya.kernel.suite import Suite
from sanya.settings import Settings

SUITES = ("tasks", "funds", "memory", "herbs", "papers")


async def open_suites(opened: Opened) -> list[Suite]:
    return [await open_suite(name, opened) for name in SUITES]


async def open_suite(name: str, opened: Opened) -> Suite:
    return await _opener(name)(opened)


def outlined_suites(opened: Opened, key: str) -> list[Suite] | None:
    """The suites as outlines, where what they show was kept under this key; opened by whoever first needs one."""
    kept = read_outline(opened.settings.home, key)
    return None if kept is None else [_outlined(one, opened) for one in kept]


def keep_outline(settings: Settings, key: str, suites: Sequence[Suite]) -> None:
    write_outline(settings.home, key, [outline_of(one) for one in suites if one.name in SUITES])


def _outlined(said: Mapping[str, Any], opened: Opened) -> Suite:
    door = Door(partial(_open_late, said["name"], opened))
    opened.stack.push_async_callback(door.close)
    return suite_from(said, door)


async def _open_late(name: str, opened: Opened) -> Suite:
    # Beside the loop: meanwhile it answers others.
    opener = await asyncio.to_thread(_opener, name)
    return await opener(opened)


def _opener(name: str) -> Callable[[Opened], Awaitable[Suite]]:
    opener: Callable[[Opened], Awaitable[Suite]] = getattr(import_module(f"sanya.assembly.{name}"), f"open_{name}")
    return opener
