"""Cost of a hybrid `rag.search` over 100,000 chunks with filters on date and journal, against the bare engines on the
same rows: embed the query once, run one tantivy query and one usearch query, and take the ten best of each. Neither
side caches embeddings of queries. The run also prints the ratio without the embedding.

The unit is CPU time of the whole process, and the fastest round of each query counts, as in retrieval_speed. The run
also prints p50 and p95 by the clock. The vectors of the corpus are synthetic, so a query is embedded for its cost, and
then the search uses the vector that the corpus has for it.

`python -m benchmarks.papers_search 5000` runs a short form. The index is cached in .cache.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import tantivy

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_corpus import JOURNALS, MODEL, Corpus
from benchmarks.retrieval_peers import BareEngines, load_bare_graph, time_call
from benchmarks.retrieval_queries import PrecomputedEmbedder
from sanya.engines.database import open_database
from sanya.engines.embedders.granite import Granite
from sanya.engines.embedders.local import LocalEmbedder
from sanya.engines.embedders.offline import GRANITE
from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.calls.call import OWNER, Context, ignore_progress
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import IndexEntry
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.suites.papers.checkpoints import Checkpoints
from sanya.suites.papers.contract import SearchInput
from sanya.suites.papers.corpus import Corpus as PaperCorpus
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE
from sanya.suites.papers.indexing.documents import build_documents
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.pubmed.record import MeshHeading, PaperRecord, Section
from sanya.suites.papers.search.paper_search import PaperSearch
from sanya.suites.papers.search.synonyms import Synonyms, load_concepts, merge_concepts
from sanya.suites.papers.starter import PaperStarter
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.tools import PaperTools
from sanya.text.segmentation import get_default_segmenter

CACHE = Path(__file__).parent.parent / ".cache" / "papers_search"
CHUNKS_A_PAPER = 3
PAPERS_AT_ONCE = 1500
QUERIES = 200
ROUNDS = 4
LABELS = ("BACKGROUND", "RESULTS", "CONCLUSIONS")
FIRST_DAY = date(1995, 1, 1)
CONTEXT = Context("bench", OWNER, datetime(2026, 1, 1, tzinfo=UTC), 0, ignore_progress, "")
FILTERS = {
    "years": {"date_from": "2010-01-01", "date_to": "2019-12-31"},
    "years and journals": {"date_from": "2005-01-01", "date_to": "2024-12-31", "journals": ["Journal 7", "Journal 11"]},
}


def run(size: int = 100_000) -> Result:
    ours, bare = asyncio.run(measure(size))
    return judge_ratio("papers_search", ours, bare, ("<=", 1.3))


class Embedding(PrecomputedEmbedder):
    """Embedder that embeds each query as the server does, then returns the vector that the corpus has for it."""

    def __init__(self, vectors: dict[str, Matrix], granite: Granite) -> None:
        super().__init__(vectors)
        self._granite = granite
        self._embedder = LocalEmbedder(GRANITE, lambda: granite)
        self.took = 0.0
        """CPU seconds of the last embedding."""

    async def embed(self, texts: Sequence[str]) -> Matrix:
        begun = process_time()
        await self._embedder.embed(texts)
        self.took = process_time() - begun
        return await super().embed(texts)

    def embed_bare(self, text: str) -> None:
        self._granite.encode(self._granite.tokenize([text]))

    def forget(self) -> None:
        """Replace the embedder, because it caches queries."""
        self._embedder.close()
        self._embedder = LocalEmbedder(GRANITE, lambda: self._granite)


class BarePapers(BareEngines):
    """Bare engines on the index files of the papers."""

    def __init__(self, corpus: Corpus, home: Path) -> None:
        index = tantivy.Index.open(str(home / "index" / NAMESPACE / "en" / "words"))
        self._searcher, self._schema = index.searcher(), index.schema
        self._graph = load_bare_graph(corpus, home / "bare.graph")


def make_paper(number: int, texts: list[str]) -> PaperRecord:
    day = FIRST_DAY + timedelta(days=number * 37 % 11_000)
    types = ("Randomized Controlled Trial",) if number % 5 == 0 else ("Journal Article",)
    return PaperRecord(
        pmid=str(90_000_000 + number),
        title=texts[0][:90],
        sections=tuple(Section(label, label, text) for label, text in zip(LABELS, texts, strict=True)),
        journal=f"Journal {number * 7919 % JOURNALS}",
        pub_types=types,
        mesh=(MeshHeading("Humans", None, major=False),),
        pdat=day.isoformat(),
        edat=f"{day.isoformat()}T00:00:00Z",
    )


def make_entries(corpus: Corpus, first: int, last: int) -> list[IndexEntry]:
    """Make the chunks of a range of papers from the passages and vectors of the corpus."""
    rows = corpus.make_batch(first * CHUNKS_A_PAPER, last * CHUNKS_A_PAPER)
    found = []
    for number in range(first, last):
        own = rows[(number - first) * CHUNKS_A_PAPER : (number - first + 1) * CHUNKS_A_PAPER]
        documents = build_documents(make_paper(number, [row.document.text[:900] for row in own]), DEFAULT_NAMESPACE)
        found += [IndexEntry(document, "en", row.vectors) for document, row in zip(documents, own, strict=True)]
    return found


@asynccontextmanager
async def filled(
    corpus: Corpus, home: Path, reader: TermReader, embedding: PrecomputedEmbedder
) -> AsyncIterator[tuple[Database, Library]]:
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        await index.declare(NAMESPACE, {ENGLISH: MODEL})
        papers = corpus.size // CHUNKS_A_PAPER
        for first in range(await index.count(NAMESPACE) // CHUNKS_A_PAPER, papers, PAPERS_AT_ONCE):
            await index.upsert(NAMESPACE, make_entries(corpus, first, min(first + PAPERS_AT_ONCE, papers)))
        async with database.transaction() as transaction:
            # Insert the newest record: it sets the clock of the corpus and prevents loading the samples.
            await transaction.execute(
                "INSERT INTO paper_versions (pmid, version, from_seq, content_hash, edat, is_sample, content) "
                "VALUES ('1', 1, 1, '', '2026-01-01T00:00:00Z', 0, '{}') ON CONFLICT (pmid, version) DO NOTHING"
            )
        yield database, Library(index, reader, {ENGLISH: embedding})


def build_tools(database: Database, library: Library) -> PaperTools:
    async def open_library() -> Library:
        return library

    paper_index = PaperIndex(open_library, database)
    store = PaperStore(database, paper_index)
    checkpoints = Checkpoints(database, paper_index)
    search = PaperSearch(paper_index, lambda: Synonyms(merge_concepts(load_concepts(), ())))
    return PaperTools(store, PaperCorpus(database), search, checkpoints, PaperStarter(database, store, checkpoints))


async def measure(size: int) -> tuple[float, float]:
    """Run each query on both sides in turn, so that a busy moment slows both."""
    home = CACHE / str(size)
    corpus, reader = Corpus(size), TermReader(get_default_segmenter(), Lexicon({}, {}))
    queries, quietest = corpus.make_queries(QUERIES), Quietest()
    embedding = Embedding(dict(queries), Granite(GRANITE))
    async with filled(corpus, home, reader, embedding) as (database, library):
        tools, bare = build_tools(database, library), BarePapers(corpus, home)
        for _ in range(ROUNDS):
            for name, filters in FILTERS.items():
                embedding.forget()
                for at, (text, vector) in enumerate(queries):
                    quietest.note("embedding", at, time_call(embedding.embed_bare, text))
                    quietest.note("engines", at, time_bare_queries(bare, reader, text, vector))
                    begun, started = process_time(), perf_counter()
                    request = SearchInput.model_validate({"query": text, "filters": filters})
                    found = await tools.search_papers(request, CONTEXT)
                    took = process_time() - begun
                    quietest.note(f"{name}, clock", at, perf_counter() - started)
                    quietest.note(name, at, took)
                    quietest.note(f"{name}, unembedded", at, took - embedding.took)
                    assert found.documents
    embedding.forget()
    return report(size, quietest)


class Quietest:
    """Lowest time of each query over all rounds, in milliseconds."""

    def __init__(self) -> None:
        self._times: dict[str, dict[int, float]] = {}

    def note(self, name: str, query: int, seconds: float) -> None:
        times = self._times.setdefault(name, {})
        times[query] = min(seconds * 1000, times.get(query, np.inf))

    def compute_percentiles(self, name: str) -> tuple[float, float]:
        middle, high = np.percentile(list(self._times[name].values()), [50, 95])
        return float(middle), float(high)


def time_bare_queries(bare: BarePapers, reader: TermReader, text: str, vector: Matrix) -> float:
    return time_call(bare.search_words, list(reader.read_query(text, "en")["words"])) + time_call(
        bare.search_vectors, vector
    )


def report(size: int, quietest: Quietest) -> tuple[float, float]:
    """Return the CPU milliseconds of the most expensive kind of query and of the bare engines."""
    embedding, engines = quietest.compute_percentiles("embedding")[0], quietest.compute_percentiles("engines")[0]
    bare = embedding + engines
    print(f"{size:,} chunks; p50 CPU ms: embed a query {embedding:.2f}, bare word and vector queries {engines:.2f}")
    for name in FILTERS:
        middle, high = quietest.compute_percentiles(name)
        without = quietest.compute_percentiles(f"{name}, unembedded")[0]
        seen = quietest.compute_percentiles(f"{name}, clock")
        print(
            f"  rag.search, {name}: p50 {middle:.2f}, p95 {high:.2f}, {middle / bare:.2f} of the bare sum; without the "
            f"embedding {without:.2f}, {without / engines:.2f}; clock {seen[0]:.2f}, {seen[1]:.2f}"
        )
    return max(quietest.compute_percentiles(name)[0] for name in FILTERS), bare


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
