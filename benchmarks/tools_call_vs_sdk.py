"""A modern `tools/call` over HTTP, whole kernel and ledger included, against the SDK's bare server.

Handlers do no work on either side. Ours answers with a whole page of one task, validated both ways, stamped and
recorded; the SDK's answers with two letters. What reading the task from the database adds is in `get_tasks_vs_sdk`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.result import Result, judged
from benchmarks.servers import alternating, ready_at, serving

GOAL = 2.5


def run() -> Result:
    return against_sdk("tools_call_vs_sdk", ready_at, GOAL)


def against_sdk(name: str, ours_in: Callable[[Path], Callable[[int], Sequence[str]]], goal: float) -> Result:
    with (
        tempfile.TemporaryDirectory(prefix="sanya-bench-") as home,
        serving(ours_in(Path(home))) as ours,
        serving(lambda port: [sys.executable, "-m", "benchmarks.peers.sdk_server", str(port)]) as peer,
    ):
        return judged(name, *alternating(ours, peer), (">=", goal))
