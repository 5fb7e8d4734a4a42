"""Servers under test, each in a process on one core, with the load on another core."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Any

import orjson

from benchmarks.wire import ARGUMENTS, TOOL, build_tool_request

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
ROUND_S = 2.0
_WARM_UP_S = 1.5
_START_S = 60.0
_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@dataclass(frozen=True, slots=True)
class Running:
    """Server that answers on its port. `ask` puts load on it for some seconds."""

    port: int
    process: int
    tool: str = TOOL
    arguments: dict[str, Any] = field(default_factory=ARGUMENTS.copy)

    def ask(self, seconds: float) -> dict[str, Any]:
        command = [sys.executable, "-m", "benchmarks.load", str(self.port), str(seconds)]
        request = build_tool_request(self.port, self.tool, self.arguments)
        done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=ROOT, preexec_fn=pin(-1))
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
        answer: dict[str, Any] = orjson.loads(done.stdout)
        return answer


@contextmanager
def serving(
    command: Callable[[int], Sequence[str]],
    asked: tuple[str, dict[str, Any]] = (TOOL, ARGUMENTS),
    *,
    path: Path | None = None,
) -> Iterator[Running]:
    """Run the server that `command` returns for a port, and stop it on exit. `path` holds the guests of the server."""
    port = find_free_port()
    environment = None if path is None else {**os.environ, "PYTHONPATH": str(path)}
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            command(port), cwd=ROOT, env=environment, preexec_fn=pin(0), stdout=said, stderr=said
        ) as process,
    ):
        try:
            wait_until_open(port, process, said)
            running = Running(port, process.pid, *asked)
            running.ask(_WARM_UP_S)
            yield running
        finally:
            process.terminate()
            process.wait(timeout=30)


def measure_in_turns(ours: Running, peer: Running) -> tuple[float, float]:
    """Return the requests per second of both, as medians of alternating rounds."""
    rounds = [(ours.ask(ROUND_S)["per_second"], peer.ask(ROUND_S)["per_second"]) for _ in range(ROUNDS)]
    return median(mine for mine, _ in rounds), median(theirs for _, theirs in rounds)


def build_server_command(home: Path) -> Callable[[int], Sequence[str]]:
    """Return the command of our server with default settings and starter data in a new home."""
    return lambda port: [
        *(sys.executable, "-m", "sanya.surfaces.cli.main", "serve"),
        *("--home", str(home), "--port", str(port), "--log-level", "warning"),
    ]


def build_ready_command(home: Path) -> Callable[[int], Sequence[str]]:
    """Return the command of our server with a handler that returns a prepared answer, as those of the peers do."""
    return lambda port: [sys.executable, "-m", "benchmarks.peers.ready_server", str(port), str(home)]


def pin(core: int) -> Callable[[], None]:
    """Return a function that pins a process to a core: 0 for the server, -1 for the load. Needs two cores."""
    if len(_CORES) < 2:
        return lambda: None
    return lambda: os.sched_setaffinity(0, {_CORES[core]})


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_open(port: int, process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            said.seek(0)
            raise RuntimeError(f"server exited before it answered: {said.read().decode('utf-8', 'replace')[-2000:]}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"server did not answer on port {port} within {_START_S:g} s")
