"""`get_tasks` over HTTP while the server embeds papers: its p95 beside that of the same server before it had any.

A client calls `get_tasks` every 20 ms. `sanya papers import` brings 30,000 records in a process of its own; the server
indexes them and then embeds them. The ratio compares the idle server with the one that embeds, both without other
calls: searches cost more in 30,000 records than in the samples, so beside searches it would compare two corpora. What
another client sees that searches every 50 ms, before, during the import and while embedding, is printed as well.
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
        line = f"{phase:28} get_tasks p50 {p50:.1f} p95 {p95:.1f} max {max(self.tasks):.0f} ms, {len(self.tasks)} calls"
        if not self.searches:
            return line
        searches = [find_percentile(self.searches, 50), find_percentile(self.searches, 95), max(self.searches)]
        return f"{line}, rag.search p50 / p95 / max {' / '.join(f'{duration:.0f}' for duration in searches)} ms"


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
    _observe(port, _wait(1.0), is_searching=True)  # opens the library
    times = {"idle": _observe(port, _wait(IDLE_S))}
    times["idle beside searches"] = _observe(port, _wait(IDLE_S), is_searching=True)
    command = [sys.executable, "-m", "sanya.surfaces.cli.main", "papers", "import", "--home", str(home), str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as importing:
        times["import beside searches"] = _observe(port, lambda: importing.poll() is not None, is_searching=True)
        if importing.returncode:
            raise RuntimeError(f"the import ended with exit code {importing.returncode}")
    times["embedding"] = _observe(port, _wait(EMBEDDING_S))
    times["embedding beside searches"] = _observe(port, _wait(EMBEDDING_S), is_searching=True)
    return times


def _wait(seconds: float) -> Callable[[], bool]:
    end = monotonic() + seconds
    return lambda: monotonic() > end


def _observe(port: int, is_over: Callable[[], bool], *, is_searching: bool = False) -> CallTimes:
    times = CallTimes()

    def search() -> None:
        connection, number = HTTPConnection("127.0.0.1", port), 0
        while not is_over():
            number += 1
            arguments = {"query": f"treatment of hypertension in rats {number}", "top_k": 10}
            times.searches.append(_call(connection, "rag.search", arguments))
            sleep(_SEARCH_EVERY_S)

    searching = Thread(target=search)
    if is_searching:
        searching.start()
    connection = HTTPConnection("127.0.0.1", port)
    while not is_over():
        times.tasks.append(_call(connection, "get_tasks", {}))
        sleep(_TASKS_EVERY_S)
    if is_searching:
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
