"""Two `sanya serve` processes on one PostgreSQL and one Redis, each with its own home, behind a proxy."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

import sanya
from sanya.app import App
from sanya.surfaces.http.listener import bind
from tests.replicas.proxy import SERVED_BY, RoundRobin
from tests.surfaces.cli.conftest import PROGRAM

HOST = "sanya.example"
WAIT_S = 120.0

T = TypeVar("T")


@dataclass
class Replica:
    """A server process."""

    name: str
    home: Path
    environ: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    grpc_port: int = 0

    def start(self) -> None:
        self.home.mkdir(exist_ok=True)
        environ = {**os.environ, **self.environ, "SANYA_HOME": str(self.home), "SANYA_REPLICA": self.name}
        with (self.home / "log").open("wb") as log:
            self.process = subprocess.Popen([str(PROGRAM), "serve"], env=environ, stderr=log)

    def wait_for_port(self) -> int:
        """Wait until the server is ready and return its port."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            assert self.process is not None and self.process.poll() is None, self.log()
            for line in self.log().splitlines(keepends=True):
                if line.endswith("\n") and "url" in (record := json.loads(line)):
                    return int(httpx.URL(record["url"]).port or 0)
            time.sleep(0.05)
        raise AssertionError(f"{self.name} is not ready: {self.log()}")

    def log(self) -> str:
        return (self.home / "log").read_text("utf-8")

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(WAIT_S)


@dataclass
class ReplicaPair:
    """Both replicas and a client of their proxy. `served_by` records which replica answered each request."""

    database_url: str
    redis_url: str
    folder: Path
    documents: Path
    replicas: list[Replica]
    proxy: RoundRobin
    client: httpx.Client
    served_by: list[str] = field(default_factory=list)

    def post(self, path: str, content: Any, key: str, **headers: str) -> httpx.Response:
        answer = self.client.post(path, json=content, headers={"authorization": f"Bearer {key}", **headers})
        self.served_by.append(answer.headers.get(SERVED_BY, ""))
        return answer

    def get(self, path: str, key: str) -> httpx.Response:
        answer = self.client.get(path, headers={"authorization": f"Bearer {key}"})
        self.served_by.append(answer.headers.get(SERVED_BY, ""))
        return answer

    def call(self, tool: str, key: str, request_id: str | None = None, **arguments: Any) -> dict[str, Any]:
        """Make a call that must succeed and return its envelope."""
        content = {"args": arguments, **({"request_id": request_id} if request_id else {})}
        answer = self.post(f"/tools/{tool}", content, key)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def run_in_home(self, work: Callable[[App], Coroutine[Any, Any, T]]) -> T:
        """Run work on the shared database and Redis from a third home."""

        async def opened() -> T:
            home = self.folder / "beside"
            async with sanya.open(home, database_url=self.database_url, redis_url=self.redis_url) as app:
                return await work(app)

        return asyncio.run(opened())

    def start(self) -> None:
        """Start the replicas that are not running."""
        for replica in self.replicas:
            if replica.process is None or replica.process.poll() is not None:
                replica.start()
        self.proxy.ports = [replica.wait_for_port() for replica in self.replicas]


@contextmanager
def running_pair(database_url: str, redis_url: str, folder: Path, *, with_grpc: bool = False) -> Iterator[ReplicaPair]:
    documents = folder / "documents"
    documents.mkdir()
    environ = {
        "SANYA_DATABASE_URL": database_url,
        "SANYA_REDIS_URL": redis_url,
        "SANYA_PORT": "0",
        "SANYA_GRPC": "off",
        "SANYA_ALLOWED_HOSTS": HOST,
        "SANYA_INGEST_ROOTS": str(documents),
        "SANYA_LOG_FORMAT": "json",
    }
    replicas = [Replica(name, folder / name, environ) for name in ("east", "west")]
    if with_grpc:
        for replica in replicas:
            replica.grpc_port = _find_free_port()
            replica.environ = {**environ, "SANYA_GRPC": "on", "SANYA_GRPC_PORT": str(replica.grpc_port)}
    with RoundRobin([]) as proxy, httpx.Client(base_url=proxy.url, headers={"host": HOST}, timeout=WAIT_S) as client:
        pair = ReplicaPair(database_url, redis_url, folder, documents, replicas, proxy, client)
        try:
            pair.start()
            yield pair
        finally:
            for replica in replicas:
                if replica.process is not None and replica.process.poll() is None:
                    replica.stop()


def _find_free_port() -> int:
    with bind("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])
