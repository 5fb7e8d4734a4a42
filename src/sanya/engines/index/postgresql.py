"""The index on PostgreSQL with pgvector: for a home that is served from several machines.

Postings and vectors are written in the transaction of the change itself, so there is nothing to heal.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import numpy as np

from sanya.engines.index.postgresql_filters import ALWAYS_COMPARED, passing
from sanya.engines.index.postgresql_postings import Positions
from sanya.engines.index.postgresql_reading import Moment, PostgresqlReading
from sanya.engines.index.postgresql_vectors import EXACT_ROWS, PostgresqlVectors
from sanya.engines.index.postgresql_words import PostgresqlWords, ReadTexts
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, Shelf, content_hash, version_of, whole
from sanya.engines.index.store import IndexStore
from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import StoreUnavailable
from sanya.retrieval.documents import Document, Filter
from sanya.retrieval.embedding import Model
from sanya.retrieval.index import Candidates, Embedded, Entry, Probe, Unembedded

Few = asyncio.Future[Positions | None]
"""The rows that filters let through, while they are asked for."""

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
_SLACK, _FILTERED_SLACK, _MORE = 16, 4, 8
# While tables grow by bulk, the server does not look by itself how large they are before a minute has passed.
_ANALYSE = "ANALYZE retrieval_documents, retrieval_vectors, retrieval_rows, retrieval_terms"
_FIRST_ANALYSED = 4096
# Tables are made, and rows derived, by one process at a time.
_MAKING, _DERIVING = "SELECT pg_advisory_xact_lock(7306080)", "SELECT pg_advisory_xact_lock(7306081)"


@asynccontextmanager
async def open_postgresql_index(database: Database, read: ReadTexts) -> AsyncIterator[PostgresqlIndex]:
    if database.dialect != "postgresql":
        raise StoreUnavailable("the index on PostgreSQL needs database_url to name a PostgreSQL server")
    index = PostgresqlIndex(database, read)
    await index.prepare()
    await index.refresh()
    yield index


class PostgresqlIndex:
    def __init__(self, database: Database, read: ReadTexts) -> None:
        self._database = database
        self._store = IndexStore(database)
        self._words = PostgresqlWords(database, read)
        self._vectors = PostgresqlVectors(database)
        self._reading = PostgresqlReading(database)

    async def prepare(self) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_MAKING)
            await self._words.prepare(transaction)
            await self._vectors.prepare(transaction)

    async def declare(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        await self._store.declare(namespace, spaces)
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
        """Only what another kind of index wrote into the store is missing here, and the graphs of large spaces."""
        rows = await self._database.fetch(_SHELVES)
        for namespace, partition, last, derived in rows:
            if whole(derived) < whole(last):
                await self._catch_up((str(namespace), str(partition)), whole(last))
        for namespace in sorted({str(row[0]) for row in rows if whole(row[2]) > EXACT_ROWS}):
            await self._build_graphs(namespace)

    async def _catch_up(self, shelf: Shelf, last: int) -> None:
        # Whoever wrote them declared their spaces to the store alone, as in a home that was moved here.
        await self._make_spaces(shelf[0], await self._store.spaces(shelf[0]))
        missing = True
        while missing:
            async with self._database.transaction() as transaction:
                missing = await self._derive_next(transaction, shelf, last)

    async def _build_graphs(self, namespace: str) -> None:
        for space in await self._store.spaces(namespace):
            if await self._vectors.lacks_graph(namespace, space):
                async with self._database.transaction() as transaction:
                    await transaction.execute(_MAKING)
                    await self._vectors.build_graph(transaction, namespace, space)

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(await self._store.shelves()) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        shelf = probe.namespace, probe.partition
        await self._store.check_moment(probe.as_of)
        moment, spaces = await self._reading.state(shelf, probe.as_of)
        few = asyncio.ensure_future(self._few(shelf, moment, probe.filters))
        ways = [self._by_meaning(probe, space, moment, few) for space in probe.vectors if space in spaces]
        words, near, _ = await asyncio.gather(self._by_words(probe, moment, few), asyncio.gather(*ways), few)
        positions = sorted({*words, *(position for way in near for position in way)})
        scores = np.array([words.get(position, 0.0) for position in positions], dtype=np.float32)
        asked = {space: spaces[space] for space in (*probe.vectors, *probe.compared) if space in spaces}
        names, vectors = await self._reading.rows(shelf, moment, positions, asked)
        return Candidates(scores, vectors, names)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.check_moment(as_of)
        total = 0
        for partition in await self.partitions(namespace):
            moment, _ = await self._reading.state((namespace, partition), as_of)
            total += await self._reading.count((namespace, partition), moment, filters)
        return total

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
        await self._make_spaces(namespace, await self._store.spaces(namespace))
        async with self._database.transaction() as transaction:
            await transaction.execute(_DERIVING)
            await self._words.delete(transaction, namespace)
            for space in await self._store.spaces(namespace):
                await self._vectors.delete(transaction, namespace, space)
        await self.refresh()

    async def _write(
        self, namespace: str, entries: Sequence[Entry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is None:
            async with self._database.transaction() as own:
                return await self._write(namespace, entries, removed, own)
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

    async def _few(self, shelf: Shelf, moment: Moment, filters: Sequence[Filter]) -> Positions | None:
        """The rows that the filters let through, where these are few; among few rows each is looked at anyway."""
        if not filters or moment.last <= ALWAYS_COMPARED:
            return None
        return await passing(self._database, shelf, moment.last, filters)

    async def _by_meaning(self, probe: Probe, space: str, moment: Moment, few: Few) -> list[int]:
        return await self._vectors.nearest(probe, space, moment, await few)

    async def _by_words(self, probe: Probe, moment: Moment, asked_few: Few) -> dict[int, float]:
        """The best rows and their scores: of few all are looked at, of many the best, until enough are valid."""
        if not any(probe.terms.values()) or not moment.last:
            return {}
        shelf = probe.namespace, probe.partition
        population = await self._reading.population(shelf, moment, probe.among)
        ranking = await self._words.ranking(shelf, probe.terms, moment, population)
        few = await asked_few
        looked_at = probe.pool * (_FILTERED_SLACK if probe.filters else 1) + _SLACK
        while True:
            rows, scores = ranking.best(looked_at) if few is None else ranking.best_among(few, looked_at)
            valid = await self._reading.valid(shelf, moment, rows, probe.filters if few is None else ())
            found = [(row, score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True) if row in valid]
            if len(found) >= probe.pool or len(rows) < looked_at:
                return dict(found[: probe.pool])
            looked_at *= _MORE


def _is_outgrown(before: int, now: int) -> bool:
    """Whether a shelf has become twice as large as when its tables were last analysed."""
    return now >= _FIRST_ANALYSED and before.bit_length() < now.bit_length()
