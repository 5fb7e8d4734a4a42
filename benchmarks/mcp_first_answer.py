"""`sanya mcp` against the bare SDK on stdio: time from process start to the first answer."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from benchmarks.process_environment import build_environment
from benchmarks.result import Result, judge_ratio

RUNS = 9
_WARM_UP = 1  # creates the home and fills the caches of both
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_REQUEST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}).encode("utf-8") + b"\n"


def run() -> Result:
    bare = [sys.executable, "-m", "benchmarks.peers.sdk_stdio"]
    ours: list[float] = []
    peer: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        program = [str(Path(sys.executable).parent / "sanya"), "--home", home, "mcp"]
        # Alternate the two, so that a busy moment slows both.
        for number in range(_WARM_UP + RUNS):
            pair = (time_first_answer(program), time_first_answer(bare))
            if number >= _WARM_UP:
                ours.append(pair[0])
                peer.append(pair[1])
    return judge_ratio("mcp_first_answer", median(ours), median(peer), ("<=", 1.3))


def time_first_answer(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Return the milliseconds from the start of a process to its first answer."""
    started = perf_counter_ns()
    with subprocess.Popen(
        command,
        env={**build_environment(), **(environment or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_REQUEST)
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        waited = (perf_counter_ns() - started) / 1e6
        process.stdin.close()
    if "result" not in answer:
        raise RuntimeError(f"{command[0]} returned no result: {answer}")
    return waited
