"""Import and sync of papers on real engines.

Every statement and request counts as a step, and a test can break off the work at any of them.

Run as a program it syncs once and prints a line before every step, for tests that kill it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.storage.database import Database, Row, Statement, Transaction, Value
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.sources.entrez import EntrezIdentity, open_entrez
from sanya.sources.pacing import LocalBudget
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.sync import query_sync as sync_module
from sanya.suites.papers.sync.entrez import Entrez, PmidListing
from sanya.suites.papers.sync.query_sync import PubMedSync, SyncQuery
from sanya.suites.papers.sync.watermarks import Watermarks
from sanya.text.segmentation import Segmenter
from tests.sources.test_entrez import FastClock

ROOT = Path(__file__).parents[3]
NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
READER = TermReader(Segmenter(), Lexicon({}, {}))
Step = Callable[[str], None]

TABLES = {
    "paper_versions": "pmid, version",
    "paper_watermarks": "query_key",
    "paper_watermark_changes": "query_key, number",
    "paper_imports": "digest",
    "retrieval_documents": "namespace, partition_name, position",
    "retrieval_commits": "namespace, partition_name, seq",
    "retrieval_counters": "name",
    "retrieval_late_vectors": "namespace, partition_name, position",
    "revisions": "suite",
}


class Crash(Exception):
    """The process ends here."""


def no_step(_: str) -> None:
    """Nothing happens."""


@dataclass
class CrashAt:
    """Crashes at the step of this number."""

    number: int
    taken: int = 0

    def __call__(self, name: str) -> None:
        self.taken += 1
        if self.taken == self.number:
            raise Crash(name)


class SteppedTransaction:
    def __init__(self, inner: Transaction, step: Step) -> None:
        self._inner = inner
        self._step = step

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        self._step(sql)
        return await self._inner.fetch(sql, params)

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        self._step(sql)
        return await self._inner.execute(sql, params)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        self._step(sql)
        await self._inner.execute_many(sql, rows)

    async def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        self._step("several")
        return await self._inner.run_all(statements)

    def on_commit(self, act: Callable[[], None]) -> None:
        self._inner.on_commit(act)


class SteppedDatabase:
    def __init__(self, inner: Database, step: Step) -> None:
        self.dialect = inner.dialect
        self._inner = inner
        self._step = step

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        return await self._inner.fetch(sql, params, touches=touches)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        async with self._inner.transaction() as transaction:
            yield SteppedTransaction(transaction, self._step)
            self._step("before commit")
        self._step("after commit")


class SteppedEntrez:
    def __init__(self, inner: Entrez, step: Step) -> None:
        self._inner = inner
        self._step = step

    async def esearch(self, *arguments: str) -> PmidListing:
        self._step("esearch")
        return await self._inner.esearch(*arguments)

    async def efetch(self, pmids: Sequence[str]) -> list[PaperRecord]:
        self._step("efetch")
        return await self._inner.efetch(pmids)


@dataclass
class IngestHarness:
    database: Database
    store: PaperStore
    library: Library
    sync: PubMedSync

    async def dump(self) -> dict[str, list[Row]]:
        return await dump(self.database)


async def dump(database: Database) -> dict[str, list[Row]]:
    """Return all rows that the suite and its search index store."""
    found = {}
    for table, order in TABLES.items():
        found[table] = await database.fetch(f"SELECT * FROM {table} ORDER BY {order}")
    return found


@asynccontextmanager
async def open_ingest_harness(
    database: Database, home: Path, eutils_url: str = "", step: Step = no_step
) -> AsyncIterator[IngestHarness]:
    time = FastClock()
    async with (
        open_embedded(database, home / "index", READER.read_document) as index,
        open_entrez(
            eutils_url or "http://127.0.0.1:9", EntrezIdentity(), LocalBudget(3, time.clock), clock=time.clock
        ) as entrez,
    ):
        library = Library(index, READER, {})

        async def open_library() -> Library:
            return library

        paper_index = PaperIndex(open_library, database)
        await paper_index.prepare()
        stepped = SteppedDatabase(database, step)
        store = PaperStore(stepped, paper_index)
        outside: Any = SteppedEntrez(entrez, step)
        yield IngestHarness(database, store, library, PubMedSync(store, Watermarks(stepped), outside))


async def start_sync(url: str, home: Path, eutils_url: str, batch: int) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.suites.papers.ingest_harness",
        url,
        str(home),
        eutils_url,
        str(batch),
        stdout=PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def _sync_once(url: str, home: Path, eutils_url: str, batch: int) -> None:
    sync_module.BATCH = batch
    async with (
        open_database(url, home) as database,
        open_ingest_harness(database, home, eutils_url, lambda name: print(name.split()[0], flush=True)) as harness,
    ):
        await harness.sync.sync_all(SyncQuery("key", "sample", NOW))
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(_sync_once(sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
