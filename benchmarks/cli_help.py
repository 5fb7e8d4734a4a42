"""`sanya --help` against bare `python -c pass`: time until the command has printed its help."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from benchmarks.process_environment import build_environment
from benchmarks.result import Result, judge_ratio

RUNS = 25
_WARM_UP = 3


def run() -> Result:
    program = [str(Path(sys.executable).parent / "sanya"), "--help"]
    bare = [sys.executable, "-c", "pass"]
    ours: list[float] = []
    peer: list[float] = []
    # Alternate the two, so that a busy moment slows both.
    for number in range(_WARM_UP + RUNS):
        pair = (_time_command(program), _time_command(bare))
        if number >= _WARM_UP:
            ours.append(pair[0])
            peer.append(pair[1])
    return judge_ratio("cli_help", median(ours), median(peer), ("<=", 3.0))


def _time_command(command: Sequence[str]) -> float:
    started = perf_counter_ns()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=build_environment())
    return (perf_counter_ns() - started) / 1e6
