"""Ends what a test run started, however the run ends.

A test starts servers (PostgreSQL, Redis, our own) that put themselves into sessions of their own. When the run is
interrupted or killed, no fixture gets to stop them. So the first process of a run marks its environment, which every
process below it inherits, and starts a watcher outside its own session. The watcher reads from a pipe that only the run
holds open. When the run ends, by whatever means, the pipe closes, and the watcher kills every process with the mark.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

RUN_VARIABLE = "SANYA_TEST_RUN"


def start_watcher() -> subprocess.Popen[bytes] | None:
    """Mark this process as the first of a run and start its watcher. Return None where the run has one already."""
    if RUN_VARIABLE in os.environ or not Path("/proc/self/environ").exists():
        return None
    run = uuid.uuid4().hex
    # The watcher must not carry the mark that it looks for.
    watcher = subprocess.Popen(
        [sys.executable, __file__, run], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
    )
    os.environ[RUN_VARIABLE] = run
    return watcher


def find_processes(run: str) -> list[int]:
    """Return the ids of all processes whose environment carries the mark of this run."""
    mark = f"{RUN_VARIABLE}={run}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            # A process may end, or belong to somebody else, while its environment is read.
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def kill_processes(run: str) -> None:
    """Kill all processes of a run. Repeat, since a process may fork while the others are killed."""
    for _ in range(10):
        processes = find_processes(run)
        if not processes:
            return
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def main(run: str) -> None:
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    sys.stdin.buffer.read()
    kill_processes(run)


if __name__ == "__main__":
    main(sys.argv[1])
