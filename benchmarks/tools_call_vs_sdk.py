"""A modern `tools/call` through the whole kernel, against the SDK's bare server whose handler does nothing."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, judged
from benchmarks.servers import alternating, ours_at, serving

GOAL = 2.5


def run() -> Result:
    with (
        tempfile.TemporaryDirectory(prefix="sanya-bench-") as home,
        serving(ours_at(Path(home))) as ours,
        serving(lambda port: [sys.executable, "-m", "benchmarks.peers.sdk_server", str(port)]) as peer,
    ):
        return judged("tools_call_vs_sdk", *alternating(ours, peer), (">=", GOAL))
