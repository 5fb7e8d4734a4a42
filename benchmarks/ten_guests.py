"""`sanya mcp` with ten guest suites against none: milliseconds from the start to the first answer."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.guest_packages import write_guest
from benchmarks.mcp_first_answer import RUNS, time_first_answer
from benchmarks.result import Result, judge_ratio

GOAL = 1.3
_WARM_UP = 1


def run() -> Result:
    crowded: list[float] = []
    empty: list[float] = []
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        packages = Path(folder) / "packages"
        for number in range(10):
            write_guest(packages, f"guest{number}")
        program = str(Path(sys.executable).parent / "sanya")
        for number in range(_WARM_UP + RUNS):
            pair = (
                time_first_answer([program, "--home", f"{folder}/crowded", "mcp"], {"PYTHONPATH": os.fspath(packages)}),
                time_first_answer([program, "--home", f"{folder}/empty", "mcp"]),
            )
            if number >= _WARM_UP:
                crowded.append(pair[0])
                empty.append(pair[1])
    return judge_ratio("ten_guests", median(crowded), median(empty), ("<=", GOAL))
