"""Loads the names of a public module with their first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def load_by_name(module: str, origins: Mapping[str, str]) -> Callable[[str], object]:
    """Return a `__getattr__` for `module`. `origins` maps a name to its module, or to `module:name` there."""

    def load(name: str) -> object:
        origin = origins.get(name)
        if origin is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, source = origin.partition(":")
        value = getattr(import_module(home), source or name)
        setattr(sys.modules[module], name, value)
        return value

    return load
