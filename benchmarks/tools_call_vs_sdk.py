"""Request rate of `tools/call` over HTTP, including kernel and ledger, against the bare server of the MCP SDK.

Handlers do no work on either side. Ours returns a page with one task, validates input and output and records the call;
the handler of the SDK returns two letters. `get_tasks_vs_sdk` adds the read from the database.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_ready_command, measure_in_turns, serving

GOAL = 2.5


def run() -> Result:
    return compare_with_sdk("tools_call_vs_sdk", build_ready_command, GOAL)


def compare_with_sdk(name: str, ours_in: Callable[[Path], Callable[[int], Sequence[str]]], goal: float) -> Result:
    with (
        tempfile.TemporaryDirectory(prefix="sanya-bench-") as home,
        serving(ours_in(Path(home))) as ours,
        serving(lambda port: [sys.executable, "-m", "benchmarks.peers.sdk_server", str(port)]) as peer,
    ):
        return judge_ratio(name, *measure_in_turns(ours, peer), (">=", goal))
