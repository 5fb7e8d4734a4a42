"""The index on PostgreSQL with pgvector: for a home that is served from several machines.

Postings and vectors are written in the transaction of the change itself, so the index never lags behind the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sanya.engines.index.arrays import Float64Array, Positions
from sanya.engines.index.postgresql.caches import PassingCache
from sanya.engines.index.postgresql.filters import PassingRows, format_array
from sanya.engines.index.postgresql.graphs import PostgresqlGraphs
from sanya.engines.index.postgresql.postings import Bm25Ranking
from sanya.engines.index.postgresql.reader import PartitionState, PostgresqlReader, RowRequest, parse_state
from sanya.engines.index.postgresql.search_query import (
    QueryAnswer,
    build_large_query,
    build_small_query,
    choose_graph_width,
    read_answer,
)
from sanya.engines.index.postgresql.small_partitions import SMALL_ROWS, SmallPartitions
from sanya.engines.index.postgresql.vectors import PostgresqlVectors
from sanya.engines.index.postgresql.word_index import PostgresqlWordIndex, TermQuery
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, PartitionKey, as_int, hash_content, read_version
from sanya.engines.index.store import IndexStore
from sanya.kernel.faults import Fault, StoreUnavailable
from sanya.kernel.storage.database import Database, Row, Statement, Transaction
from sanya.retrieval.documents import Document, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.embedding_status import EmbeddingStatus
from sanya.retrieval.index import Candidates, EmbeddedRow, IndexEntry, Probe, TermAnalyzer, UnembeddedRow

_BATCH_ROWS = 5000
_NEXT_ROWS = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? ORDER BY d.position LIMIT ?"""
# Every partition, with its last row and its last derived row.
_PARTITIONS = """
SELECT s.namespace, s.partition_name, s.last, COALESCE((
    SELECT max(r.position) FROM retrieval_rows r
    WHERE r.namespace = s.namespace AND r.partition_name = s.partition_name), 0)
FROM (SELECT split_part(name, ' ', 2) AS namespace, split_part(name, ' ', 3) AS partition_name, value AS last
    FROM retrieval_counters WHERE name >= 'position ' AND name < 'position!') s
ORDER BY 1, 2"""
# Of the best rows not all are valid, so more are requested than needed, and _GROWTH times as many if that was too few.
_SLACK, _FILTERED_SLACK, _GROWTH = 16, 16, 8
_NO_WORDS = np.empty(0, np.int64), np.empty(0)
# During a bulk import, autovacuum analyzes the tables only after a minute, and until then plans are bad.
_ANALYZE = "ANALYZE retrieval_documents, retrieval_vectors, retrieval_rows, retrieval_terms"
_ANALYZE_FROM_ROWS = 4096
# One process at a time creates tables, and one derives rows.
_LOCK_SCHEMA, _LOCK_DERIVATION = "SELECT pg_advisory_xact_lock(7306080)", "SELECT pg_advisory_xact_lock(7306081)"


@asynccontextmanager
async def open_postgresql_index(
    database: Database, read: TermAnalyzer, small_rows: int = SMALL_ROWS
) -> AsyncIterator[PostgresqlIndex]:
    """Open the index. Partitions of up to `small_rows` rows are compared one by one in this process."""
    if database.dialect != "postgresql":
        raise StoreUnavailable("the index on PostgreSQL needs a PostgreSQL server; set database_url to its address")
    # A search compares few rows at once: BLAS threads wait for each other longer than they work.
    threadpool_limits(1, "blas")
    index = PostgresqlIndex(database, read, small_rows)
    await index.prepare()
    await index.refresh()
    try:
        yield index
    finally:
        await index.graphs.stop()


@dataclass(frozen=True, slots=True)
class ExpectedState:
    """A guess of the partition's state, from the last search. The answer to the first query confirms or corrects it."""

    spaces: Mapping[str, Model]
    rebuilt: int
    width: int
    """The search width of the graph; 0 if the rows are compared one by one."""


@dataclass(frozen=True, slots=True)
class SearchStart:
    """The result of a search's first round trip."""

    state: PartitionState
    spaces: Mapping[str, Model]
    terms: TermQuery
    answer: QueryAnswer
    few: Positions | None
    """The rows that pass the filters, if they are few among many."""


