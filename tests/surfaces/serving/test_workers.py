"""`sanya serve --workers 2` behaves like one server, on SQLite and on PostgreSQL, and outlives its workers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

import sanya
from sanya.kernel.calls.limits import BURST_SECONDS
from sanya.kernel.ledger.verification import verify_ledger
from tests.surfaces.cli.conftest import PROGRAM

WAIT_S = 120.0
WRITE = "corpus.checkpoint.create"
CALL = re.compile(r'^sanya_calls_total\{.*worker="(\d)"\} (\d+)$', re.M)


@dataclass
class Server:
    """A server with two workers. `start` starts it, and starts it again after it ended."""

    home: Path
    database_url: str
    flags: tuple[str, ...] = ()
    url: str = ""
    key: str = ""
    process: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        environ = {
            **os.environ,
            "SANYA_DATABASE_URL": self.database_url,
            "SANYA_LOG_FORMAT": "json",
            "SANYA_GRPC": "off",
        }
        command = [str(PROGRAM), "--home", str(self.home), "serve", "--workers", "2", "--port", "0", *self.flags]
        with (self.home / "log").open("wb") as log:
            self.process = subprocess.Popen(command, env=environ, stderr=log)

    def wait_until_ready(self) -> None:
        until = time.monotonic() + WAIT_S
        url = ""
        while not url:
            assert self.process.poll() is None and time.monotonic() < until, self.log()
            lines = [json.loads(line) for line in self.log().splitlines(keepends=True) if line.endswith("\n")]
            url = next((line["url"] for line in lines if "url" in line), "")
            time.sleep(0.05)
        self.url = url

    def log(self) -> str:
        return (self.home / "log").read_text("utf-8")

    def call(self, tool: str, key: str = "", request_id: str | None = None, **arguments: Any) -> httpx.Response:
        """Make a call on a connection of its own, which any worker may accept."""
        headers = {"authorization": f"Bearer {key or self.key}"}
        content = {"args": arguments, **({"request_id": request_id} if request_id else {})}
        return httpx.post(f"{self.url}/tools/{tool}", json=content, headers=headers, timeout=WAIT_S)

    def make_key(self, name: str, scope: str, calls_per_minute: int = 0) -> str:
        async def make() -> str:
            async with sanya.open(self.home, database_url=self.database_url) as app:
                return await app.keys.create(name, [scope], calls_per_minute=calls_per_minute)

        return asyncio.run(make())

    def count_calls(self) -> dict[str, int]:
        """Return the number of calls that each worker served."""
        counts: dict[str, int] = {}
        page = httpx.get(f"{self.url}/metrics", headers={"authorization": f"Bearer {self.key}"}, timeout=WAIT_S)
        for worker, count in CALL.findall(page.text):
            counts[worker] = counts.get(worker, 0) + int(count)
        return counts

    def call_until_both_served(self) -> dict[str, int]:
        until = time.monotonic() + WAIT_S
        while len(counts := self.count_calls()) < 2:
            assert time.monotonic() < until, counts
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: self.call("get_projects"), range(16)))
            assert {answer.status_code for answer in answers} == {200}
        return counts

    def find_workers(self) -> dict[int, int]:
        """Return the process ids of the workers, by the descriptor of their channel, oldest first."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().decode().split("\0")
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if parent == self.process.pid and "sanya.surfaces.serving.worker" in command:
                found[int(command[command.index("sanya.surfaces.serving.worker") + 1])] = int(folder.name)
        return found

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(WAIT_S)


@contextmanager
def serving(folder: Path, database_url: str = "", *flags: str) -> Iterator[Server]:
    home = folder / "home"
    home.mkdir()
    server = Server(home, database_url, flags)
    server.start()
    try:
        server.wait_until_ready()
        server.key = server.make_key("all", "*")
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


async def _verify(home: Path, database_url: str) -> tuple[str | None, set[str]]:
    async with sanya.open(home, database_url=database_url) as app:
        verdict = await verify_ledger(app.ledger_store)
        return verdict.problem and str(verdict.problem), {chain.chain for chain in verdict.chains}


def check_ledger(server: Server) -> None:
    """Check that both workers wrote one chain, and that it holds."""
    problem, chains = asyncio.run(_verify(server.home, server.database_url))
    assert problem is None
    assert chains == {"main"}


def race(server: Server, request_id: str, name: str) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: server.call(WRITE, request_id=request_id, name=name), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    return [answer.json() for answer in answers]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("workers")) as running:
        yield running


def test_both_workers_serve_and_count_apart(server: Server) -> None:
    before = server.call_until_both_served()
    assert before.keys() == {"0", "1"}
    server.call("get_projects")
    assert sum(server.count_calls().values()) == sum(before.values()) + 1, "whichever worker shows the page"


def test_a_request_id_runs_once(server: Server) -> None:
    server.call_until_both_served()
    answers = race(server, "raced", "raced")
    assert sum(not answer["meta"]["replayed"] for answer in answers) == 1
    assert len({answer["data"]["checkpoint_id"] for answer in answers}) == 1
    assert server.call(WRITE, request_id="raced", name="other").status_code == 400


