"""How much of a test runs: enough for every change, or with SANYA_LONG=1 (`make test-long`) all of it."""

from __future__ import annotations

import os


def often(short: int, long: int) -> int:
    return long if os.environ.get("SANYA_LONG") == "1" else short
