"""The index on PostgreSQL with pgvector: for a home that is served from several machines.

Postings and vectors are written in the transaction of the change itself, so there is nothing to heal.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import numpy as np

from sanya.engines.index.postgresql_filters import where
from sanya.engines.index.postgresql_vectors import PostgresqlVectors
from sanya.engines.index.postgresql_words import TABLES, Condition, PostgresqlWords, ReadTexts
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, Shelf, Version, content_hash, version_of, whole
from sanya.engines.index.store import IndexStore
from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import StoreUnavailable
from sanya.retrieval.documents import Document, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Embedded, Entry, Probe, Unembedded

_ROWS_AT_ONCE = 500
_BY_FIELD = """
CREATE INDEX IF NOT EXISTS retrieval_documents_by_field
ON retrieval_documents USING gin ((fields::jsonb) jsonb_path_ops)"""
_VALID = "d.position <= ? AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)"
_NEXT = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? ORDER BY d.position LIMIT ?"""
_COUNT = "SELECT count(*) FROM retrieval_documents d WHERE d.namespace = ? AND d.partition_name = ? AND :where"
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

    async def prepare(self) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute(_MAKING)
            for table in (*TABLES, _BY_FIELD):
                await transaction.execute(table)
            await self._vectors.prepare(transaction)

    async def declare(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        await self._store.declare(namespace, spaces)
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
        """Only what another kind of index wrote into the store is missing here."""
        for shelf, last in (await self._store.shelves()).items():
            while True:
                async with self._database.transaction() as transaction:
                    if not await self._derive_next(transaction, shelf, last):
                        break

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(await self._store.shelves()) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        shelf = probe.namespace, probe.partition
        spaces = await self._store.spaces(probe.namespace)
        seq, last = await self._moment(shelf, probe.as_of)
        valid = _validity(seq, last, probe.filters)
        words = await self._words.best(probe, last, valid)
        brought = set(words)
        for space in probe.vectors:
            if space in spaces:
                brought |= set(await self._vectors.nearest(probe, space, valid, seq))
        positions = sorted(brought)
        scores = np.array([words.get(position, 0.0) for position in positions], dtype=np.float32)
        asked = [space for space in (*probe.vectors, *probe.compared) if space in spaces]
        lacking = await self._store.late.lacking(shelf, positions, seq)
        vectors = {space: await self._rows(shelf, spaces[space], positions, lacking) for space in asked}
        return Candidates(scores, vectors, lambda rows: self._store.ids(shelf, [positions[row] for row in rows]))

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        total = 0
        for partition in await self.partitions(namespace):
            condition, values = _validity(*await self._moment((namespace, partition), as_of), filters)
            rows = await self._database.fetch(_COUNT.replace(":where", condition), (namespace, partition, *values))
            total += whole(rows[0][0])
        return total

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
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
        derived, _ = await self._words.last_derived(transaction, shelf)
        rows = await transaction.fetch(_NEXT, (*shelf, derived, _ROWS_AT_ONCE)) if derived < last else []
        versions = [version_of(row) for row in rows]
        if versions:
            await self._derive(transaction, shelf, versions)
        return bool(versions)

    async def _derive(self, transaction: Transaction, shelf: Shelf, versions: Sequence[Version]) -> None:
        await self._words.add(transaction, shelf, versions)
        embedded = [one for one in versions if one.vectors_since < FOREVER]
        contents = {one.position: one.content_hash for one in embedded}
        since = {one.position: one.vectors_since for one in embedded}
        await self._derive_vectors(transaction, shelf, contents, since)

    async def _derive_vectors(
        self, transaction: Transaction, shelf: Shelf, contents: Mapping[int, bytes], since: Mapping[int, int]
    ) -> None:
        for space, model in (await self._store.spaces(shelf[0])).items():
            known = await self._store.vectors(model, sorted(set(contents.values())), transaction)
            rows = [(position, since[position], known[one]) for position, one in contents.items() if one in known]
            await self._vectors.add(transaction, shelf, space, rows)

    async def _moment(self, shelf: Shelf, as_of: int | None) -> tuple[int, int]:
        """The change whose state is searched, and the number of rows that there were then."""
        await self._store.check_moment(as_of)
        seq, last = await self._store.reached(shelf, seq=as_of)
        return (seq if as_of is None else as_of), last

    async def _rows(self, shelf: Shelf, model: Model, positions: Sequence[int], lacking: set[int]) -> Matrix:
        hashes = await self._store.hashes(shelf, positions)
        known = await self._store.vectors(model, sorted(set(hashes)))
        rows = np.zeros((len(positions), model.dim), dtype=np.float32)
        for at, (position, one) in enumerate(zip(positions, hashes, strict=True)):
            if position not in lacking and one in known:
                rows[at] = known[one]
        return rows


def _validity(seq: int, last: int, filters: Sequence[Filter]) -> Condition:
    condition, values = where(filters)
    return " AND ".join([_VALID, *condition]), [last, seq, seq, *values]
