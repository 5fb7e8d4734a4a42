"""The index on PostgreSQL with pgvector: for a home that is served from several machines.

Postings and vectors are written in the transaction of the change itself, so there is nothing to heal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sanya.engines.index.postgresql.caches import KnownPassing
from sanya.engines.index.postgresql.filters import Passing, listed
from sanya.engines.index.postgresql.graphs import PostgresqlGraphs
from sanya.engines.index.postgresql.postings import Floats, Positions, Ranking
from sanya.engines.index.postgresql.reader import Moment, PostgresqlReading, Wanted, read_state
from sanya.engines.index.postgresql.search_query import Answer, graph_width, large_question, question, read_answer
from sanya.engines.index.postgresql.small_partitions import SMALL_ROWS, SmallShelves
from sanya.engines.index.postgresql.vectors import PostgresqlVectors
from sanya.engines.index.postgresql.word_index import Asking, PostgresqlWords
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, Shelf, content_hash, version_of, whole
from sanya.engines.index.store import IndexStore
from sanya.kernel.database import Database, Row, Statement, Transaction
from sanya.kernel.faults import Fault, StoreUnavailable
from sanya.retrieval.documents import Document, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Embedded, Entry, Probe, ReadTexts, Unembedded

_ROWS_AT_ONCE = 5000
_NEXT = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? ORDER BY d.position LIMIT ?"""
# Every partition, with its last row and the last one that is derived.
_SHELVES = """
SELECT s.namespace, s.partition_name, s.last, COALESCE((
    SELECT max(r.position) FROM retrieval_rows r
    WHERE r.namespace = s.namespace AND r.partition_name = s.partition_name), 0)
FROM (SELECT split_part(name, ' ', 2) AS namespace, split_part(name, ' ', 3) AS partition_name, value AS last
    FROM retrieval_counters WHERE name >= 'position ' AND name < 'position!') s
ORDER BY 1, 2"""
# How many more of the best are looked at than are wanted, since not all are valid; and how many more when they were not
# enough.
_SLACK, _FILTERED_SLACK, _MORE = 16, 16, 8
_NO_WORDS = np.empty(0, np.int64), np.empty(0)
# While tables grow by bulk, the server does not look by itself how large they are before a minute has passed.
_ANALYSE = "ANALYZE retrieval_documents, retrieval_vectors, retrieval_rows, retrieval_terms"
_FIRST_ANALYSED = 4096
# Tables are made, and rows derived, by one process at a time.
_MAKING, _DERIVING = "SELECT pg_advisory_xact_lock(7306080)", "SELECT pg_advisory_xact_lock(7306081)"


@asynccontextmanager
async def open_postgresql_index(
    database: Database, read: ReadTexts, small_rows: int = SMALL_ROWS
) -> AsyncIterator[PostgresqlIndex]:
    """Shelves of up to `small_rows` are compared one by one, here."""
    if database.dialect != "postgresql":
        raise StoreUnavailable("the index on PostgreSQL needs database_url to name a PostgreSQL server")
    # A search compares few rows at once: more threads would wait for each other longer than they work.
    threadpool_limits(1, "blas")
    index = PostgresqlIndex(database, read, small_rows)
    await index.prepare()
    await index.refresh()
    try:
        yield index
    finally:
        await index.graphs.stop()


@dataclass(frozen=True, slots=True)
class Expected:
    """What a search takes for granted until the answer to its first question tells."""

    spaces: Mapping[str, Model]
    rebuilt: int
    width: int
    """How widely the graph is searched; 0 where the rows are compared one by one."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What the first trip of a search brings."""

    moment: Moment
    spaces: Mapping[str, Model]
    asking: Asking
    answer: Answer
    few: Positions | None
    """The rows that the filters let through, where these are few among many."""


