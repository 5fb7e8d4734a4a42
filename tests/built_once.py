"""Builds a folder once for all workers of a run: the first that needs it builds it, the others wait and share it."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


def build_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """Return a folder that `build` made in this run. Nobody may change it."""
    base = factory.getbasetemp()
    # Each worker of pytest-xdist has a folder of its own in that of the run.
    shared = base.parent if base.name.startswith("popen-") else base
    folder, done = shared / f"built-{name}", shared / f"built-{name}.done"
    with (shared / f"built-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            build(folder)
            done.touch()
    return folder
