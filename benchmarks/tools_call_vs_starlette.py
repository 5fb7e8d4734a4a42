"""A modern `tools/call` through the whole kernel, against a Starlette handler that returns the same bytes.

Ours has its answer ready as well, and then validates, stamps, records and writes it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, judged
from benchmarks.servers import alternating, ready_at, serving

GOAL = 0.5


def run() -> Result:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder, serving(ready_at(Path(folder) / "home")) as ours:
        same_bytes = Path(folder) / "answer.json"
        same_bytes.write_text(ours.ask(0.5)["body"], "utf-8")
        command = [sys.executable, "-m", "benchmarks.peers.starlette_server"]
        with serving(lambda port: [*command, str(port), str(same_bytes)]) as peer:
            return judged("tools_call_vs_starlette", *alternating(ours, peer), (">=", GOAL))
