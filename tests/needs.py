"""Sorts tests by what they need, so that `make test-quick` can leave out what is slow to start.

A test is marked `postgresql`, `browser` or `process` by its fixtures, its parameters and the helpers that its module
imports. Nobody has to remember the mark.
"""

from __future__ import annotations

import inspect
import re
import sys
from functools import cache
from types import FunctionType, ModuleType

import pytest

MARKERS = {
    "postgresql": "needs a PostgreSQL server",
    "browser": "needs Chromium",
    "process": "starts processes of its own",
}
_STARTS_PROCESSES = re.compile(r"\b(subprocess|multiprocessing|Popen|ProcessPoolExecutor)\b")
_POSTGRESQL_FIXTURES = frozenset(("postgresql_server", "postgresql_url", "schemas"))


def mark_by_needs(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function):
            for marker in _find_needs(item):
                item.add_marker(marker)


def _find_needs(item: pytest.Function) -> set[str]:
    fixtures = set(item.fixturenames)
    needs = set()
    if fixtures & _POSTGRESQL_FIXTURES or _has_parameter(item, "postgresql"):
        needs.add("postgresql")
    if "browser" in fixtures:
        needs.add("browser")
    if _module_starts_processes(item.module.__name__) or any(map(_fixture_starts_processes, _list_fixtures(item))):
        needs.add("process")
    return needs


def _has_parameter(item: pytest.Function, value: str) -> bool:
    return hasattr(item, "callspec") and value in map(str, item.callspec.params.values())


def _list_fixtures(item: pytest.Function) -> list[FunctionType]:
    definitions = item._fixtureinfo.name2fixturedefs.values()  # no public way leads to the functions of fixtures
    functions = [found.func for several in definitions for found in several]
    return [function for function in functions if isinstance(function, FunctionType)]


@cache
def _fixture_starts_processes(function: FunctionType) -> bool:
    if not function.__module__.startswith("tests"):
        return False
    names = set(function.__code__.co_names)
    helpers = [function.__globals__.get(name) for name in names]
    return bool(_STARTS_PROCESSES.search(inspect.getsource(function))) or any(
        _module_starts_processes(helper.__module__)
        for helper in helpers
        if inspect.isroutine(helper) or inspect.isclass(helper)
    )


@cache
def _module_starts_processes(name: str) -> bool:
    """Look at the source of a test module and of the helpers among the tests that it imports."""
    module = sys.modules.get(name)
    if module is None or not name.startswith("tests.") or name.endswith("conftest"):
        return False
    return bool(_STARTS_PROCESSES.search(inspect.getsource(module))) or any(
        _module_starts_processes(helper) for helper in _list_helpers(module) if helper != name
    )


def _list_helpers(module: ModuleType) -> set[str]:
    found = set()
    for value in vars(module).values():
        owner = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(owner, str) and owner.startswith("tests."):
            found.add(owner)
    return found
