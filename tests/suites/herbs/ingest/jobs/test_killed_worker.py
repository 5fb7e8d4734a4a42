"""`kill -9` in any stage leaves the graph as before or as after a document, never between; the job then completes."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.clock import read_clock
from sanya.kernel.storage.database import Database
from tests.suites.herbs.ingest.jobs.ingest_harness import (
    MORE,
    ROLLBACK,
    RUN,
    STATUS,
    TEXT,
    IngestHarness,
    insert_small_graph,
    open_ingest_harness,
)
from tests.suites.herbs.ingest.jobs.killed_worker import STAGES

TEXTS = (TEXT, MORE)
PATIENCE_S = 60.0
# What the graph holds after none, one and both of the documents: rows of nodes, edges, names, sources, documents.
SIZES = ([7, 2, 7, 0, 0], [10, 8, 8, 1, 1], [11, 11, 8, 2, 2])
AFTER_KILL = {"reading": 1, "read": 1, "part": 1, "rows": 1, "committed": 2, "ending": 2}


def later() -> datetime:
    """Return a time at which the claim of the killed worker has expired."""
    return read_clock() + timedelta(minutes=5)


async def kill_at(stage: str, home: Path, url: str, folder: Path, *job: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "tests.suites.herbs.ingest.jobs.killed_worker",
            str(home),
            url,
            str(folder),
            stage,
            *job,
        ),
        cwd=Path(__file__).parents[5],
    )
    assert await asyncio.wait_for(process.wait(), PATIENCE_S) == -signal.SIGKILL


async def sizes(database: Database) -> list[int]:
    tables = ("herb_nodes", "herb_edges", "herb_names", "herb_sources", "herb_documents")
    return [len(await database.fetch(f"SELECT 1 FROM {table}")) for table in tables]


async def finished(harness: IngestHarness, job_id: str) -> None:
    async with harness.attended():
        status = await harness.call(STATUS, job_id=job_id, wait_s=30)
    assert (status["job"]["status"], status["job"]["attempts"]) == ("done", 2)


@pytest.mark.parametrize("stage", STAGES)
async def test_a_killed_ingest_is_whole_documents_and_goes_on(
    stage: str, home: Path, database_url: str, folder: Path
) -> None:
    if database_url and stage not in ("rows", "committed"):
        pytest.skip("two stages show that the transactions are PostgreSQL's own; the others run the same code")
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.txt").write_text(text, "utf-8")
    async with open_database(database_url, home) as database:
        await insert_small_graph(database)
    await kill_at(stage, home, database_url, folder)
    async with open_database(database_url, home) as database:
        assert await sizes(database) == SIZES[AFTER_KILL[stage]]
        async with open_ingest_harness(database, folder, now=later) as harness:
            (job,) = await harness.jobs.list()
            await finished(harness, job.id)
            assert await sizes(database) == SIZES[2]
            assert "resumed, attempt 2" in await harness.log(job.id)


async def test_a_killed_rollback_took_nothing(home: Path, folder: Path) -> None:
    async with open_database("", home) as database:
        await insert_small_graph(database)
        async with open_ingest_harness(database, folder) as harness:
            batch = [harness.document(f"{number}.txt", text) for number, text in enumerate(TEXTS)]
            job_id = (await harness.job(RUN, batch=batch, dry_run=False))["job_id"]
    await kill_at("removed", home, "", folder, job_id)
    async with open_database("", home) as database, open_ingest_harness(database, folder) as harness:
        assert await sizes(database) == SIZES[2]
        await harness.job(ROLLBACK, job_id=job_id)
        assert await sizes(database) == SIZES[0]
