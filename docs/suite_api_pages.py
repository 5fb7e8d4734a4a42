"""Generates docs/suite-api.md from the public modules of `sanya.suite`."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from docs.error_pages import find_meaning
from docs.markdown import mark_code, render_table
from sanya.kernel.faults import Fault

MODULES = ("", ".store", ".text", ".search", ".prompts", ".jobs", ".citations", ".runtime")
_INTRODUCTION = """# API of suites

Everything that a suite may import: `sanya.suite` for the suite itself, and modules for SQL, text, search and so on.
Each name stands in one module and is loaded with its first use. [VERSIONING.md](../VERSIONING.md) covers them all; the
built-in suites are made of the same names. [A suite of your own](build-a-suite.md) shows how to use them.
"""


def render_suite_api_page() -> str:
    return _INTRODUCTION + "".join(_render_module(f"sanya.suite{name}") for name in MODULES)


def _render_module(name: str) -> str:
    module = import_module(name)
    rows = [_render_row(each, getattr(module, each)) for each in sorted(module.__all__, key=str.lower)]
    about = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ")
    return f"\n## `{name}`\n\n{about}\n\n{render_table(('name', 'signature', 'what it is'), rows)}\n"


def _render_row(name: str, value: Any) -> tuple[str, str, str]:
    return mark_code(name), mark_code(_write_signature(value)), _find_summary(value)


def _write_signature(value: Any) -> str:
    """Return the parameters of a function or of a class of ours, without the module names of their types."""
    if not (inspect.isfunction(value) or (inspect.isclass(value) and value.__module__.startswith("sanya."))):
        return ""
    try:
        parameters = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return ""
    names = [str(each.name) for each in parameters.values() if not each.name.startswith("_")]
    plain = [each for each in names if each not in ("args", "kwargs", "more")]
    return f"({', '.join(plain)})" if plain else ""


def _find_summary(value: Any) -> str:
    """Return the first sentence of its own docstring; dataclasses and pydantic write one that says nothing."""
    own = value.__dict__.get("__doc__") if inspect.isclass(value) else getattr(value, "__doc__", None)
    if not inspect.isclass(value) and not inspect.isfunction(value):
        return "type or constant"
    if not own and inspect.isclass(value) and issubclass(value, Fault):
        return find_meaning(value)
    text = inspect.cleandoc(own or "").split("\n\n")[0].replace("\n", " ")
    return "" if text.startswith(f"{value.__name__}(") else text
