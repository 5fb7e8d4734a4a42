"""Requests per second of one server with two pinned workers on two cores, against one process on one core, on SQLite.

With four cores or more, the load runs on the cores without a worker. With fewer, it shares the cores of the server on
both sides, as in `replicas`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.replicas import Replicas, build_taskset, measure_two_and_one
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import ROOT, ROUND_S, ROUNDS, build_server_command, find_free_port, wait_until_open

GOAL = 1.7


def run() -> Result:
    return judge_ratio("workers", *measure_two_and_one(_serving, ROUNDS, ROUND_S), (">=", GOAL))


@contextmanager
def _serving(cores: Sequence[int], others: frozenset[int]) -> Iterator[Replicas]:
    """Run one server with a worker for each core. A load for each worker asks its one port."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder, tempfile.TemporaryFile() as said:
        port = find_free_port()
        serve = [
            *build_server_command(Path(folder) / "home")(port),
            "--workers",
            str(len(cores)),
            "--pin-workers",
            "--grpc",
            "off",
        ]
        process = subprocess.Popen([*build_taskset(set(cores)), *serve], cwd=ROOT, stdout=said, stderr=said)
        try:
            wait_until_open(port, process, said)
            yield Replicas([port] * len(cores), others)
        finally:
            process.terminate()
            process.wait(60)
