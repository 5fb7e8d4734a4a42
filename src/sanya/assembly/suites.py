"""Opens the built-in suites, as `suites/registry.py` lists them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sanya.assembly.home_resources import HomeResources
from sanya.assembly.outline import LazySuite, build_suite, describe_suite, load_address
from sanya.engines.outline_file import read_outline, write_outline
from sanya.kernel.contracts.suite import Suite
from sanya.settings import Settings
from sanya.suites.registry import BUILT_IN


async def open_suites(resources: HomeResources) -> list[Suite]:
    disabled = resources.settings.suites_disabled
    return [await open_suite(name, resources) for name in BUILT_IN if name not in disabled]


async def open_suite(name: str, resources: HomeResources) -> Suite:
    return await _load_opener(name)(resources)


def restore_suites(resources: HomeResources, key: str) -> list[Suite] | None:
    """Return the suites as lazy ones from the outline saved under this key, or None where there is no such outline."""
    kept = read_outline(resources.settings.home, key)
    return None if kept is None else [_restore_suite(outline, resources) for outline in kept]


def has_outline(settings: Settings, key: str) -> bool:
    """Return whether an outline is saved under this key: then its contracts were checked."""
    return read_outline(settings.home, key) is not None


def save_outline(settings: Settings, key: str, suites: Sequence[Suite]) -> None:
    write_outline(settings.home, key, [describe_suite(suite) for suite in suites if suite.name in BUILT_IN])


def _restore_suite(outline: Mapping[str, Any], resources: HomeResources) -> Suite:
    lazy_suite = LazySuite(partial(_open_in_background, outline["name"], resources))
    resources.stack.push_async_callback(lazy_suite.close)
    return build_suite(outline, lazy_suite)


async def _open_in_background(name: str, resources: HomeResources) -> Suite:
    # In a thread: importing a suite takes up to a second, and the loop must answer others meanwhile.
    opener = await asyncio.to_thread(_load_opener, name)
    return await opener(resources)


def _load_opener(name: str) -> Callable[[HomeResources], Awaitable[Suite]]:
    opener: Callable[[HomeResources], Awaitable[Suite]] = load_address(BUILT_IN[name].opener)
    return opener
