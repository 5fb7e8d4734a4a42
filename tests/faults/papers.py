"""Write paths of papers, with a sync whose connection to PubMed can fail."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as File
from typing import Any

from sanya.assembly.home_resources import HomeResources
from sanya.kernel.contracts.suite import Suite
from sanya.sources.entrez import EntrezIdentity, open_entrez
from sanya.sources.pacing import LocalBudget
from sanya.suites.papers import suite
from sanya.suites.papers.checkpoints import Checkpoints
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.file_import import import_file
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.search.paper_search import PaperSearch
from sanya.suites.papers.search.synonyms import Synonyms, load_concepts
from sanya.suites.papers.starter import PaperStarter
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.sync.query_sync import PubMedSync
from sanya.suites.papers.sync.tools import build_sync_tools
from sanya.suites.papers.sync.watermarks import Watermarks
from sanya.suites.papers.tools import PaperTools
from tests.faults.house import NOW, House, replace_port
from tests.faults.trials import Path
from tests.faults.twin import Steps
from tests.sources.eutils import article, article_set
from tests.sources.test_entrez import FastClock

KEPT = ("paper_versions", "paper_watermarks", "paper_watermark_changes", "paper_imports", "paper_checkpoints")
SEARCHED = (*KEPT, "retrieval_documents", "retrieval_commits", "retrieval_late_vectors")

EUTILS = ["http://127.0.0.1:9"]
"""The address of the PubMed stand-in; set by the test that serves it."""


async def build_papers_suite(opened: HomeResources, twins: Mapping[str, Steps]) -> Suite:
    time = FastClock()
    entrez = await opened.stack.enter_async_context(
        open_entrez(EUTILS[0], EntrezIdentity(), LocalBudget(1e6, time.clock), clock=time.clock)
    )
    paper_index = PaperIndex(opened.library, opened.database)
    store = PaperStore(opened.database, paper_index)
    checkpoints = Checkpoints(opened.database, paper_index)
    search = PaperSearch(paper_index, lambda: Synonyms(load_concepts()))
    tools = PaperTools(
        store, Corpus(opened.database), search, checkpoints, PaperStarter(opened.database, store, checkpoints)
    )
    sync = PubMedSync(store, Watermarks(opened.database), replace_port(twins, "entrez", entrez))

    async def door() -> PubMedSync:
        return sync

    return suite.build(tools, build_sync_tools(door), ())


def _open_index(house: House) -> PaperIndex:
    return PaperIndex(house.opened.library, house.database)


def _write_file(house: House, name: str, *articles: str, deleted: tuple[str, ...] = ()) -> File:
    file = house.place.home / name
    file.write_bytes(article_set(articles, deleted))
    return file


async def _import(house: House) -> Any:
    file = _write_file(house, "update.xml", *(article(number) for number in range(3)), deleted=("9800000001",))
    return await import_file(PaperStore(house.database, _open_index(house)), file, NOW)


async def _fill_papers(house: House) -> None:
    file = _write_file(house, "baseline.xml", *(article(number) for number in range(2)))
    await import_file(PaperStore(house.database, _open_index(house)), file, NOW)


async def _embed(house: House) -> Any:
    return await _open_index(house).embed_missing()


PATHS = (
    Path(
        "papers: sync.incremental",
        ("papers",),
        lambda house: house.call("pubmed.sync.incremental", query="sample", limit=10),
        SEARCHED,
        ("database", "entrez", "index", "ledger"),
        states=3,
        searched="papers",
    ),
    Path(
        "papers: sync_delta",
        ("papers",),
        lambda house: house.call("pubmed.sync_delta", query_key="key", term="sample"),
        SEARCHED,
        ("database", "entrez", "index"),
        states=4,
        searched="papers",
    ),
    Path("papers: bulk import", (), _import, SEARCHED, ("database", "index"), states=4, searched="papers"),
    Path(
        "papers: checkpoint.create",
        ("papers",),
        lambda house: house.call("corpus.checkpoint.create", name="Spring"),
        KEPT,
        ("database", "index", "embedder", "ledger"),
        fill=_fill_papers,
        searched="papers",
    ),
    Path(
        "papers: the samples",
        ("papers",),
        lambda house: house.call("rag.search", query="heart", top_k=3),
        KEPT,
        ("database", "index", "embedder"),
        states=3,
        searched="papers",
    ),
    Path(
        "papers: embed_missing",
        (),
        _embed,
        (*KEPT, "retrieval_late_vectors", "retrieval_vectors"),
        ("database", "index", "embedder"),
        fill=_fill_papers,
        searched="papers",
    ),
)
