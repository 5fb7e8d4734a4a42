"""An interrupted run leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from redis import Redis

from tests.leftover_processes import RUN_VARIABLE, find_processes

ROOT = Path(__file__).resolve().parents[2]
# Starts a watcher, then a process in a session of its own, as a database server does, and waits to be killed.
# A shell starts its background jobs with SIGINT ignored, and children inherit that; so the run sets it back.
_RUN = """
import os, signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tests.leftover_processes import RUN_VARIABLE, start_watcher
watcher = start_watcher()
server = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
print(os.environ[RUN_VARIABLE], flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment in /proc")
def test_a_redis_server_carries_the_mark_of_its_run(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        assert int(client.info()["process_id"]) in find_processes(os.environ[RUN_VARIABLE])


def wait_for_count(mark: str, count: int) -> None:
    """Wait until as many processes carry the mark; a loaded machine takes a while to start and to end them."""
    deadline = time.monotonic() + 60
    while len(find_processes(mark)) != count:
        assert time.monotonic() < deadline, find_processes(mark)
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment in /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_killed_leaves_no_server_behind(end: signal.Signals) -> None:
    environment = {name: value for name, value in os.environ.items() if name != RUN_VARIABLE}
    run = subprocess.Popen(
        [sys.executable, "-c", _RUN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
        text=True,
    )
    with run:
        assert run.stdout is not None
        mark = run.stdout.readline().strip()
        wait_for_count(mark, 1)
        run.send_signal(end)
        run.wait(30)
    wait_for_count(mark, 0)
