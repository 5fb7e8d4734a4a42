"""The same with the real `get_tasks` on SQLite, as anybody starts the server; the SDK's handler still does nothing."""

from __future__ import annotations

from benchmarks.result import Result
from benchmarks.servers import ours_at
from benchmarks.tools_call_vs_sdk import against_sdk

GOAL = 1.5


def run() -> Result:
    return against_sdk("get_tasks_vs_sdk", ours_at, GOAL)