def test_a_rate_limit_is_shared(server: Server) -> None:
    key = server.make_key("limited", "tasks:read", calls_per_minute=60)
    began = time.monotonic()
    statuses = [server.call("get_projects", key).status_code for _ in range(30)]
    assert set(statuses) == {200, 429}
    assert BURST_SECONDS <= statuses.count(200) <= BURST_SECONDS + (time.monotonic() - began) + 1


def test_a_killed_worker_loses_no_acknowledged_write_and_is_replaced(server: Server) -> None:
    server.call_until_both_served()
    victim = server.find_workers()[max(server.find_workers())]

    def write(number: int) -> str:
        if number == 10:
            os.kill(victim, signal.SIGKILL)
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            try:
                answer = server.call(WRITE, request_id=f"killed-{number}", name=f"killed {number}")
            except httpx.TransportError:
                continue
            assert answer.status_code == 200, answer.text
            return str(answer.json()["data"]["checkpoint_id"])
        raise AssertionError(f"write {number} was never answered")

    with ThreadPoolExecutor(4) as pool:
        acknowledged = list(pool.map(write, range(30)))
    assert len(set(acknowledged)) == 30
    until = time.monotonic() + WAIT_S
    while len(server.find_workers()) < 2:
        assert time.monotonic() < until, server.log()
        time.sleep(0.05)
    assert "worker 1 ended (signal 9)" in server.log()
    server.call_until_both_served()


def test_it_stops_cleanly(server: Server) -> None:
    """Runs last in this module, because it stops the server."""
    assert server.stop() == 0, server.log()
    assert not server.find_workers()
    assert "Traceback" not in server.log()
    check_ledger(server)


def test_on_postgresql_too(postgresql_url: str, tmp_path: Path) -> None:
    with serving(tmp_path, postgresql_url, "--pin-workers") as server:
        cores = [os.sched_getaffinity(pid) for pid in server.find_workers().values()]
        assert [len(allowed) for allowed in cores] == [1, 1]
        assert len(set.union(*cores)) == min(2, len(os.sched_getaffinity(0)))
        server.call_until_both_served()
        answers = race(server, "raced", "raced")
        assert sum(not answer["meta"]["replayed"] for answer in answers) == 1
        assert server.stop() == 0, server.log()
        check_ledger(server)


def test_a_killed_supervisor_loses_no_acknowledged_write(tmp_path: Path) -> None:
    """Its workers end with it. Clients repeat their writes under the same request ids on the server started next."""
    with serving(tmp_path) as server:
        workers = server.find_workers().values()
        is_serving = threading.Event()
        is_serving.set()

        def restart() -> None:
            is_serving.clear()
            server.process.kill()
            server.process.wait(WAIT_S)
            wait_until_ended(server, workers)
            server.start()
            server.wait_until_ready()
            is_serving.set()

        def send(number: int) -> httpx.Response:
            return server.call(WRITE, request_id=f"retry-{number}", name=f"retried {number}")

        def write(number: int) -> dict[str, Any]:
            if number == 20:
                restart()
            until = time.monotonic() + WAIT_S
            while time.monotonic() < until:
                try:
                    answer = send(number)
                except httpx.TransportError:
                    assert is_serving.wait(WAIT_S)
                    continue
                assert answer.status_code == 200, answer.text
                return dict(answer.json())
            raise AssertionError(f"write {number} was never answered")

        with ThreadPoolExecutor(4) as pool:
            acknowledged = list(pool.map(write, range(40)))
        again = [
            server.call(WRITE, request_id=f"retry-{number}", name=f"retried {number}").json() for number in (0, 39)
        ]
        for first, later in zip((acknowledged[0], acknowledged[39]), again, strict=True):
            assert later["meta"]["replayed"]
            assert (later["data"], later["meta"]["call_id"]) == (first["data"], first["meta"]["call_id"])
        assert server.stop() == 0, server.log()
        check_ledger(server)
        assert asyncio.run(_count_checkpoints(server.home)) == [1] * 40


def wait_until_ended(server: Server, workers: Iterable[int]) -> None:
    until = time.monotonic() + WAIT_S
    while any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers):
        assert time.monotonic() < until, server.log()
        time.sleep(0.05)


async def _count_checkpoints(home: Path) -> list[int]:
    """Return how often each of the retried writes was made."""
    sql = "SELECT count(*) FROM paper_checkpoints WHERE name LIKE 'retried %' GROUP BY name"
    async with sanya.open(home) as app:
        return [int(str(count)) for (count,) in await app.database.fetch(sql)]


def test_settings_that_no_worker_can_serve_are_explained_once(tmp_path: Path) -> None:
    command = [str(PROGRAM), "--home", str(tmp_path), "serve", "--workers", "2", "--port", "0", "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert done.returncode == 1
    assert done.stderr.count("no authentication is set up") == 1
    several = [str(PROGRAM), "--home", str(tmp_path), "serve", "--workers", "0"]
    refused = subprocess.run(several, capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert refused.returncode == 1
    assert "workers takes a number of processes from 1 to 99, or auto, got '0'" in refused.stderr
