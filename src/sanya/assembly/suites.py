"""Opens the built-in suites. The suite NAME is opened by `open_NAME` of the module NAME in this package."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from sanya.assembly.home_resources import HomeResources
from sanya.assembly.outline import LazySuite, build_suite, describe_suite
from sanya.engines.outline_file import read_outline, write_outline
from sanya.kernel.suite import Suite
from sanya.settings import Settings

SUITES = ("tasks", "funds", "memory", "herbs", "papers")


async def open_suites(resources: HomeResources) -> list[Suite]:
    return [await open_suite(name, resources) for name in SUITES]


async def open_suite(name: str, resources: HomeResources) -> Suite:
    return await _load_opener(name)(resources)


def restore_suites(resources: HomeResources, key: str) -> list[Suite] | None:
    """Return the suites as lazy ones from the outline saved under this key, or None where there is no such outline."""
    kept = read_outline(resources.settings.home, key)
    return None if kept is None else [_restore_suite(outline, resources) for outline in kept]


def save_outline(settings: Settings, key: str, suites: Sequence[Suite]) -> None:
    write_outline(settings.home, key, [describe_suite(suite) for suite in suites if suite.name in SUITES])


def _restore_suite(outline: Mapping[str, Any], resources: HomeResources) -> Suite:
    lazy_suite = LazySuite(partial(_open_in_background, outline["name"], resources))
    resources.stack.push_async_callback(lazy_suite.close)
    return build_suite(outline, lazy_suite)


async def _open_in_background(name: str, resources: HomeResources) -> Suite:
    # In a thread: importing a suite takes up to a second, and the loop must answer others meanwhile.
    opener = await asyncio.to_thread(_load_opener, name)
    return await opener(resources)


def _load_opener(name: str) -> Callable[[HomeResources], Awaitable[Suite]]:
    opener: Callable[[HomeResources], Awaitable[Suite]] = getattr(
        import_module(f"sanya.assembly.{name}"), f"open_{name}"
    )
    return opener
