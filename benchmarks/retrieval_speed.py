"""Hybrid search with filters, beside the bare engines' word query and vector query on the same rows in the same run.

`python -m benchmarks.retrieval_speed 1000000` runs the long form. What was built is kept in .cache.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
import tantivy
from usearch.index import Index as Graph

from benchmarks.result import Result, judged
from benchmarks.retrieval_corpus import DIM, MODEL, Corpus
from sanya.engines.database import open_database
from sanya.engines.index.embedded import EmbeddedIndex, open_embedded
from sanya.retrieval.documents import Between, Equals, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Probe
from sanya.retrieval.legs import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, Query
from sanya.retrieval.terms import Reader
from sanya.text.segmentation import default_segmenter

CACHE = Path(__file__).parent.parent / ".cache" / "retrieval_speed"
ROWS_AT_ONCE = 5000
QUERIES = 200
DEPTH = 10
FILTERS: tuple[tuple[Filter, ...], ...] = (
    (),
    (Between("year", 2010, 2019),),
    (Equals("journal", "Journal 7"),),
    (Between("year", 2000, 2019), Equals("journal", "Journal 7")),
)


class Looked:
    """Query vectors that are there already: what is measured is the search, not the embedding."""

    model = MODEL

    def __init__(self, vectors: dict[str, Matrix]) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([self._vectors[text] for text in texts])


def run(size: int = 100_000) -> Result:
    ours, bare = asyncio.run(measure(size))
    return judged("retrieval_speed", ours, bare, ("<=", 1.3))


@asynccontextmanager
async def filled(corpus: Corpus, reader: Reader) -> AsyncIterator[EmbeddedIndex]:
    home = CACHE / str(corpus.size)
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        await index.declare("speed", {ENGLISH: MODEL})
        for start in range(await index.count("speed"), corpus.size, ROWS_AT_ONCE):
            await index.upsert("speed", corpus.batch(start, min(start + ROWS_AT_ONCE, corpus.size)))
        yield index


async def measure(size: int) -> tuple[float, float]:
    corpus, reader = Corpus(size), Reader(default_segmenter(), Lexicon({}, {}))
    queries = corpus.queries(QUERIES)
    async with filled(corpus, reader) as index:
        library = Library(index, reader, {ENGLISH: Looked(dict(queries))})
        words, meaning, bare_recall = bare_engines(corpus, reader, queries)
        print(f"{size:,} rows, p50 of {QUERIES} queries: bare words {words:.2f} ms, bare vectors {meaning:.2f} ms")
        print(f"recall@{DEPTH} of vectors: bare {bare_recall:.3f}, ours {await recall(index, corpus, queries):.3f}")
        worst = 0.0
        for filters in FILTERS:
            took = await timed(library, queries, filters)
            worst = max(worst, took)
            print(f"hybrid, {len(filters)} filters: {took:.2f} ms ({took / (words + meaning):.2f} of the bare sum)")
    return worst, words + meaning


async def timed(library: Library, queries: Sequence[tuple[str, Matrix]], filters: tuple[Filter, ...]) -> float:
    times = []
    for text, _ in queries:
        query = Query(text, "speed", limit=DEPTH, filters=filters)
        begun = perf_counter()
        await library.search(query)
        times.append(perf_counter() - begun)
    return float(np.median(times)) * 1000


async def recall(index: EmbeddedIndex, corpus: Corpus, queries: Sequence[tuple[str, Matrix]]) -> float:
    best = nearest(corpus, queries)
    hits = 0
    for at, (_, vector) in enumerate(queries):
        found = await index.search(Probe("speed", "en", {}, {ENGLISH: vector}))
        order = np.argsort(-(found.vectors[ENGLISH] @ vector))[:DEPTH]
        ids = await found.name(order.tolist())
        hits += len({int(one[1:]) for one in ids} & set(best[at]))
    return hits / (DEPTH * len(queries))


def nearest(corpus: Corpus, queries: Sequence[tuple[str, Matrix]]) -> list[list[int]]:
    """By comparing everything, a block of rows at a time."""
    asked = np.array([vector for _, vector in queries])
    scores = np.full((len(queries), 0), -1.0, dtype=np.float32)
    rows = np.empty((len(queries), 0), dtype=np.int64)
    for start in range(0, corpus.size, ROWS_AT_ONCE):
        block = corpus.vectors(start, min(start + ROWS_AT_ONCE, corpus.size))
        scores = np.hstack([scores, asked @ block.T])
        rows = np.hstack([rows, np.broadcast_to(np.arange(start, start + len(block)), (len(queries), len(block)))])
        keep = np.argsort(-scores, axis=1)[:, :DEPTH]
        scores, rows = np.take_along_axis(scores, keep, 1), np.take_along_axis(rows, keep, 1)
    return [[int(row) for row in found] for found in rows]


def bare_engines(corpus: Corpus, reader: Reader, queries: Sequence[tuple[str, Matrix]]) -> tuple[float, float, float]:
    """The p50 of a word query on tantivy's own files and of a vector query on a plain usearch graph, and its recall."""
    home = CACHE / str(corpus.size)
    index = tantivy.Index.open(str(home / "index" / "speed" / "en" / "words"))
    searcher, schema = index.searcher(), index.schema
    graph = bare_graph(corpus, home / "bare.graph")
    best = nearest(corpus, queries)
    words, meaning, hits = [], [], 0
    for at, (text, vector) in enumerate(queries):
        terms = list(reader.read_query(text, "en")["words"])
        begun = perf_counter()
        lookups = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term, "freq")) for term in terms]
        found = searcher.search(tantivy.Query.boolean_query(lookups), DEPTH, count=False)
        searcher.fast_field_values("position", [address for _, address in found.hits])
        middle = perf_counter()
        near = graph.search(vector, DEPTH, threads=1)
        words.append(middle - begun)
        meaning.append(perf_counter() - middle)
        hits += len({int(key) for key in near.keys} & set(best[at]))
    return float(np.median(words)) * 1000, float(np.median(meaning)) * 1000, hits / (DEPTH * len(queries))


def bare_graph(corpus: Corpus, file: Path) -> Graph:
    graph = Graph(ndim=DIM, metric="cos", dtype="f16")
    if file.exists():
        graph.load(str(file))
        return graph
    for start in range(0, corpus.size, ROWS_AT_ONCE):
        end = min(start + ROWS_AT_ONCE, corpus.size)
        graph.add(np.arange(start, end), corpus.vectors(start, end))
    graph.save(str(file))
    return graph


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
