"""Environment of the processes whose start time is measured."""

from __future__ import annotations

import os


def build_environment() -> dict[str, str]:
    """Return our environment with bytecode caching enabled, which is the default of Python."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
