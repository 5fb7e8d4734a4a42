"""The ingest's tools on a kernel of their own, over a small graph; and what reads the plain statements of the tests."""

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
from sanya.kernel.call import OWNER, Answered, Call, Caller, Refused
from sanya.kernel.cursors import Cursors
from sanya.kernel.database import Database, Row
from sanya.kernel.dispatch import Kernel, utc_now
from sanya.kernel.job_runs import JobRunner, Pace
from sanya.kernel.jobs import Jobs
from sanya.kernel.ledger import Ledger
from sanya.kernel.limits import LocalRateLimiter
from sanya.kernel.requests import RequestWindow
from sanya.kernel.suite import Suite
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph import Edge, EdgeType, Graph, Name, Node, Source
from sanya.suites.herbs.ingest.documents import DocumentReader, ReadDocument
from sanya.suites.herbs.ingest.proposals import Conflict, Diff, LinkedMention, Place
from sanya.suites.herbs.ingest.suite import ingest_resources, ingest_tools
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.ingest.working import KIND, IngestWork
from sanya.suites.herbs.store import HerbStore
from tests.kernel.conftest import MemoryStore
from tests.suites.herbs.garden import edge, node, plant

RUN, STATUS, CANCEL, ROLLBACK = (f"tool.ingest.{name}" for name in ("run", "status", "cancel", "rollback"))
QUICK = Pace(lease_s=2.0, beat_s=0.05, look_s=0.01)
TABLES = ("herb_nodes", "herb_edges", "herb_names", "herb_sources", "herb_documents")


def propose_plainly(document: ReadDocument, graph: Graph, batch: str) -> Diff:
    """Lines such as `turmeric treats flatulence`: a first word that is not known becomes a node. A line that says
    `heals` is a conflict, one that says `resembles` is left open."""
    source = f"doc:{document.digest[:12]}"
    if source in graph.sources:
        return Diff(document.digest)
    nodes: dict[str, Node] = {}
    names: list[Name] = []
    edges: list[Edge] = []
    conflicts: list[Conflict] = []
    unlinked: list[LinkedMention] = []
    lines = [line.split() for page in document.pages for line in page.text.splitlines() if line.strip()]
    for number, (one, verb, other) in enumerate(lines):
        place = Place(1, number, number + 1)
        if verb == "heals":
            conflicts.append(Conflict("says_otherwise", f"{one} {verb} {other}", place, other))
        elif verb == "resembles":
            unlinked.append(LinkedMention(one, place, "name", (), 0.5))
        else:
            if one not in graph.nodes and one not in nodes:
                nodes[one] = Node(one, "herb", None, one, "source", "unreviewed", sources=(source,), batch=batch)
                names.append(Name(one, "herb", one, "en", "main", batch))
            edges.append(_edge(f"{source}:{number}", one, verb, other, batch))  # type: ignore[arg-type]
    said = Source(source, "document", "A document", None, None, None, None, "unreviewed", None, batch)
    return Diff(
        digest=document.digest,
        sources=(said,),
        nodes=tuple(nodes.values()),
        names=tuple(names),
        edges=tuple(edges),
        conflicts=tuple(conflicts),
        unlinked=tuple(unlinked),
        linked=2 * len(edges),
    )


def _edge(id: str, one: str, verb: EdgeType, other: str, batch: str) -> Edge:
    source = id.rsplit(":", 1)[0]
    ends = (one, "herb", verb, other, "indication")
    data = {"page": 1, "span": [0, 10], "confidence": 0.9}
    return Edge(id, id, *ends, None, "source", "unreviewed", None, (source,), data, batch)  # type: ignore[arg-type]


@dataclass
class Room:
    kernel: Kernel
    jobs: Jobs
    runner: JobRunner
    database: Database
    folder: Path

    def document(self, name: str, text: str) -> dict[str, str]:
        """An item of a batch."""
        path = self.folder / name
        path.write_text(text, "utf-8")
        return {"uri": path.as_uri()}

    async def call(self, tool: str, caller: Caller = OWNER, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments, caller))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

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
        """As in a server: somebody does what is due."""
        task = asyncio.create_task(self.runner.attend())
        await asyncio.sleep(0)
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def graph_rows(database: Database) -> dict[str, list[Row]]:
    """Everything that the graph holds, to be compared."""
    return {table: sorted(await database.fetch(f"SELECT * FROM {table}"), key=str) for table in TABLES}


async def plant_small(database: Database) -> None:
    turmeric, ginger = node("turmeric"), node("ginger")
    flatulence, nausea = node("flatulence", "indication"), node("nausea", "indication")
    edges = [edge(ginger, "treats", nausea)]
    names = [Name(one.id, one.type, one.id, "en", "main") for one in (turmeric, ginger, flatulence, nausea)]
    await plant(database, [turmeric, ginger, flatulence, nausea], edges, names)


@asynccontextmanager
async def open_room(
    database: Database,
    folder: Path,
    reader: DocumentReader | None = None,
    jobs: Jobs | None = None,
    now: Callable[[], datetime] = utc_now,
) -> AsyncIterator[Room]:
    store, jobs = HerbStore(database), jobs or SqlJobs(database)
    work = IngestWork(store, reader or open_reader([folder]), propose_plainly)
    runner = JobRunner(jobs, lambda: EmbeddedQueue(jobs, now), {KIND: work.work}, QUICK, now)
    tools = IngestTools(store, runner, Cursors(b"a secret of the tests"))
    suite = Suite(
        name="herbs", title="Herbs", dialect=DIALECT, tools=ingest_tools(tools), resources=ingest_resources(tools)
    )
    ledger = Ledger(MemoryStore(), group_ms=1)
    kernel = Kernel([suite], ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow())
    ledger.start()
    try:
        yield Room(kernel, jobs, runner, database, folder)
    finally:
        await ledger.close()
