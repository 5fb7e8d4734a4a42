"""Meaning on PostgreSQL: a table for each vector space, in half precision as the store has it, with a graph of
pgvector's (HNSW) once there are more rows than are quickly compared one by one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, runtime_checkable

import numpy as np
import orjson

from sanya.engines.index.postgresql_filters import Condition, listed, where
from sanya.engines.index.postgresql_postings import Positions
from sanya.engines.index.postgresql_reading import Moment, PostgresqlReading
from sanya.engines.index.rows import Shelf, whole
from sanya.kernel.database import Database, Transaction, Value
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Probe

Placed = tuple[int, int, Matrix]
"""A position, the change that its vector came with, the vector."""

EXACT_ROWS = 10_000
"""Up to so many rows are compared one by one."""

_COPY_HEAD, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_LEAST_COPIED = 100

# How widely the graph is searched.
_EXPANSION = 100
# With a filter the graph is walked on until enough rows pass. Nothing but the graph gives the order without sorting
# every row, and a few rows are no work for several processes.
_SETTINGS = {
    "hnsw.ef_search": str(_EXPANSION),
    "hnsw.iterative_scan": "relaxed_order",
    "enable_sort": "off",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
_SEARCHING = "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in _SETTINGS.items())
# The offsets keep the planner from reading whole tables: rows are looked up one by one, in the order of distance, until
# enough are valid.
_VALID = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_documents d
    WHERE d.namespace = ? AND d.partition_name = ? AND d.position = e.position
    AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?) OFFSET 0) valid"""
_PASSING = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_rows r
    WHERE r.namespace = ? AND r.partition_name = ? AND r.position = e.position AND :where OFFSET 0) passing"""


@runtime_checkable
class Copying(Protocol):
    """A transaction that takes rows in the binary form."""

    async def copy_in(self, sql: str, data: bytes) -> None: ...


class PostgresqlVectors:
    def __init__(self, database: Database, reading: PostgresqlReading) -> None:
        self._database = database
        self._reading = reading
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

    async def nearest(self, probe: Probe, space: str, moment: Moment, few: Positions | None) -> list[int]:
        """By the graph. Few rows are all compared, and so are those of an earlier moment, because the graph's proposals
        change with what is added later."""
        exact = probe.as_of is not None or moment.last <= EXACT_ROWS or few is not None
        sql, values = self._statement(probe, space, few, exact)
        shelf = probe.namespace, probe.partition
        parameters = (_text(probe.vectors[space]), shelf[1], moment.last, moment.seq, *values)
        parameters = (*parameters, *shelf, moment.seq, moment.seq)
        if exact:
            return [whole(row[0]) for row in await self._database.fetch(sql, parameters)]
        _, rows = await self._reading.together([(_SEARCHING, ()), (sql, parameters)])
        return [whole(row[0]) for row in rows]

    def _statement(self, probe: Probe, space: str, few: Positions | None, exact: bool) -> Condition:
        """The values are those of the filters."""
        halves = f"{self._schema}.halfvec({len(probe.vectors[space])})"
        # As a query of its own the vector is read once: in a plan for any value, it would be for every row.
        distance = f"e.embedding OPERATOR({self._schema}.<#>) (SELECT ?::text::{halves})"
        among, passing = "", ""
        values: list[Value] = []
        if few is not None:
            among, values = " AND e.position IN (SELECT unnest(?::text::bigint[]))", [listed(few)]
        elif probe.filters:
            condition, of_filters = where(probe.filters)
            passing, values = _PASSING.replace(":where", condition), [probe.namespace, probe.partition, *of_filters]
        order = "distance, position" if exact else "distance"
        sql = f"""
            SELECT e.position FROM (
                SELECT e.position, {f"({distance}) + 0" if exact else distance} AS distance
                FROM {_table(probe.namespace, space)} e
                WHERE e.partition_name = ? AND e.position <= ? AND e.seq <= ?{among}
                ORDER BY {order}) e
            {passing} {_VALID}
            ORDER BY {order} LIMIT {probe.meaning_pool}"""  # noqa: S608
        return sql, values


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
