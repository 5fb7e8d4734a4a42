"""Hybrid search with filters, beside the bare engines' word query and vector query on the same rows in the same run.
In CPU time of the whole process, and the quietest round of each query counts: a machine that does other things as well
tells nothing by the clock. The bare graph looks as widely as it must to find 95 of 100, which is asked of ours.

`python -m benchmarks.retrieval_speed 1000000` runs the long form: it builds what is missing, and reports the time and
memory that took. What was built is kept in .cache. benchmarks/retrieval_engines.py has other engines.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from time import perf_counter, process_time

import numpy as np

from benchmarks.result import Result, judged
from benchmarks.retrieval_asked import FILTERS, QUERIES, Asked, Looked, described, nearest, recalls
from benchmarks.retrieval_corpus import MODEL, ROWS_AT_ONCE, Corpus
from benchmarks.retrieval_library import cached_home, counted
from benchmarks.retrieval_peers import DEPTH, BareEngines, timed
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.index import Index
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, SearchQuery
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

ROUNDS = 5


def run(size: int = 100_000) -> Result:
    ours, bare = asyncio.run(measure(size))
    return judged("retrieval_speed", ours, bare, ("<=", 1.3))


async def measure(size: int) -> tuple[float, float]:
    """The dearest kind of query, and the two bare queries together, in CPU milliseconds."""
    corpus, reader = Corpus(size), TermReader(get_default_segmenter(), Lexicon({}, {}))
    queries = corpus.queries(QUERIES)
    home = cached_home(f"retrieval_speed-{size}")
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        with counted(home):
            await fill(index, corpus)
        bare = BareEngines(corpus, home)
        bare.widen([vector for _, vector in queries], nearest(corpus, queries, ()))
        took = await times(index, reader, queries, bare)
        total = float(np.median(took.pop("words"))) + float(np.median(took.pop("meaning")))
        print(f"{size:,} rows; bare words and bare vectors together {total:.2f} CPU ms at p50")
        report(took, total, await recalls(index, corpus, queries))
    return max(float(np.median(each)) for each in took.values()), total


async def fill(index: Index, corpus: Corpus) -> None:
    await index.declare("speed", {ENGLISH: MODEL})
    have, begun = await index.count("speed"), perf_counter()
    for start in range(have, corpus.size, ROWS_AT_ONCE):
        await index.upsert("speed", corpus.batch(start, min(start + ROWS_AT_ONCE, corpus.size)))
    if have < corpus.size:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"built {corpus.size - have:,} rows in {perf_counter() - begun:,.0f} s, peak memory {peak:,.0f} MB")


async def times(index: Index, reader: TermReader, queries: Asked, bare: BareEngines) -> dict[str, list[float]]:
    """For each kind of query the milliseconds of each. Both sides take turns, so that a busy moment meets both."""
    library = Library(index, reader, {ENGLISH: Looked(dict(queries))})
    quietest: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        round_: dict[str, list[float]] = {}
        for text, vector in queries:
            terms = list(reader.read_query(text, "en")["words"])
            round_.setdefault("words", []).append(timed(bare.words, terms) * 1000)
            round_.setdefault("meaning", []).append(timed(bare.meaning, vector) * 1000)
            for filters in FILTERS:
                begun = process_time()
                await library.search(SearchQuery(text, "speed", limit=DEPTH, filters=filters))
                round_.setdefault(described(filters), []).append((process_time() - begun) * 1000)
        quietest = {name: list(map(min, each, quietest.get(name, each))) for name, each in round_.items()}
    return quietest


def report(took: dict[str, list[float]], total: float, recall: dict[str, float]) -> None:
    for name, each in took.items():
        print(
            f"  hybrid, {name}: p50 {np.median(each):.2f}, p99 {np.percentile(each, 99):.2f} ms, "
            f"{np.median(each) / total:.2f} of the bare sum; recall@{DEPTH} of vectors {recall[name]:.3f}"
        )


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
