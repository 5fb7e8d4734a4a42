"""Ingests two documents, or rolls an ingest back, and kills itself with `kill -9` at a named stage."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sanya.engines.database import open_database
from sanya.engines.jobs import SqlJobs
from sanya.kernel.jobs.job import Job, Part
from sanya.kernel.storage.database import Transaction
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest import staging
from sanya.suites.herbs.ingest.documents import PageProgress, ReadDocument, ReadRequest
from tests.suites.herbs.ingest.jobs.ingest_harness import ROLLBACK, RUN, open_ingest_harness

STAGES = ("reading", "read", "part", "rows", "committed", "ending")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Fatal:
    """Kills the process when the stage is reached for the second document."""

    def __init__(self, stage: str) -> None:
        self._stage = stage
        self._times = 0

    def reached(self, stage: str) -> None:
        if stage == self._stage:
            self._times += 1
            if self._times == 2 or stage in ("ending", "removed"):
                die()


class FatalReader:
    def __init__(self, fatal: Fatal, folder: Path) -> None:
        self._fatal = fatal
        self._reader = open_reader([folder])

    async def read(self, request: ReadRequest, read: PageProgress) -> ReadDocument:
        def told(done: int, total: int) -> None:
            read(done, total)
            self._fatal.reached("reading")

        document = await self._reader.read(request, told)
        self._fatal.reached("read")
        return document


class FatalJobs(SqlJobs):
    fatal: Fatal

    async def finish_part(self, transaction: Transaction, job: Job, part: Part) -> None:
        await super().finish_part(transaction, job, part)
        self.fatal.reached("part")

    async def write_log(self, job_id: str, lines: Any, now: Any) -> None:
        if any("written" in line for line in lines):
            self.fatal.reached("committed")
        if lines[0] == "done":
            self.fatal.reached("ending")
        await super().write_log(job_id, lines, now)


def fatal_after(act: Callable[..., Awaitable[Any]], fatal: Fatal, stage: str) -> Callable[..., Awaitable[Any]]:
    async def acted(*given: Any) -> Any:
        done = await act(*given)
        fatal.reached(stage)
        return done

    return acted


async def main(home: str, url: str, folder: str, stage: str, *job: str) -> None:
    fatal = Fatal(stage)
    staging.write_rows = fatal_after(staging.write_rows, fatal, "rows")  # type: ignore[assignment]
    staging.remove_batch = fatal_after(staging.remove_batch, fatal, "removed")  # type: ignore[assignment]
    async with open_database(url, Path(home)) as database:
        jobs = FatalJobs(database)
        jobs.fatal = fatal
        async with open_ingest_harness(database, Path(folder), FatalReader(fatal, Path(folder)), jobs) as harness:
            if job:
                await harness.job(ROLLBACK, job_id=job[0])
            else:
                batch = [{"uri": path.as_uri()} for path in sorted(Path(folder).iterdir())]
                await harness.job(RUN, batch=batch, dry_run=False)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
