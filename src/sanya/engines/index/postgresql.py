"""The index on PostgreSQL with pgvector: for a home that is served from several machines.

PostgreSQL's own text ranking is not BM25 and slow, so words are kept here as postings in a table, with the statistics
that BM25 needs; vectors have an HNSW graph of pgvector's. Both are written in the transaction of the change itself, so
there is nothing to heal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256

import numpy as np

from sanya.engines.index.postgresql_filters import where
from sanya.engines.index.store import IndexStore, Shelf, Version, version_of
from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.faults import StoreUnavailable
from sanya.retrieval.documents import Document, Filter, Text
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Entry, Probe

ReadTexts = Callable[[Sequence[Text], str], Mapping[str, Sequence[str]]]

_ROWS_AT_ONCE = 500
_FOREVER = 2**62

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS retrieval_postings (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, way TEXT NOT NULL, term BYTEA NOT NULL,
    position BIGINT NOT NULL, frequency INTEGER NOT NULL, length INTEGER NOT NULL,
    PRIMARY KEY (namespace, partition_name, way, term, position))""",
    """
CREATE TABLE IF NOT EXISTS retrieval_totals (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, way TEXT NOT NULL,
    documents BIGINT NOT NULL, length BIGINT NOT NULL,
    PRIMARY KEY (namespace, partition_name, way))""",
    """
CREATE TABLE IF NOT EXISTS retrieval_derived (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, position BIGINT NOT NULL,
    PRIMARY KEY (namespace, partition_name, position))""",
    """
CREATE INDEX IF NOT EXISTS retrieval_documents_by_field
ON retrieval_documents USING gin ((fields::jsonb) jsonb_path_ops)""",
)
_ADD_POSTINGS = """
INSERT INTO retrieval_postings (namespace, partition_name, way, term, position, frequency, length)
SELECT ?, ?, way, convert_to(term, 'UTF8'), position, frequency, length
FROM jsonb_to_recordset(?::jsonb) AS row(way TEXT, term TEXT, position BIGINT, frequency INTEGER, length INTEGER)"""
_ADD_TOTAL = """
INSERT INTO retrieval_totals (namespace, partition_name, way, documents, length) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (namespace, partition_name, way) DO UPDATE
SET documents = retrieval_totals.documents + excluded.documents, length = retrieval_totals.length + excluded.length"""
_VALID = "d.position <= ? AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)"
_MISSING = """
SELECT d.position, d.id, d.texts, d.fields, d.content_hash FROM retrieval_documents d
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? AND NOT EXISTS (
    SELECT 1 FROM retrieval_derived r
    WHERE r.namespace = d.namespace AND r.partition_name = d.partition_name AND r.position = d.position)
ORDER BY d.position LIMIT ?"""
# BM25 with tantivy's constants (k1 1.2, b 0.75), so that both engines rank alike.
_BY_WORDS = """
WITH asked AS (
    SELECT way, convert_to(term, 'UTF8') AS term, weight
    FROM jsonb_to_recordset(?::jsonb) AS row(way TEXT, term TEXT, weight DOUBLE PRECISION)
), found AS (
    SELECT p.position, p.frequency, p.length, a.weight, p.way, count(*) OVER (PARTITION BY p.way, p.term) AS spread
    FROM asked a JOIN retrieval_postings p
    ON p.namespace = ? AND p.partition_name = ? AND p.way = a.way AND p.term = a.term
)
SELECT f.position, sum(f.weight * ln(1 + (t.documents - f.spread + 0.5) / (f.spread + 0.5)) * f.frequency * 2.2
    / (f.frequency + 1.2 * (0.25 + 0.75 * f.length * t.documents / t.length::float8))) AS score
FROM found f
JOIN retrieval_totals t ON t.namespace = ? AND t.partition_name = ? AND t.way = f.way
JOIN retrieval_documents d ON d.namespace = ? AND d.partition_name = ? AND d.position = f.position
WHERE :where GROUP BY f.position ORDER BY score DESC, f.position LIMIT ?"""


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
        self._read = read
        self._schema = "public"

    async def prepare(self) -> None:
        async with self._database.transaction() as transaction:
            await transaction.execute("SELECT pg_advisory_xact_lock(7306080)")
            await transaction.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            for table in _TABLES:
                await transaction.execute(table)
            rows = await transaction.fetch(
                "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
            )
            self._schema = str(rows[0][0])

    async def declare(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        await self._store.declare(namespace, spaces)
        async with self._database.transaction() as transaction:
            await transaction.execute("SELECT pg_advisory_xact_lock(7306080)")
            for space, model in spaces.items():
                await self._create_space(transaction, _table(namespace, space), model.dim)

    async def upsert(self, namespace: str, entries: Sequence[Entry], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def refresh(self) -> None:
        """Only what another kind of index wrote into the store is missing here."""
        for shelf in await self._store.shelves():
            await self._derive_missing(shelf)

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(await self._store.shelves()) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        shelf = probe.namespace, probe.partition
        spaces = await self._store.spaces(probe.namespace)
        valid = await self._validity(shelf, probe.as_of, probe.filters)
        words = await self._by_words(probe, valid)
        brought = set(words)
        for space, vector in probe.vectors.items():
            if space in spaces:
                brought |= set(await self._by_meaning(probe, space, vector, valid))
        positions = sorted(brought)
        scores = np.array([words.get(position, 0.0) for position in positions], dtype=np.float32)
        asked = [space for space in (*probe.vectors, *probe.compared) if space in spaces]
        vectors = {space: await self._vectors(shelf, spaces[space], positions) for space in asked}
        return Candidates(scores, vectors, lambda rows: self._store.ids(shelf, [positions[row] for row in rows]))

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        total = 0
        for partition in await self.partitions(namespace):
            condition, values = await self._validity((namespace, partition), as_of, filters)
            sql = "SELECT count(*) FROM retrieval_documents d WHERE d.namespace = ? AND d.partition_name = ? AND :where"
            rows = await self._database.fetch(sql.replace(":where", condition), (namespace, partition, *values))
            total += _whole(rows[0][0])
        return total

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, _FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
        async with self._database.transaction() as transaction:
            for table in ("retrieval_postings", "retrieval_totals", "retrieval_derived"):
                await transaction.execute(
                    "DELETE FROM :table WHERE namespace = ?".replace(":table", table), (namespace,)
                )
            for space in await self._store.spaces(namespace):
                await transaction.execute(f"DELETE FROM {_table(namespace, space)}")  # noqa: S608
        await self.refresh()

    async def _write(
        self, namespace: str, entries: Sequence[Entry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is None:
            async with self._database.transaction() as own:
                return await self._write(namespace, entries, removed, own)
        seq = await self._store.write(transaction, namespace, entries, removed)
        for partition in sorted({entry.partition for entry in entries}):
            while rows := await transaction.fetch(_MISSING, (namespace, partition, 0, _ROWS_AT_ONCE)):
                await self._derive(transaction, (namespace, partition), [version_of(row) for row in rows])
        return seq

    async def _derive_missing(self, shelf: Shelf) -> None:
        while True:
            async with self._database.transaction() as transaction:
                await transaction.execute("SELECT pg_advisory_xact_lock(7306081)")
                rows = await transaction.fetch(_MISSING, (*shelf, 0, _ROWS_AT_ONCE))
                if not rows:
                    return
                await self._derive(transaction, shelf, [version_of(row) for row in rows])

    async def _derive(self, transaction: Transaction, shelf: Shelf, versions: Sequence[Version]) -> None:
        postings, totals = self._postings(versions, shelf[1])
        await transaction.execute(_ADD_POSTINGS, (*shelf, postings))
        await transaction.execute_many(_ADD_TOTAL, [(*shelf, way, len(versions), n) for way, n in totals.items()])
        await transaction.execute_many(
            "INSERT INTO retrieval_derived (namespace, partition_name, position) VALUES (?, ?, ?)",
            [(*shelf, version.position) for version in versions],
        )
        for space, model in (await self._store.spaces(shelf[0])).items():
            known = await self._store.vectors(model, sorted({one.content_hash for one in versions}), transaction)
            rows = [
                (shelf[1], one.position, _text(known[one.content_hash]))
                for one in versions
                if one.content_hash in known
            ]
            await transaction.execute_many(
                f"INSERT INTO {_table(shelf[0], space)} VALUES (?, ?, ?::text::{self._schema}.vector)",  # noqa: S608
                rows,
            )

    def _postings(self, versions: Sequence[Version], partition: str) -> tuple[str, dict[str, int]]:
        rows: list[dict[str, Value]] = []
        totals: dict[str, int] = {}
        for version in versions:
            for way, terms in self._read(version.texts, partition).items():
                totals[way] = totals.get(way, 0) + len(terms)
                for term, frequency in Counter(map(_storable, terms)).items():
                    rows.append(
                        {
                            "way": way,
                            "term": term,
                            "position": version.position,
                            "frequency": frequency,
                            "length": len(terms),
                        }
                    )
        return json.dumps(rows), totals

    async def _validity(self, shelf: Shelf, as_of: int | None, filters: Sequence[Filter]) -> tuple[str, list[Value]]:
        seq, last = await self._store.reached(shelf, seq=as_of)
        moment = seq if as_of is None else as_of
        condition, values = where(filters)
        return " AND ".join([_VALID, *condition]), [last, moment, moment, *values]

    async def _by_words(self, probe: Probe, valid: tuple[str, list[Value]]) -> dict[int, float]:
        asked = [
            {"way": way, "term": _storable(term), "weight": weight}
            for way, terms in probe.terms.items()
            for term, weight in terms.items()
        ]
        if not asked:
            return {}
        condition, values = valid
        shelf = probe.namespace, probe.partition
        rows = await self._database.fetch(
            _BY_WORDS.replace(":where", condition),
            (json.dumps(asked), *shelf, *shelf, *shelf, *values, probe.pool),
        )
        return {_whole(position): _number(score) for position, score in rows}

    async def _by_meaning(self, probe: Probe, space: str, vector: Matrix, valid: tuple[str, list[Value]]) -> list[int]:
        condition, values = valid
        sql = f"""
            SELECT e.position FROM {_table(probe.namespace, space)} e
            JOIN retrieval_documents d
            ON d.namespace = ? AND d.partition_name = e.partition_name AND d.position = e.position
            WHERE e.partition_name = ? AND {condition}
            ORDER BY e.embedding OPERATOR({self._schema}.<#>) ?::text::{self._schema}.vector LIMIT ?"""  # noqa: S608
        async with self._database.transaction() as transaction:
            # With a filter the graph is walked on until enough rows pass; the search stays exact in its order.
            await transaction.execute("SET LOCAL hnsw.iterative_scan = 'strict_order'")
            await transaction.execute(f"SET LOCAL hnsw.ef_search = {min(1000, max(40, probe.pool))}")
            parameters = (probe.namespace, probe.partition, *values, _text(vector), probe.pool)
            return [_whole(row[0]) for row in await transaction.fetch(sql, parameters)]

    async def _vectors(self, shelf: Shelf, model: Model, positions: Sequence[int]) -> Matrix:
        hashes = await self._store.hashes(shelf, positions)
        known = await self._store.vectors(model, sorted(set(hashes)))
        nothing = np.zeros(model.dim, dtype=np.float32)
        rows = [known.get(one, nothing) for one in hashes]
        return np.array(rows, dtype=np.float32).reshape(-1, model.dim)

    async def _create_space(self, transaction: Transaction, table: str, dim: int) -> None:
        await transaction.execute(
            f"CREATE TABLE IF NOT EXISTS {table} (partition_name TEXT NOT NULL, position BIGINT NOT NULL, "
            f"embedding {self._schema}.vector({dim}) NOT NULL, PRIMARY KEY (partition_name, position))"
        )
        await transaction.execute(
            f"CREATE INDEX IF NOT EXISTS {table}_graph ON {table} USING hnsw (embedding {self._schema}.vector_ip_ops)"
        )


def _table(namespace: str, space: str) -> str:
    """A name of our own making, because names in SQL cannot be parameters."""
    return f"retrieval_space_{sha256(f'{namespace} {space}'.encode()).hexdigest()[:16]}"


def _text(vector: Matrix) -> str:
    return "[" + ",".join(f"{number:.7g}" for number in vector.tolist()) + "]"


def _storable(term: str) -> str:
    """PostgreSQL's text takes no zero character and no half ones."""
    return term.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")[:1000]


def _whole(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)