class PostgresqlIndex:
    def __init__(self, database: Database, read: TermAnalyzer, small_rows: int = SMALL_ROWS) -> None:
        self._database = database
        self._small_rows = small_rows
        self._store = IndexStore(database)
        self._words = PostgresqlWordIndex(read)
        self._reader = PostgresqlReader(database)
        self._small = SmallPartitions(self._reader)
        self._vectors = PostgresqlVectors()
        self.graphs = PostgresqlGraphs(database)
        self._partitions: dict[str, tuple[str, ...]] = {}
        self._expected: dict[PartitionKey, ExpectedState] = {}
        self._passing = PassingCache()

    async def prepare(self) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_LOCK_SCHEMA)
            await self._words.prepare(transaction)
            await self._vectors.prepare(transaction)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)
        await self._create_spaces(namespace, spaces)

    async def _create_spaces(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_LOCK_SCHEMA)
            for space, model in spaces.items():
                await self._vectors.create(transaction, namespace, space, model.dim)

    async def upsert(
        self, namespace: str, entries: Sequence[IndexEntry], transaction: Transaction | None = None
    ) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def list_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        return await self._store.pending.read_rows(namespace, limit)

    async def count_unembedded(self, namespace: str) -> int:
        return await self._store.pending.count(namespace)

    async def claim_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        return await self._store.work.claim(namespace, limit)

    async def release_unembedded(self, namespace: str, rows: Sequence[UnembeddedRow]) -> None:
        await self._store.work.release(namespace, rows)

    async def read_embedding_status(self, namespace: str) -> EmbeddingStatus:
        return await self._store.work.read_status(namespace, await self.count_unembedded(namespace))

    async def give_vectors(self, namespace: str, rows: Sequence[EmbeddedRow]) -> int:
        async with self._database.transaction() as transaction:
            completed = await self._store.give_vectors(transaction, namespace, rows)
            for partition in sorted({row.row.partition for row in completed}):
                contents = {
                    row.row.position: hash_content(row.row.document.text)
                    for row in completed
                    if row.row.partition == partition
                }
                arrivals = dict.fromkeys(contents, await self._store.read_last_seq(transaction))
                await self._derive_vectors(transaction, (namespace, partition), contents, arrivals)
        return len(completed)

    async def refresh(self) -> bool:
        """Derive rows that another kind of index wrote into the store, and start building missing graphs. Nobody waits
        for the graphs. Return True: what this index writes is searchable with its commit."""
        rows = await self._database.fetch(_PARTITIONS)
        for namespace, partition, last, derived in rows:
            if as_int(derived) < as_int(last):
                await self._catch_up((str(namespace), str(partition)), as_int(last))
        self._partitions = _group_by_namespace(rows)
        await self.graphs.begin_building(_find_large(rows))
        return True

    async def await_searchable(
        self,
        namespace: str,  # noqa: ARG002
        as_of: int | None = None,  # noqa: ARG002
        *,
        whole: bool = False,  # noqa: ARG002
    ) -> int:
        """Return 0: what was stored is searchable."""
        return 0

    async def _catch_up(self, key: PartitionKey, last: int) -> None:
        # Another kind of index declared the spaces in the store alone, as in a home that was moved to PostgreSQL.
        await self._create_spaces(key[0], await self._store.read_spaces(key[0]))
        missing = True
        while missing:
            async with self._database.transaction() as transaction:
                missing = await self._derive_next(transaction, key, last)

    async def list_partitions(self, namespace: str) -> tuple[str, ...]:
        """Return the partitions known since the last refresh or own change. They never disappear, so they are
        cached."""
        if namespace not in self._partitions:
            self._partitions = _group_by_namespace(
                [(*key, 0, 0) for key in sorted(await self._store.read_partitions())]
            )
        return self._partitions.get(namespace, ())

    async def search(self, probe: Probe) -> Candidates:
        """Search. A small partition in memory takes one round trip, for its state. A large one takes two: the first
        brings the state, the postings and the nearest vectors, the second brings the rows of all candidates."""
        await self._store.filterable.check(probe.namespace, (*probe.filters, *probe.statistics_filters))
        try:
            return await self._search(probe)
        except Fault:
            raise
        except Exception:  # whatever the driver raises for a table that is gone, as after a change of the model
            if self._expected.pop((probe.namespace, probe.partition), None) is None:
                raise
        return await self._search(probe)

    async def _search(self, probe: Probe) -> Candidates:
        key = probe.namespace, probe.partition
        start = await self._start_search(key, probe)
        wanted_spaces = [space for space in (*probe.vectors, *probe.compared_vectors) if space in start.spaces]
        ranking = await self._rank(start, probe)
        if start.state.last <= self._small_rows:
            return await self._search_small(probe, start, ranking, wanted_spaces)
        return await self._search_large(probe, start, ranking, wanted_spaces)

    async def _search_small(
        self, probe: Probe, start: SearchStart, ranking: Bm25Ranking | None, spaces: Sequence[str]
    ) -> Candidates:
        key, state = start.terms.partition, start.state
        sources = {space: self._vectors.build_source(probe.namespace, space) for space in start.spaces}
        partition = await self._small.read_at(key, state, start.spaces, sources)
        rows = partition.find_valid(state)
        if probe.filters:
            rows = np.intersect1d(rows, await self._reader.read_passing(key, state, probe.filters), assume_unique=True)
        best = ranking.find_best_among(rows, probe.pool) if ranking is not None else _NO_WORDS
        near = [
            position
            for space in spaces
            if space in probe.vectors
            for position in partition.find_nearest(space, probe.vectors[space], rows, state.seq, probe.vector_pool)
        ]
        positions, scores = _merge(best, near)
        vectors = {space: partition.read_vectors(space, positions, state.seq) for space in spaces}
        ids = [partition.ids[position - 1] for position in positions.tolist()]

        async def read_ids(rows: Sequence[int]) -> list[str]:
            return [ids[row] for row in rows]

        return Candidates(scores, vectors, read_ids, ranking.bound if ranking is not None else 0.0)

    async def _search_large(
        self, probe: Probe, start: SearchStart, ranking: Bm25Ranking | None, wanted_spaces: Sequence[str]
    ) -> Candidates:
        key, state, few, near = start.terms.partition, start.state, start.few, start.answer.near
        filters = probe.filters if few is None else ()
        best, requested = _NO_WORDS, probe.pool * (_FILTERED_SLACK if filters else 1) + _SLACK
        sources = {space: self._vectors.build_source(probe.namespace, space) for space in wanted_spaces}
        # Of the best rows by words some have ended. If too few are left, request more.
        while True:
            if ranking is not None:
                best = ranking.find_best(requested) if few is None else ranking.find_best_among(few, requested)
            request = RowRequest(best[0].tolist(), probe.pool, near, filters)
            rows = await self._reader.read_rows(key, state, request, sources)
            found = [rank for rank, position in enumerate(request.words) if position in rows][: probe.pool]
            if len(found) >= probe.pool or len(best[0]) < requested:
                break
            requested *= _GROWTH
        positions, scores = _merge((best[0][found], best[1][found]), near)
        spaces = {space: start.spaces[space] for space in wanted_spaces}
        vectors, read_ids = rows.build_vectors(positions, spaces), rows.build_id_reader(positions)
        return Candidates(scores, vectors, read_ids, ranking.bound if ranking is not None else 0.0)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filterable.check(namespace, filters)
        partitions = await self.list_partitions(namespace)
        if not partitions:
            await self._store.check_seq(as_of)
        return sum([await self._reader.count((namespace, partition), as_of, filters) for partition in partitions])

    async def fetch_documents(
        self, namespace: str, ids: Sequence[str], as_of: int | None = None
    ) -> dict[str, Document]:
        return await self._store.read_documents(namespace, ids, FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
        await self._create_spaces(namespace, await self._store.read_spaces(namespace))
        await self.graphs.stop()
        async with self._database.transaction() as transaction:
            await transaction.execute(_LOCK_DERIVATION)
            await self.graphs.stop_others(transaction)
            await self._words.delete(transaction, namespace)
            for space in await self._store.read_spaces(namespace):
                await self._vectors.delete(transaction, namespace, space)
        await self.refresh()
        await self.graphs.wait()

    async def _write(
        self, namespace: str, entries: Sequence[IndexEntry], removed: Sequence[str], transaction: Transaction | None
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

    async def _derive_next(self, transaction: Transaction, key: PartitionKey, last: int) -> bool:
        """Derive some of the missing rows. Return whether there were any."""
        await transaction.execute(_LOCK_DERIVATION)
        derived, totals = await self._words.read_last_row(transaction, key)
        rows = await transaction.fetch(_NEXT_ROWS, (*key, derived, _BATCH_ROWS)) if derived < last else []
        versions = [read_version(row) for row in rows]
        if versions:
            await self._words.add(transaction, key, versions, totals)
            embedded = [version for version in versions if version.vectors_since < FOREVER]
            contents = {version.position: version.content_hash for version in embedded}
            arrivals = {version.position: version.vectors_since for version in embedded}
            await self._derive_vectors(transaction, key, contents, arrivals)
            if _has_doubled(derived, versions[-1].position):
                await transaction.execute(_ANALYZE)
        return bool(versions)

    async def _derive_vectors(
        self, transaction: Transaction, key: PartitionKey, contents: Mapping[int, bytes], arrivals: Mapping[int, int]
    ) -> None:
        for space, model in (await self._store.read_spaces(key[0])).items():
            known = await self._store.read_vectors(model, sorted(set(contents.values())), transaction)
            rows = [
                (position, arrivals[position], known[content])
                for position, content in contents.items()
                if content in known
            ]
            await self._vectors.add(transaction, key, space, rows)

    async def _start_search(self, key: PartitionKey, probe: Probe) -> SearchStart:
        """Send the first query, and send it again if the answer shows another state than it assumed, which is rare."""
        expected, generation = self._expected.get(key), None
        while True:
            if expected is None:
                state, spaces = await self._reader.read_state(key, None)
                expected = ExpectedState(spaces, state.rebuilt, self._choose_width(state))
            terms = self._words.start_query(key, probe.terms, generation)
            passing = self._passing.get((key, expected.rebuilt, probe.filters))
            answer = read_answer(await self._reader.fetch(self._build_query(probe, terms, expected, passing)))
            state, spaces = parse_state(answer.state_json, probe.as_of)
            width = self._choose_width(state) if probe.as_of is None else expected.width
            former, expected, generation = expected, ExpectedState(spaces, state.rebuilt, width), state.rebuilt
            self._expected[key] = expected
            if former == expected and terms.is_current(state):
                break
        few = answer.few if answer.has_passing else passing.few
        if answer.has_passing:
            text = "{}" if few is None else format_array(few)
            self._passing.put((key, state.rebuilt, probe.filters), PassingRows(state.last, few, text))
        return SearchStart(state, spaces, terms, answer, few)

    def _build_query(self, probe: Probe, terms: TermQuery, expected: ExpectedState, passing: PassingRows) -> Statement:
        if not expected.width:
            return build_small_query(probe, terms.request_json)
        targets = [
            self._vectors.build_target(probe.namespace, space, vector)
            for space, vector in probe.vectors.items()
            if space in expected.spaces
        ]
        return build_large_query(probe, terms.request_json, targets, expected.width, passing)

    def _choose_width(self, state: PartitionState) -> int:
        return choose_graph_width(state.last) if state.last > self._small_rows else 0

    async def _rank(self, start: SearchStart, probe: Probe) -> Bm25Ranking | None:
        if not any(probe.terms.values()) or not start.state.last:
            return None
        population = await self._reader.read_population(start.terms.partition, start.state, probe.statistics_filters)
        return await self._words.rank(start.terms, start.answer.postings, start.state, population)


def _merge(words: tuple[Positions, Float64Array], near: Sequence[int]) -> tuple[Positions, Matrix]:
    """Return the positions of both retrievers, oldest first, and the word score of each."""
    positions = np.union1d(words[0], np.array(near, dtype=np.int64))
    scores = np.zeros(len(positions), dtype=np.float32)
    scores[np.searchsorted(positions, words[0])] = words[1]
    return positions, scores


def _group_by_namespace(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    """Return the partitions of each namespace, from rows sorted by namespace."""
    return {
        str(namespace): tuple(str(row[1]) for row in group) for namespace, group in groupby(rows, lambda row: row[0])
    }


def _find_large(rows: Sequence[Row]) -> dict[str, int]:
    """Return the namespaces with a partition that needs a graph, and how many rows each namespace has."""
    sizes: Counter[str] = Counter()
    for namespace, _, last, _ in rows:
        sizes[str(namespace)] += as_int(last)
    return {str(namespace): sizes[str(namespace)] for namespace, _, last, _ in rows if as_int(last) > SMALL_ROWS}


def _has_doubled(before: int, now: int) -> bool:
    """Return whether a partition crossed a power of two, after which its tables are analyzed again."""
    return now >= _ANALYZE_FROM_ROWS and before.bit_length() < now.bit_length()
