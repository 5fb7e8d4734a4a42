"""`sanya --help` against bare `python -c pass`: what a person waits before the command line speaks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from benchmarks.result import Result, judged
from benchmarks.starting import compiled_once

RUNS = 25
_WARM_UP = 3


def run() -> Result:
    program = [str(Path(sys.executable).parent / "sanya"), "--help"]
    bare = [sys.executable, "-c", "pass"]
    ours: list[float] = []
    peer: list[float] = []
    # In turns, so that a busy moment of the machine falls on both.
    for number in range(_WARM_UP + RUNS):
        pair = (_milliseconds(program), _milliseconds(bare))
        if number >= _WARM_UP:
            ours.append(pair[0])
            peer.append(pair[1])
    return judged("cli_help", median(ours), median(peer), ("<=", 3.0))


def _milliseconds(command: Sequence[str]) -> float:
    started = perf_counter_ns()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=compiled_once())
    return (perf_counter_ns() - started) / 1e6
