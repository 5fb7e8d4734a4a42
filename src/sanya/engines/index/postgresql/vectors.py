"""Meaning on PostgreSQL: a table for each vector space, in half precision as the store has it, with a graph of
pgvector's (HNSW) once there are more rows than are quickly compared one by one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, runtime_checkable

import numpy as np
import orjson

from sanya.engines.index.postgresql.filters import listed
from sanya.engines.index.postgresql.search_query import Near
from sanya.engines.index.rows import Shelf
from sanya.kernel.database import Transaction
from sanya.retrieval.embedding import Matrix

Placed = tuple[int, int, Matrix]
"""A position, the change that its vector came with, the vector."""

_COPY_HEAD, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_LEAST_COPIED = 100


@runtime_checkable
class Copying(Protocol):
    """A transaction that takes rows in the binary form."""

    async def copy_in(self, sql: str, data: bytes) -> None: ...


class PostgresqlVectors:
    def __init__(self) -> None:
        self._schema = "public"

    async def prepare(self, transaction: Transaction) -> None:
        await transaction.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        rows = await transaction.fetch(
            "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
        )
        self._schema = str(rows[0][0])

    async def create(self, transaction: Transaction, namespace: str, space: str, dim: int) -> None:
        table = _table(namespace, space)
        # Vectors stand in the row itself: out of it, each would be fetched in a step of its own.
        await transaction.execute(
            f"CREATE TABLE IF NOT EXISTS {table} (partition_name TEXT NOT NULL, position BIGINT NOT NULL, "
            f"seq BIGINT NOT NULL, embedding {self._schema}.halfvec({dim}) STORAGE MAIN NOT NULL, "
            "PRIMARY KEY (partition_name, position))"
        )

    async def add(self, transaction: Transaction, shelf: Shelf, space: str, rows: Sequence[Placed]) -> None:
        if not rows:
            return
        table, positions = _table(shelf[0], space), [position for position, _, _ in rows]
        if isinstance(transaction, Copying) and len(rows) >= _LEAST_COPIED:
            # A copy stumbles over rows that are there.
            await transaction.execute(
                f"DELETE FROM {table} WHERE partition_name = ? AND position IN (SELECT unnest(?::text::bigint[]))",  # noqa: S608
                (shelf[1], listed(positions)),
            )
            await transaction.copy_in(f"COPY {table} FROM STDIN (FORMAT binary)", copied(shelf[1], rows))
            return
        await transaction.execute_many(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?::text::{self._schema}.halfvec) ON CONFLICT DO NOTHING",  # noqa: S608
            [(shelf[1], position, seq, _text(vector)) for position, seq, vector in rows],
        )

    async def delete(self, transaction: Transaction, namespace: str, space: str) -> None:
        """The graph with them: to build it once is much quicker than to let it grow row by row."""
        await transaction.execute(f"DROP INDEX IF EXISTS {_table(namespace, space)}_graph")
        await transaction.execute(f"TRUNCATE {_table(namespace, space)}")

    def near(self, namespace: str, space: str, vector: Matrix) -> Near:
        # As a query of its own the vector is read once: in a plan for any value, it would be for every row.
        halves = f"{self._schema}.halfvec({len(vector)})"
        distance = f"e.embedding OPERATOR({self._schema}.<#>) (SELECT ?::text::{halves})"
        return Near(_table(namespace, space), distance, _text(vector))

    def source(self, namespace: str, space: str) -> str:
        """Where vectors are read from, as SQL: each in its binary form, with the row that it stands in."""
        vector = f"{self._schema}.halfvec_send(embedding) AS vector"
        return f"(SELECT partition_name, position, seq, {vector} FROM {_table(namespace, space)})"  # noqa: S608


async def drop_space(transaction: Transaction, namespace: str, space: str) -> None:
    """Another model's vectors may have another length, which is the table's."""
    await transaction.execute(f"DROP TABLE IF EXISTS {_table(namespace, space)}")


def _table(namespace: str, space: str) -> str:
    """A name of our own making, because names in SQL cannot be parameters."""
    return f"retrieval_meaning_{sha256(f'{namespace} {space}'.encode()).hexdigest()[:16]}"


def copied(partition: str, rows: Sequence[Placed]) -> bytes:
    """Rows in the binary form that COPY takes, in which no number is read: each column with its size before it."""
    name, dim = partition.encode(), len(rows[0][2])
    columns = [("n", ">i2"), ("s0", ">i4"), ("partition", f"S{len(name)}"), ("s1", ">i4"), ("position", ">i8")]
    columns += [("s2", ">i4"), ("seq", ">i8"), ("s3", ">i4"), ("dim", ">i2"), ("unused", ">i2")]
    table = np.zeros(len(rows), dtype=[*columns, ("embedding", ">f2", (dim,))])
    constant = {"n": 4, "s0": len(name), "partition": name, "s1": 8, "s2": 8, "s3": 4 + 2 * dim, "dim": dim}
    for column, value in constant.items():
        table[column] = value
    table["position"] = [position for position, _, _ in rows]
    table["seq"] = [seq for _, seq, _ in rows]
    table["embedding"] = np.array([vector for _, _, vector in rows])
    return _COPY_HEAD + table.tobytes() + _COPY_END


def _text(vector: Matrix) -> str:
    return orjson.dumps(_halves(vector), option=orjson.OPT_SERIALIZE_NUMPY).decode("ascii")


def _halves(vector: Matrix) -> Matrix:
    """In the precision that the table has: a smaller number would be refused."""
    return vector.astype(np.float16).astype(np.float32)
