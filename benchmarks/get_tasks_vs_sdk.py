"""Request rate of the real `get_tasks` on SQLite with default settings, against an SDK handler that does no work."""

from __future__ import annotations

from benchmarks.result import Result
from benchmarks.servers import build_server_command
from benchmarks.tools_call_vs_sdk import compare_with_sdk

GOAL = 1.5


def run() -> Result:
    return compare_with_sdk("get_tasks_vs_sdk", build_server_command, GOAL)
