"""Request rate of `tools/call` through the whole kernel, against a Starlette handler that returns the same bytes.

Our handler returns a prepared answer as well, which the kernel then validates, records and serialises.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_ready_command, measure_in_turns, serving

GOAL = 0.5


def run() -> Result:
    with (
        tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder,
        serving(build_ready_command(Path(folder) / "home")) as ours,
    ):
        same_bytes = Path(folder) / "answer.json"
        same_bytes.write_text(ours.ask(0.5)["body"], "utf-8")
        command = [sys.executable, "-m", "benchmarks.peers.starlette_server"]
        with serving(lambda port: [*command, str(port), str(same_bytes)]) as peer:
            return judge_ratio("tools_call_vs_starlette", *measure_in_turns(ours, peer), (">=", GOAL))