class PostgresqlIndex:
    def __init__(self, database: Database, read: ReadTexts, small_rows: int = SMALL_ROWS) -> None:
        self._database = database
        self._small_rows = small_rows
        self._store = IndexStore(database)
        self._words = PostgresqlWords(read)
        self._reading = PostgresqlReading(database)
        self._small = SmallShelves(self._reading)
        self._vectors = PostgresqlVectors()
        self.graphs = PostgresqlGraphs(database)
        self._partitions: dict[str, tuple[str, ...]] = {}
        self._expected: dict[Shelf, Expected] = {}
        self._passing = KnownPassing()

    async def prepare(self) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_MAKING)
            await self._words.prepare(transaction)
            await self._vectors.prepare(transaction)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)
        await self._make_spaces(namespace, spaces)

    async def _make_spaces(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_MAKING)
            for space, model in spaces.items():
                await self._vectors.create(transaction, namespace, space, model.dim)

    async def upsert(self, namespace: str, entries: Sequence[Entry], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def unembedded(self, namespace: str, limit: int) -> list[Unembedded]:
        return await self._store.late.unembedded(namespace, limit)

    async def missing(self, namespace: str) -> int:
        return await self._store.late.missing(namespace)

    async def give_vectors(self, namespace: str, rows: Sequence[Embedded]) -> int:
        async with self._database.transaction() as transaction:
            given = await self._store.give_vectors(transaction, namespace, rows)
            for partition in sorted({one.row.partition for one in given}):
                contents = {
                    one.row.position: content_hash(one.row.document.text)
                    for one in given
                    if one.row.partition == partition
                }
                since = dict.fromkeys(contents, await self._store.last_seq(transaction))
                await self._derive_vectors(transaction, (namespace, partition), contents, since)
        return len(given)

    async def refresh(self) -> None:
        """Only what another kind of index wrote into the store is missing here, and the graphs of large spaces, which
        nobody waits for."""
        rows = await self._database.fetch(_SHELVES)
        for namespace, partition, last, derived in rows:
            if whole(derived) < whole(last):
                await self._catch_up((str(namespace), str(partition)), whole(last))
        self._partitions = _by_namespace(rows)
        await self.graphs.begin(_large(rows))

    async def _catch_up(self, shelf: Shelf, last: int) -> None:
        # Whoever wrote them declared their spaces to the store alone, as in a home that was moved here.
        await self._make_spaces(shelf[0], await self._store.spaces(shelf[0]))
        missing = True
        while missing:
            async with self._database.transaction() as transaction:
                missing = await self._derive_next(transaction, shelf, last)

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        """Those that the last refresh or a change of our own showed; they never go, so they are not asked for again."""
        if namespace not in self._partitions:
            self._partitions = _by_namespace([(*shelf, 0, 0) for shelf in sorted(await self._store.shelves())])
        return self._partitions.get(namespace, ())

    async def search(self, probe: Probe) -> Candidates:
        """In one trip, where a small shelf is known: for the state. Of a large one that brings candidates by meaning,
        and a second brings the rows of all."""
        await self._store.filtered.check(probe.namespace, (*probe.filters, *probe.among))
        try:
            return await self._search(probe)
        except Fault:
            raise
        except (
            Exception
        ):  # a border: whatever the driver says of a table that was there, as of a former model's vectors
            if self._expected.pop((probe.namespace, probe.partition), None) is None:
                raise
        return await self._search(probe)

    async def _search(self, probe: Probe) -> Candidates:
        shelf = probe.namespace, probe.partition
        begun = await self._begin(shelf, probe)
        asked = [space for space in (*probe.vectors, *probe.compared) if space in begun.spaces]
        ranking = await self._rank(begun, probe)
        if begun.moment.last <= self._small_rows:
            return await self._of_small(probe, begun, ranking, asked)
        return await self._of_large(probe, begun, ranking, asked)

    async def _of_small(self, probe: Probe, begun: Begun, ranking: Ranking | None, asked: Sequence[str]) -> Candidates:
        shelf, moment = begun.asking.shelf, begun.moment
        sources = {space: self._vectors.source(probe.namespace, space) for space in begun.spaces}
        known = await self._small.at(shelf, moment, begun.spaces, sources)
        rows = known.valid(moment)
        if probe.filters:
            rows = np.intersect1d(rows, await self._reading.passing(shelf, moment, probe.filters), assume_unique=True)
        best = ranking.best_among(rows, probe.pool) if ranking is not None else _NO_WORDS
        near = [
            position
            for space in asked
            if space in probe.vectors
            for position in known.nearest(space, probe.vectors[space], rows, moment.seq, probe.meaning_pool)
        ]
        positions, scores = _together(best, near)
        vectors = {space: known.vectors(space, positions, moment.seq) for space in asked}
        ids = [known.ids[position - 1] for position in positions.tolist()]

        async def name(numbers: Sequence[int]) -> list[str]:
            return [ids[number] for number in numbers]

        return Candidates(scores, vectors, name)

    async def _of_large(self, probe: Probe, begun: Begun, ranking: Ranking | None, asked: Sequence[str]) -> Candidates:
        shelf, moment, few, near = begun.asking.shelf, begun.moment, begun.few, begun.answer.near
        unasked = probe.filters if few is None else ()
        best, looked_at = _NO_WORDS, probe.pool * (_FILTERED_SLACK if unasked else 1) + _SLACK
        sources = {space: self._vectors.source(probe.namespace, space) for space in asked}
        # Of the best by words not all are valid; where too few are, more are looked at.
        while True:
            if ranking is not None:
                best = ranking.best(looked_at) if few is None else ranking.best_among(few, looked_at)
            wanted = Wanted(best[0].tolist(), probe.pool, near, unasked)
            rows = await self._reading.rows(shelf, moment, wanted, sources)
            there = [number for number, position in enumerate(wanted.words) if position in rows][: probe.pool]
            if len(there) >= probe.pool or len(best[0]) < looked_at:
                break
            looked_at *= _MORE
        positions, scores = _together((best[0][there], best[1][there]), near)
        spaces = {space: begun.spaces[space] for space in asked}
        return Candidates(scores, rows.vectors(positions, spaces), rows.names(positions))

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filtered.check(namespace, filters)
        partitions = await self.partitions(namespace)
        if not partitions:
            await self._store.check_moment(as_of)
        return sum([await self._reading.count((namespace, one), as_of, filters) for one in partitions])

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
        await self._make_spaces(namespace, await self._store.spaces(namespace))
        await self.graphs.stop()
        async with self._database.transaction() as transaction:
            await transaction.execute(_DERIVING)
            await self.graphs.stop_others(transaction)
            await self._words.delete(transaction, namespace)
            for space in await self._store.spaces(namespace):
                await self._vectors.delete(transaction, namespace, space)
        await self.refresh()
        await self.graphs.finished()

    async def _write(
        self, namespace: str, entries: Sequence[Entry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is None:
            async with self._database.transaction() as own:
                seq = await self._write(namespace, entries, removed, own)
            self._partitions.pop(namespace, None)
            return seq
        seq = await self._store.write(transaction, namespace, entries, removed)
        for partition in sorted({entry.partition for entry in entries}):
            while await self._derive_next(transaction, (namespace, partition), FOREVER):
                continue
        return seq

    async def _derive_next(self, transaction: Transaction, shelf: Shelf, last: int) -> bool:
        """Derives some of the rows that are missing, and says whether there were any."""
        await transaction.execute(_DERIVING)
        derived, totals = await self._words.last_row(transaction, shelf)
        rows = await transaction.fetch(_NEXT, (*shelf, derived, _ROWS_AT_ONCE)) if derived < last else []
        versions = [version_of(row) for row in rows]
        if versions:
            await self._words.add(transaction, shelf, versions, totals)
            embedded = [one for one in versions if one.vectors_since < FOREVER]
            contents = {one.position: one.content_hash for one in embedded}
            since = {one.position: one.vectors_since for one in embedded}
            await self._derive_vectors(transaction, shelf, contents, since)
            if _is_outgrown(derived, versions[-1].position):
                await transaction.execute(_ANALYSE)
        return bool(versions)

    async def _derive_vectors(
        self, transaction: Transaction, shelf: Shelf, contents: Mapping[int, bytes], since: Mapping[int, int]
    ) -> None:
        for space, model in (await self._store.spaces(shelf[0])).items():
            known = await self._store.vectors(model, sorted(set(contents.values())), transaction)
            rows = [(position, since[position], known[one]) for position, one in contents.items() if one in known]
            await self._vectors.add(transaction, shelf, space, rows)

    async def _begin(self, shelf: Shelf, probe: Probe) -> Begun:
        """Asks again while the answer shows another state than the question took for granted, which is seldom."""
        expected, generation = self._expected.get(shelf), None
        while True:
            if expected is None:
                moment, spaces = await self._reading.state(shelf, None)
                expected = Expected(spaces, moment.rebuilt, self._width(moment))
            asking = self._words.asking(shelf, probe.terms, generation)
            known = self._passing.get((shelf, expected.rebuilt, probe.filters))
            answer = read_answer(await self._reading.fetch(self._question(probe, asking, expected, known)))
            moment, spaces = read_state(answer.told, probe.as_of)
            width = self._width(moment) if probe.as_of is None else expected.width
            former, expected, generation = expected, Expected(spaces, moment.rebuilt, width), moment.rebuilt
            self._expected[shelf] = expected
            if former == expected and asking.holds(moment):
                break
        few = answer.few if answer.is_passing_told else known.few
        if answer.is_passing_told:
            text = "{}" if few is None else listed(few)
            self._passing.keep((shelf, moment.rebuilt, probe.filters), Passing(moment.last, few, text))
        return Begun(moment, spaces, asking, answer, few)

    def _question(self, probe: Probe, asking: Asking, expected: Expected, known: Passing) -> Statement:
        if not expected.width:
            return question(probe, asking.wanted)
        near = [
            self._vectors.near(probe.namespace, space, vector)
            for space, vector in probe.vectors.items()
            if space in expected.spaces
        ]
        return large_question(probe, asking.wanted, near, expected.width, known)

    def _width(self, now: Moment) -> int:
        return graph_width(now.last) if now.last > self._small_rows else 0

    async def _rank(self, begun: Begun, probe: Probe) -> Ranking | None:
        if not any(probe.terms.values()) or not begun.moment.last:
            return None
        population = await self._reading.population(begun.asking.shelf, begun.moment, probe.among)
        return await self._words.ranking(begun.asking, begun.answer.postings, begun.moment, population)


def _together(words: tuple[Positions, Floats], near: Sequence[int]) -> tuple[Positions, Matrix]:
    """The positions that words and meaning brought, the oldest first, and what words give each."""
    positions = np.union1d(words[0], np.array(near, dtype=np.int64))
    scores = np.zeros(len(positions), dtype=np.float32)
    scores[np.searchsorted(positions, words[0])] = words[1]
    return positions, scores


def _by_namespace(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    """The partitions of each namespace, of rows that are in order."""
    return {str(namespace): tuple(str(row[1]) for row in some) for namespace, some in groupby(rows, lambda row: row[0])}


def _large(rows: Sequence[Row]) -> dict[str, int]:
    """The namespaces with more rows than are compared one by one, and how many these are."""
    sizes: Counter[str] = Counter()
    for namespace, _, last, _ in rows:
        sizes[str(namespace)] += whole(last)
    return {str(namespace): sizes[str(namespace)] for namespace, _, last, _ in rows if whole(last) > SMALL_ROWS}


def _is_outgrown(before: int, now: int) -> bool:
    """Whether a shelf has become twice as large as when its tables were last analysed."""
    return now >= _FIRST_ANALYSED and before.bit_length() < now.bit_length()
