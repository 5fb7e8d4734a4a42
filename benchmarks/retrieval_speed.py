"""Hybrid search with filters, beside the bare engines' word query and vector query on the same rows in the same run.
In CPU time of the whole process: a machine that does other things as well tells nothing by the clock.

`python -m benchmarks.retrieval_speed 1000000` runs the long form. What was built is kept in .cache.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import process_time
from typing import Any

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
ROUNDS = 3
"""The first only warms up."""
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
    """Each query is put to both sides in turn, so that a busy moment of the machine meets both."""
    corpus, reader = Corpus(size), Reader(default_segmenter(), Lexicon({}, {}))
    queries = corpus.queries(QUERIES)
    async with filled(corpus, reader) as index:
        library = Library(index, reader, {ENGLISH: Looked(dict(queries))})
        bare = BareEngines(corpus)
        took: dict[str, list[float]] = {}
        for round_ in range(ROUNDS):
            for text, vector in queries:
                terms = list(reader.read_query(text, "en")["words"])
                times = {"words": timed(bare.words, terms), "meaning": timed(bare.meaning, vector)}
                for filters in FILTERS:
                    begun = process_time()
                    await library.search(Query(text, "speed", limit=DEPTH, filters=filters))
                    times[described(filters)] = process_time() - begun
                for name, time in times.items() if round_ else ():
                    took.setdefault(name, []).append(time * 1000)
        middle = {name: float(np.median(times)) for name, times in took.items()}
        best = nearest(corpus, queries)
        bare_recall = bare.recall(queries, best)
        our_recall = await recall(index, queries, best)
    total = middle.pop("words") + middle.pop("meaning")
    print(f"{size:,} rows; recall@{DEPTH} of vectors: bare {bare_recall:.3f}, ours {our_recall:.3f}")
    print(f"CPU ms a query, p50: bare words and bare vectors together {total:.2f}")
    for name, time in middle.items():
        print(f"  hybrid, {name}: {time:.2f} ({time / total:.2f} of the bare sum)")
    return max(middle.values()), total


def timed(work: Callable[[Any], Any], argument: object) -> float:
    begun = process_time()
    work(argument)
    return process_time() - begun


def described(filters: tuple[Filter, ...]) -> str:
    return " and ".join(one.field for one in filters) or "no filter"


async def recall(index: EmbeddedIndex, queries: Sequence[tuple[str, Matrix]], best: list[list[int]]) -> float:
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


class BareEngines:
    """A word query on tantivy's own files and a vector query on a plain usearch graph, no more than that."""

    def __init__(self, corpus: Corpus) -> None:
        home = CACHE / str(corpus.size)
        index = tantivy.Index.open(str(home / "index" / "speed" / "en" / "words"))
        self._searcher, self._schema = index.searcher(), index.schema
        self._graph = bare_graph(corpus, home / "bare.graph")

    def words(self, terms: list[str]) -> None:
        queries = [tantivy.Query.term_query(self._schema, "words", term, "freq") for term in terms]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in queries])
        found = self._searcher.search(query, DEPTH, count=False)
        self._searcher.fast_field_values("position", [address for _, address in found.hits])

    def meaning(self, vector: Matrix) -> list[int]:
        return [int(key) for key in self._graph.search(vector, DEPTH, threads=1).keys]

    def recall(self, queries: Sequence[tuple[str, Matrix]], best: list[list[int]]) -> float:
        hits = sum(len(set(self.meaning(vector)) & set(best[at])) for at, (_, vector) in enumerate(queries))
        return hits / (DEPTH * len(queries))


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
