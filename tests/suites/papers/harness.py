"""The papers suite on a kernel of its own: real search engines, and vectors computed from the words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.cursors import Cursors
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding import Embedder
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.suites.papers import suite
from sanya.suites.papers.checkpoints import Checkpoints
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.indexing.paper_facts import PaperFacts
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.mesh.heading_search import HeadingSearch
from sanya.suites.papers.mesh.headings import Headings
from sanya.suites.papers.mesh.tools import MeshTools, build_mesh_tools
from sanya.suites.papers.pubmed.record import MeshHeading, PaperRecord, Section
from sanya.suites.papers.references.related_papers import RelatedPapers
from sanya.suites.papers.references.resolver import PaperResolver
from sanya.suites.papers.references.shared_references import SharedReferences
from sanya.suites.papers.references.tools import ReferenceTools, build_reference_tools
from sanya.suites.papers.search.paper_search import PaperSearch
from sanya.suites.papers.search.synonyms import Synonyms, load_concepts, merge_concepts
from sanya.suites.papers.starter import PaperStarter
from sanya.suites.papers.status.tools import StatusTools, build_status_tools
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.sync.tools import OpenSync, build_sync_tools
from sanya.suites.papers.sync.watches import Watches
from sanya.suites.papers.tools import PaperTools
from tests.kernel.conftest import InMemoryLedgerStore

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
AS_OF = "2026-01-31T00:00:00Z"


@dataclass
class PapersHarness:
    kernel: Kernel
    database: Database
    store: PaperStore
    index: PaperIndex

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def read_note(self, query: str, **arguments: Any) -> dict[str, Any]:
        """Return the note that a search leaves beside its answer."""
        outcome = await self.kernel.call(Call("rag.search", {"query": query, **arguments}))
        assert isinstance(outcome, Answered), outcome
        return outcome.notes["search"]

    async def search(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.call("rag.search", query=query, **arguments))["documents"]
        return found

    async def refusal(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Refused), outcome
        return outcome.error

    async def put(self, *records: PaperRecord) -> None:
        await self.index.prepare()
        async with self.database.transaction() as transaction:
            await self.store.upsert_pubmed_docs(records, transaction)
        await self.index.refresh()
        await self.index.embed_missing()

    async def delete(self, *pmids: str) -> None:
        await self.index.prepare()
        async with self.database.transaction() as transaction:
            await self.store.delete_pubmed_docs(pmids, transaction)
        await self.index.refresh()


def pmids(documents: Sequence[Mapping[str, Any]]) -> list[str]:
    return [document["pmid"] for document in documents]


def record(pmid: int | str, title: str, abstract: str | Mapping[str, str] = "", **more: Any) -> PaperRecord:
    """Return a record with the fields that search needs; `abstract` is a text, or sections by label."""
    parts = {None: abstract} if isinstance(abstract, str) else abstract
    mesh = tuple(
        name if isinstance(name, MeshHeading) else MeshHeading(name, None, major=False) for name in more.pop("mesh", ())
    )
    sections = tuple(Section(label, None, text) for label, text in parts.items() if text)
    return PaperRecord(
        pmid=str(pmid), title=title, sections=sections, mesh=mesh, **{"pdat": "2024-05-11", "edat": AS_OF, **more}
    )


def _build_more_tools(tools: PaperTools, index: PaperIndex) -> tuple[Tool, ...]:
    database = tools.store.database
    facts, headings = PaperFacts(database), Headings(database)
    related = RelatedPapers(tools.store, tools.search, facts, SharedReferences(database))
    references = ReferenceTools(tools, PaperResolver(tools.store, tools.search), related)
    synonyms = Synonyms(merge_concepts(load_concepts(), ()))
    mesh = MeshTools(tools, facts, headings, HeadingSearch(headings, lambda: synonyms))
    status = StatusTools(tools, index, Watches(tools.store.database), Cursors(b"secret"))
    return *build_reference_tools(references), *build_mesh_tools(mesh), *build_status_tools(status)


@asynccontextmanager
async def open_harness(
    database: Database,
    home: Path,
    reader: TermReader,
    embedders: Mapping[str, Embedder],
    syncing: OpenSync | None = None,
) -> AsyncIterator[PapersHarness]:
    async with open_embedded(database, home / "index", reader.read_document) as index:
        library = Library(index, reader, embedders)

        async def open_library() -> Library:
            return library

        paper_index = PaperIndex(open_library, database)
        store = PaperStore(database, paper_index)
        checkpoints = Checkpoints(database, paper_index)
        search = PaperSearch(paper_index, lambda: Synonyms(merge_concepts(load_concepts(), ())))
        tools = PaperTools(store, Corpus(database), search, checkpoints, PaperStarter(database, store, checkpoints))
        more = (*_build_more_tools(tools, paper_index), *(build_sync_tools(syncing) if syncing else ()))
        ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
        kernel = Kernel(
            [suite.build(tools, more)],
            ledger=ledger,
            limiter=LocalRateLimiter(),
            window=RequestWindow(),
            clock=lambda: NOW,
        )
        ledger.start()
        try:
            yield PapersHarness(kernel, database, store, paper_index)
        finally:
            await ledger.close()
