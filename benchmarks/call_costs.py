"""CPU time of a request in the server process, in microseconds: `python -m benchmarks.call_costs`.

An empty handler on the same HTTP server shows what the server itself costs; the difference to the other rows is what a
call needs. Each row is the least of several short rounds, taken in turns: other processes on the machine add to it, for
they empty the caches. Where the system allows it, server and load run before all others meanwhile. Linux only.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from benchmarks.load import CONNECTIONS
from benchmarks.servers import build_ready_command, build_server_command, find_free_port, serving
from benchmarks.surface_rates import make_grpc_load, make_http_load

ROUNDS = 6
ROUND_S = 0.5
_WARM_UP_S = 1.0
_SETTLE_S = 3.0
"""A new home prepares its search after the start."""

Load = Callable[[float], float]
"""Puts load on a server for some seconds and returns the requests a second."""


class MeasuredRow:
    """A kind of request, the process that serves it, and the least CPU time that a request took."""

    def __init__(self, name: str, process: int, load: Load) -> None:
        self.name = name
        self.best_us = float("inf")
        self._process = process
        self._load = load

    def warm_up(self) -> None:
        self._load(_WARM_UP_S)

    def measure(self) -> None:
        processes = (self._process, os.getpid())  # the load is a child of ours and inherits the policy
        _set_policy(processes, os.SCHED_RR, 1)
        before = _read_cpu_seconds(self._process)
        requests = self._load(ROUND_S) * ROUND_S
        used = _read_cpu_seconds(self._process) - before
        _set_policy(processes, os.SCHED_OTHER, 0)
        self.best_us = min(self.best_us, used / requests * 1e6)


def main() -> int:
    with ExitStack() as stack:
        rows = _start(stack)
        time.sleep(_SETTLE_S)
        for row in rows:
            row.warm_up()
        for _ in range(ROUNDS):
            for row in rows:
                row.measure()
    print(f"CPU microseconds a request, {CONNECTIONS} connections, the least of {ROUNDS} rounds")
    for row in rows:
        print(f"{row.name:48} {row.best_us:7.1f}")
    return 0


def _start(stack: ExitStack) -> list[MeasuredRow]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sanya-bench-")))
    body = folder / "answer.json"

    def start(command: Callable[[int], Sequence[str]]) -> tuple[int, int, Load]:
        running = stack.enter_context(serving(command))
        return running.port, running.process, lambda seconds: float(running.ask(seconds)["per_second"])

    def peer(name: str, *arguments: str) -> Callable[[int], Sequence[str]]:
        return lambda port: [sys.executable, "-m", f"benchmarks.peers.{name}", str(port), *arguments]

    _, ready_process, ready = start(build_ready_command(folder / "ready"))
    body.write_bytes(b'{"text":"' + b"a" * 1700 + b'"}')
    grpc_port = find_free_port()
    ours = build_server_command(folder / "home")
    port, process, get_tasks = start(lambda port: [*ours(port), "--grpc", "on", "--grpc-port", str(grpc_port)])
    return [
        MeasuredRow("empty ASGI handler", *start(peer("empty_server"))[1:]),
        MeasuredRow("Starlette, a fixed answer of 1.7 KB", *start(peer("starlette_server", str(body)))[1:]),
        MeasuredRow("MCP SDK, low-level server, two letters", *start(peer("sdk_server"))[1:]),
        MeasuredRow("MCP, whole kernel, a prepared answer", ready_process, ready),
        MeasuredRow("MCP, get_tasks, one task", process, get_tasks),
        MeasuredRow(
            "HTTP gateway, get_tasks, five tasks",
            process,
            make_http_load(port, "/tools/get_tasks", {"args": {"limit": 5}}),
        ),
        MeasuredRow("gRPC, get_tasks, five tasks", process, make_grpc_load(grpc_port)),
    ]


def _read_cpu_seconds(process: int) -> float:
    """Return the CPU time of all threads so far."""
    total_ns = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError):  # it has ended meanwhile
            total_ns += int((thread / "schedstat").read_text().split()[0])
    return total_ns / 1e9


def _set_policy(processes: Iterable[int], policy: int, priority: int) -> None:
    for process in processes:
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(PermissionError, ProcessLookupError):
                os.sched_setscheduler(int(thread.name), policy, os.sched_param(priority))


if __name__ == "__main__":
    sys.exit(main())
