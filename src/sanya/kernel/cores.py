"""The number of processor cores, for everything that starts threads or processes."""

from __future__ import annotations

import os


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
