"""Import of the snapshot of 403 funds, against a pandas script that builds the same tables.

Each round runs in a new process, and the two alternate. The result is the lowest CPU time of each, without the time to
import modules. Our importer also repairs, explains and merges records.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds

NAME = "funds_import"
GOAL = 5.0
ROUNDS = 12
SNAPSHOT = Path(__file__).parents[2] / "shared" / "data" / "funds" / "rmf-funds"


def run() -> Result:
    if not SNAPSHOT.is_dir():
        raise SystemExit("Fund snapshot not found in ../shared/data/funds/rmf-funds")
    rounds = [(_time_import(), _time_peer()) for _ in range(ROUNDS)]
    ours, peer = min(own_s for own_s, _ in rounds), min(peer_s for _, peer_s in rounds)
    # Compare rates, so that a higher ratio is better.
    return judge_ratio(NAME, 1 / ours, 1 / peer, (">=", GOAL))


def _time_import() -> float:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        return _run_module("benchmarks.funds_import", home)


def _time_peer() -> float:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        return _run_module("benchmarks.peers.funds_pandas", str(SNAPSHOT), f"{folder}/peer.db")


def _run_module(module: str, *arguments: str) -> float:
    """Run a module and return the number on its last line."""
    command = [sys.executable, "-m", module, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


async def main(home: str) -> None:
    async with sanya.open(home, log_level="warning") as app:
        started = time.process_time()
        await import_funds(app.database, read_funds(SNAPSHOT).funds)
        print(time.process_time() - started)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
