"""Importing the snapshot of 403 funds, against a pandas script that builds the same tables: CPU time, imports apart,
each in a fresh process, by turns, the quietest of many rounds each. Ours repairs, explains and merges besides."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sanya
from benchmarks.result import Result, judged
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds

NAME = "funds_import"
GOAL = 5.0
ROUNDS = 12
SNAPSHOT = Path(__file__).parents[2] / "shared" / "data" / "funds" / "rmf-funds"


def run() -> Result:
    if not SNAPSHOT.is_dir():
        raise SystemExit("the snapshot of funds is not here: ../shared/data/funds/rmf-funds")
    rounds = [(_ours(), _peer()) for _ in range(ROUNDS)]
    ours, peer = min(own_s for own_s, _ in rounds), min(peer_s for _, peer_s in rounds)
    # Rates, so that the ratio says how much faster ours is.
    return judged(NAME, 1 / ours, 1 / peer, (">=", GOAL))


def _ours() -> float:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        return _seconds("benchmarks.funds_import", home)


def _peer() -> float:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        return _seconds("benchmarks.peers.funds_pandas", str(SNAPSHOT), f"{folder}/peer.db")


def _seconds(module: str, *arguments: str) -> float:
    """What the module prints at its end."""
    command = [sys.executable, "-m", module, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


async def main(home: str) -> None:
    async with sanya.open(home, log_level="warning") as app:
        started = time.process_time()
        await import_funds(app.database, read_funds(SNAPSHOT).funds)
        print(time.process_time() - started)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
