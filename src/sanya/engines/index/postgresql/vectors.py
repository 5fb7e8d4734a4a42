"""Vectors on PostgreSQL: a table for each vector space, in half precision like the store, with a pgvector HNSW graph
once there are more rows than can be compared one by one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, runtime_checkable

import numpy as np
import orjson

from sanya.engines.index.postgresql.filters import format_array
from sanya.engines.index.postgresql.search_query import VectorTarget
from sanya.engines.index.rows import PartitionKey
from sanya.kernel.storage.database import Transaction
from sanya.retrieval.embedding import Matrix

VectorRow = tuple[int, int, Matrix]
"""A position, the change that brought its vector, the vector."""

_COPY_HEAD, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_MIN_COPIED_ROWS = 100


@runtime_checkable
class CopyTransaction(Protocol):
    """A transaction that can COPY rows in binary form."""

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
        table = _name_table(namespace, space)
        # STORAGE MAIN keeps vectors in the row: in a TOAST table each would take a lookup of its own.
        await transaction.execute(
            f"CREATE TABLE IF NOT EXISTS {table} (partition_name TEXT NOT NULL, position BIGINT NOT NULL, "
            f"seq BIGINT NOT NULL, embedding {self._schema}.halfvec({dim}) STORAGE MAIN NOT NULL, "
            "PRIMARY KEY (partition_name, position))"
        )

    async def add(self, transaction: Transaction, key: PartitionKey, space: str, rows: Sequence[VectorRow]) -> None:
        if not rows:
            return
        table, positions = _name_table(key[0], space), [position for position, _, _ in rows]
        if isinstance(transaction, CopyTransaction) and len(rows) >= _MIN_COPIED_ROWS:
            # COPY fails on rows that exist.
            await transaction.execute(
                f"DELETE FROM {table} WHERE partition_name = ? AND position IN (SELECT unnest(?::text::bigint[]))",  # noqa: S608
                (key[1], format_array(positions)),
            )
            await transaction.copy_in(f"COPY {table} FROM STDIN (FORMAT binary)", encode_copy(key[1], rows))
            return
        await transaction.execute_many(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?::text::{self._schema}.halfvec) ON CONFLICT DO NOTHING",  # noqa: S608
            [(key[1], position, seq, _format_vector(vector)) for position, seq, vector in rows],
        )

    async def delete(self, transaction: Transaction, namespace: str, space: str) -> None:
        """Delete all vectors and the graph: building it once is much faster than growing it row by row."""
        await transaction.execute(f"DROP INDEX IF EXISTS {_name_table(namespace, space)}_graph")
        await transaction.execute(f"TRUNCATE {_name_table(namespace, space)}")

    def build_target(self, namespace: str, space: str, vector: Matrix) -> VectorTarget:
        # In a subquery the vector is parsed once. As a plain parameter, a generic plan would parse it for every row.
        halves = f"{self._schema}.halfvec({len(vector)})"
        distance = f"e.embedding OPERATOR({self._schema}.<#>) (SELECT ?::text::{halves})"
        return VectorTarget(_name_table(namespace, space), distance, _format_vector(vector))

    def build_source(self, namespace: str, space: str) -> str:
        """Return SQL for a subquery that gives each row's vector in binary form."""
        vector = f"{self._schema}.halfvec_send(embedding) AS vector"
        return f"(SELECT partition_name, position, seq, {vector} FROM {_name_table(namespace, space)})"  # noqa: S608


async def drop_space(transaction: Transaction, namespace: str, space: str) -> None:
    """Drop the table of a space: the vectors of another model may have another dimension."""
    await transaction.execute(f"DROP TABLE IF EXISTS {_name_table(namespace, space)}")


def _name_table(namespace: str, space: str) -> str:
    """Return a table name that is safe in SQL, where names cannot be parameters."""
    return f"retrieval_meaning_{sha256(f'{namespace} {space}'.encode()).hexdigest()[:16]}"


def encode_copy(partition: str, rows: Sequence[VectorRow]) -> bytes:
    """Encode rows in the binary form of COPY, each column with its size before it. The server parses no text."""
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


def _format_vector(vector: Matrix) -> str:
    return orjson.dumps(_round_to_half(vector), option=orjson.OPT_SERIALIZE_NUMPY).decode("ascii")


def _round_to_half(vector: Matrix) -> Matrix:
    """Round to the precision of the table: PostgreSQL refuses a number too small for it."""
    return vector.astype(np.float16).astype(np.float32)
