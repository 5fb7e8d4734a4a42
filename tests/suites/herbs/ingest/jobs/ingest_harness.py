"""The ingest tools on a kernel of their own, with a small graph."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sanya.engines.job_queue import EmbeddedQueue
from sanya.engines.jobs import SqlJobs
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.clock import read_clock
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.cursors import Cursors
from sanya.kernel.jobs.job import Jobs
from sanya.kernel.jobs.runner import JobRunner, JobTimings
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database, Row
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.model import HerbName
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.ingest.documents import DocumentReader
from sanya.suites.herbs.ingest.suite import define_ingest_resources, define_ingest_tools
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.ingest.worker import KIND, IngestWorker
from tests.kernel.conftest import InMemoryLedgerStore
from tests.suites.herbs.graph_harness import edge, insert_graph, node

RUN, STATUS, CANCEL, ROLLBACK = (f"tool.ingest.{name}" for name in ("run", "status", "cancel", "rollback"))
QUICK = JobTimings(lease_s=2.0, beat_s=0.05, look_s=0.01)
TEXT = (
    "Turmeric is used to treat flatulence. Mitragyna speciosa Korth. is used to treat nausea.\n"
    "Ginger is safe with warfarin. Bitter moss is used to treat nausea.\n"
)
MORE = "Mitragyna speciosa Korth. is used to treat flatulence.\n"
TABLES = ("herb_nodes", "herb_edges", "herb_names", "herb_sources", "herb_documents")


@dataclass
class IngestHarness:
    kernel: Kernel
    jobs: Jobs
    runner: JobRunner
    database: Database
    folder: Path

    def document(self, name: str, text: str) -> dict[str, str]:
        """Return a batch item for the document."""
        path = self.folder / name
        path.write_text(text, "utf-8")
        return {"uri": path.as_uri()}

    async def call(self, tool: str, caller: Caller = OWNER, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments, caller))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def job(self, tool: str, caller: Caller = OWNER, **arguments: Any) -> dict[str, Any]:
        """Return the job of an answer."""
        job: dict[str, Any] = (await self.call(tool, caller, **arguments))["job"]
        return job

    async def refusal(self, tool: str, caller: Caller = OWNER, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments, caller))
        assert isinstance(outcome, Refused), outcome
        return outcome.error

    async def log(self, job_id: str) -> str:
        outcome = await self.kernel.read(Call(f"job://{job_id}/log", {}))
        assert isinstance(outcome, Answered), outcome
        return str(outcome.body["text"])

    async def graph(self) -> dict[str, list[Row]]:
        return await graph_rows(self.database)

    @asynccontextmanager
    async def attended(self) -> AsyncIterator[None]:
        """Run a background worker, as a server does."""
        task = asyncio.create_task(self.runner.serve_queue())
        await asyncio.sleep(0)
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def graph_rows(database: Database) -> dict[str, list[Row]]:
    """Read all rows of the graph, for comparison."""
    return {table: sorted(await database.fetch(f"SELECT * FROM {table}"), key=str) for table in TABLES}


async def insert_small_graph(database: Database) -> None:
    """Insert two herbs, two more that share a name, two uses, and a warning."""
    turmeric, ginger, moss, other_moss = node("turmeric"), node("ginger"), node("moss-a"), node("moss-b")
    flatulence, nausea, warfarin = (
        node("flatulence", "indication"),
        node("nausea", "indication"),
        node("warfarin", "drug"),
    )
    edges = [edge(ginger, "treats", nausea), edge(ginger, "interacts_with", warfarin, strength="high")]
    known = (turmeric, ginger, flatulence, nausea, warfarin)
    names = [HerbName(item.id, item.type, item.id, "en", "main") for item in known]
    names += [HerbName(item.id, item.type, "bitter moss", "en", "main") for item in (moss, other_moss)]
    await insert_graph(database, [*known, moss, other_moss], edges, names)


@asynccontextmanager
async def open_ingest_harness(
    database: Database,
    folder: Path,
    reader: DocumentReader | None = None,
    jobs: Jobs | None = None,
    now: Callable[[], datetime] = read_clock,
) -> AsyncIterator[IngestHarness]:
    store, jobs = HerbStore(database), jobs or SqlJobs(database)
    work = IngestWorker(store, reader or open_reader([folder]))
    runner = JobRunner(jobs, lambda: EmbeddedQueue(jobs, now), {KIND: work.run}, QUICK, now)
    tools = IngestTools(store, runner, Cursors(b"a secret of the tests"))
    suite = Suite(
        name="herbs",
        title="Herbs",
        dialect=DIALECT,
        tools=define_ingest_tools(tools),
        resources=define_ingest_resources(tools),
    )
    ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
    kernel = Kernel([suite], ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow())
    ledger.start()
    try:
        yield IngestHarness(kernel, jobs, runner, database, folder)
    finally:
        await ledger.close()
