"""`get_tasks` over HTTP while the server embeds papers: its p95 beside that of the same server before it had any.

A client calls `get_tasks` every 20 ms and another `rag.search` every 50 ms, all the time. `sanya papers import` brings
30,000 records in a process of its own; the server indexes them and then embeds them. The run also prints the times
during the import, and the slowest search.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, perf_counter, sleep

from benchmarks.memory_mixed import find_percentile
from benchmarks.papers_import import FILE
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import ROOT, build_server_command, find_free_port, wait_until_open

IDLE_S = 8.0
EMBEDDING_S = 20.0
GOAL = 2.0
_TASKS_EVERY_S = 0.02
_SEARCH_EVERY_S = 0.05


@dataclass(frozen=True, slots=True)
class CallTimes:
    """Durations in milliseconds."""

    tasks: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)

    def describe(self, phase: str) -> str:
        p50, p95 = (find_percentile(self.tasks, percent) for percent in (50, 95))
        searches = [find_percentile(self.searches, 50), find_percentile(self.searches, 95), max(self.searches)]
        shown = " / ".join(f"{duration:.0f}" for duration in searches)
        return (
            f"{phase:9} get_tasks p50 {p50:.1f} p95 {p95:.1f} max {max(self.tasks):.0f} ms ({len(self.tasks)} calls), "
            f"rag.search p50 / p95 / max {shown} ms"
        )


def run(file: Path = FILE) -> Result:
    if not file.is_file():
        raise SystemExit(f"PubMed file not found: {file}")
    with TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        home, port = Path(folder), find_free_port()
        with subprocess.Popen(build_server_command(home)(port), cwd=ROOT, stdout=said, stderr=said) as server:
            try:
                wait_until_open(port, server, said)
                times = _measure(port, home, file)
            finally:
                server.terminate()
    for phase, found in times.items():
        print(found.describe(phase))
    ours, idle = (find_percentile(times[phase].tasks, 95) for phase in ("embedding", "idle"))
    return judge_ratio("busy_server", ours, idle, ("<=", GOAL))


def _measure(port: int, home: Path, file: Path) -> dict[str, CallTimes]:
    _observe(port, _wait(1.0))  # opens the library
    times = {"idle": _observe(port, _wait(IDLE_S))}
    command = [sys.executable, "-m", "sanya.surfaces.cli.main", "papers", "import", "--home", str(home), str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as importing:
        times["import"] = _observe(port, lambda: importing.poll() is not None)
        if importing.returncode:
            raise RuntimeError(f"the import ended with exit code {importing.returncode}")
    times["embedding"] = _observe(port, _wait(EMBEDDING_S))
    return times


def _wait(seconds: float) -> Callable[[], bool]:
    end = monotonic() + seconds
    return lambda: monotonic() > end


def _observe(port: int, is_over: Callable[[], bool]) -> CallTimes:
    times = CallTimes()

    def search() -> None:
        connection, number = HTTPConnection("127.0.0.1", port), 0
        while not is_over():
            number += 1
            arguments = {"query": f"treatment of hypertension in rats {number}", "top_k": 10}
            times.searches.append(_call(connection, "rag.search", arguments))
            sleep(_SEARCH_EVERY_S)

    searching = Thread(target=search)
    searching.start()
    connection = HTTPConnection("127.0.0.1", port)
    while not is_over():
        times.tasks.append(_call(connection, "get_tasks", {}))
        sleep(_TASKS_EVERY_S)
    searching.join()
    return times


def _call(connection: HTTPConnection, tool: str, arguments: dict[str, object]) -> float:
    begun = perf_counter()
    body = json.dumps({"tool": tool, "args": arguments})
    connection.request("POST", f"/tools/{tool}", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise RuntimeError(f"{tool}: {response.status} {content[:200]!r}")
    return (perf_counter() - begun) * 1000


if __name__ == "__main__":
    print(run())
