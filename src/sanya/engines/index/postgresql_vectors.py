"""Meaning on PostgreSQL: a table for each vector space, with a graph of pgvector's (HNSW)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from sanya.engines.index.postgresql_words import Condition
from sanya.engines.index.rows import Shelf, whole
from sanya.kernel.database import Database, Transaction
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Probe

Placed = tuple[int, int, Matrix]
"""A position, the change that its vector came with, the vector."""

_LEAST_EXPANSION, _MOST_EXPANSION = 40, 1000


class PostgresqlVectors:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._schema = "public"

    async def prepare(self, transaction: Transaction) -> None:
        await transaction.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        rows = await transaction.fetch(
            "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
        )
        self._schema = str(rows[0][0])

    async def create(self, transaction: Transaction, namespace: str, space: str, dim: int) -> None:
        table = _table(namespace, space)
        await transaction.execute(
            f"CREATE TABLE IF NOT EXISTS {table} (partition_name TEXT NOT NULL, position BIGINT NOT NULL, "
            f"seq BIGINT NOT NULL, embedding {self._schema}.vector({dim}) NOT NULL, "
            "PRIMARY KEY (partition_name, position))"
        )
        await transaction.execute(
            f"CREATE INDEX IF NOT EXISTS {table}_graph ON {table} USING hnsw (embedding {self._schema}.vector_ip_ops)"
        )

    async def add(self, transaction: Transaction, shelf: Shelf, space: str, rows: Sequence[Placed]) -> None:
        table = _table(shelf[0], space)
        await transaction.execute_many(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?::text::{self._schema}.vector) ON CONFLICT DO NOTHING",  # noqa: S608
            [(shelf[1], position, seq, _text(vector)) for position, seq, vector in rows],
        )

    async def delete(self, transaction: Transaction, namespace: str, space: str) -> None:
        await transaction.execute(f"DELETE FROM {_table(namespace, space)}")  # noqa: S608

    async def nearest(self, probe: Probe, space: str, valid: Condition, seq: int) -> list[int]:
        """By the graph; as of a moment all rows of that moment are compared, because the graph's proposals change with
        what is added later."""
        distance = f"e.embedding OPERATOR({self._schema}.<#>) ?::text::{self._schema}.vector"
        order = distance if probe.as_of is None else f"({distance}) + 0, e.position"
        condition, values = valid
        sql = f"""
            SELECT e.position FROM {_table(probe.namespace, space)} e
            JOIN retrieval_documents d
            ON d.namespace = ? AND d.partition_name = e.partition_name AND d.position = e.position
            WHERE e.partition_name = ? AND e.seq <= ? AND {condition}
            ORDER BY {order} LIMIT ?"""  # noqa: S608
        parameters = (probe.namespace, probe.partition, seq, *values, _text(probe.vectors[space]), probe.pool)
        async with self._database.transaction() as transaction:
            # With a filter the graph is walked on until enough rows pass; the search stays exact in its order.
            await transaction.execute("SET LOCAL hnsw.iterative_scan = 'strict_order'")
            expansion = min(_MOST_EXPANSION, max(_LEAST_EXPANSION, probe.pool))
            await transaction.execute(f"SET LOCAL hnsw.ef_search = {expansion}")
            return [whole(row[0]) for row in await transaction.fetch(sql, parameters)]


async def drop_space(transaction: Transaction, namespace: str, space: str) -> None:
    """Another model's vectors may have another length, which is the table's."""
    await transaction.execute(f"DROP TABLE IF EXISTS {_table(namespace, space)}")


def _table(namespace: str, space: str) -> str:
    """A name of our own making, because names in SQL cannot be parameters."""
    return f"retrieval_space_{sha256(f'{namespace} {space}'.encode()).hexdigest()[:16]}"


def _text(vector: Matrix) -> str:
    return "[" + ",".join(f"{number:.7g}" for number in vector.tolist()) + "]"
