"""Cost of hybrid search with filters, against a word query and a vector query of the bare engines on the same rows.

The unit is CPU time of the whole process, and the fastest round of each query counts, because the clock is unreliable
on a busy machine. The bare graph searches as widely as a recall of 0.95 needs, which ours must reach as well.

`python -m benchmarks.retrieval_speed 1000000` runs the long form: it builds what is missing, and reports the time and
memory of the build. The index is cached in .cache. See retrieval_engines.py for other engines.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from time import perf_counter, process_time

import numpy as np

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_corpus import MODEL, ROWS_AT_ONCE, Corpus
from benchmarks.retrieval_library import get_cached_home, record_build_time
from benchmarks.retrieval_peers import DEPTH, BareEngines, time_call
from benchmarks.retrieval_queries import (
    FILTERS,
    QUERIES,
    Asked,
    PrecomputedEmbedder,
    describe_filters,
    find_nearest,
    measure_recalls,
)
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
    return judge_ratio("retrieval_speed", ours, bare, ("<=", 1.3))


async def measure(size: int) -> tuple[float, float]:
    """Return the CPU milliseconds of the most expensive kind of query and of the two bare queries together."""
    corpus, reader = Corpus(size), TermReader(get_default_segmenter(), Lexicon({}, {}))
    queries = corpus.make_queries(QUERIES)
    home = get_cached_home(f"retrieval_speed-{size}")
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        with record_build_time(home):
            await fill(index, corpus)
        bare = BareEngines(corpus, home)
        bare.widen([vector for _, vector in queries], find_nearest(corpus, queries, ()))
        took = await time_queries(index, reader, queries, bare)
        total = float(np.median(took.pop("words"))) + float(np.median(took.pop("meaning")))
        print(f"{size:,} rows; bare word and vector queries together: p50 {total:.2f} CPU ms")
        report(took, total, await measure_recalls(index, corpus, queries))
    return max(float(np.median(each)) for each in took.values()), total


async def fill(index: Index, corpus: Corpus) -> None:
    await index.declare("speed", {ENGLISH: MODEL})
    have, begun = await index.count("speed"), perf_counter()
    for start in range(have, corpus.size, ROWS_AT_ONCE):
        await index.upsert("speed", corpus.make_batch(start, min(start + ROWS_AT_ONCE, corpus.size)))
    if have < corpus.size:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"Built {corpus.size - have:,} rows in {perf_counter() - begun:,.0f} s, peak memory {peak:,.0f} MB")


async def time_queries(index: Index, reader: TermReader, queries: Asked, bare: BareEngines) -> dict[str, list[float]]:
    """Return the CPU milliseconds of each query, by kind. Both sides alternate, so that a busy moment slows both."""
    library = Library(index, reader, {ENGLISH: PrecomputedEmbedder(dict(queries))})
    quietest: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        round_: dict[str, list[float]] = {}
        for text, vector in queries:
            terms = list(reader.read_query(text, "en")["words"])
            round_.setdefault("words", []).append(time_call(bare.search_words, terms) * 1000)
            round_.setdefault("meaning", []).append(time_call(bare.search_vectors, vector) * 1000)
            for filters in FILTERS:
                begun = process_time()
                await library.search(SearchQuery(text, "speed", limit=DEPTH, filters=filters))
                round_.setdefault(describe_filters(filters), []).append((process_time() - begun) * 1000)
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
