"""Vectors that come after their documents: which rows await them, and with which change they came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sanya.engines.index.rows import Shelf, raw, read_document, whole
from sanya.kernel.database import Database, Row, Transaction
from sanya.kernel.sql import expand_in_list
from sanya.retrieval.documents import Document
from sanya.retrieval.index import Embedded, Unembedded

Arrival = tuple[int, int, bytes]
"""A position, the change that its vectors came with, what was embedded."""

_PARTITIONS = "SELECT name FROM retrieval_counters WHERE name >= ? AND name < ?"
# All that a change brings as one row after the other, in one statement.
_AWAIT = """
WITH RECURSIVE awaiting (position) AS (
    SELECT CAST(? AS BIGINT) UNION ALL SELECT position + 1 FROM awaiting WHERE position < ?)
INSERT INTO retrieval_late_vectors (namespace, partition_name, position, seq)
SELECT ?, ?, position, NULL FROM awaiting"""
_ARRIVE = """
UPDATE retrieval_late_vectors SET seq = ?
WHERE namespace = ? AND partition_name = ? AND position = ? AND seq IS NULL"""
# A version that was replaced before its vectors came is in no state that could show them. Few rows await vectors and
# many are valid: SQLite begins with the former when the join is a cross one, and else with the latter.
_AWAITING = """
FROM retrieval_late_vectors l CROSS JOIN retrieval_documents d
WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
AND l.namespace = ? AND l.seq IS NULL AND d.to_seq IS NULL"""
# Of one partition, where the order of positions is that of changes: so nobody looks at more rows than are wanted.
_UNEMBEDDED = f"""
SELECT d.from_seq, d.partition_name, d.position, d.id, d.texts, d.fields {_AWAITING} AND l.partition_name = ?
ORDER BY l.position LIMIT ?"""
_IS_AWAITING = """
SELECT 1 FROM retrieval_late_vectors
WHERE namespace = ? AND partition_name = ? AND position = ? AND seq IS NULL"""
_ARRIVED = """
SELECT l.position, l.seq, d.content_hash FROM retrieval_late_vectors l JOIN retrieval_documents d
ON d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
WHERE l.namespace = ? AND l.partition_name = ? AND l.seq > ? AND l.seq <= ? AND l.position <= ?
ORDER BY l.seq, l.position LIMIT ? OFFSET ?"""
_LACKING = """
SELECT position FROM retrieval_late_vectors
WHERE namespace = ? AND partition_name = ? AND position IN (:values) AND (seq IS NULL OR seq > ?)"""


class LateVectors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, namespace: str) -> int:
        rows = await self._database.fetch(f"SELECT count(*) {_AWAITING}", (namespace,))
        return whole(rows[0][0])

    async def unembedded(self, namespace: str, limit: int) -> list[Unembedded]:
        prefix = f"position {namespace} "
        names = await self._database.fetch(_PARTITIONS, (prefix, prefix + "\x7f"), touches=1)
        rows: list[Row] = []
        for (name,) in names:
            rows += await self._database.fetch(_UNEMBEDDED, (namespace, str(name).removeprefix(prefix), limit))
        rows.sort(key=lambda row: (whole(row[0]), str(row[1]), whole(row[2])))
        return [
            Unembedded(str(partition), whole(position), Document(str(one), *read_document(texts, fields)))
            for _, partition, position, one, texts, fields in rows[:limit]
        ]

    async def arrived(self, shelf: Shelf, after: int, until: int, rows: int, page: tuple[int, int]) -> list[Arrival]:
        """The vectors that came with the changes beyond `after`, up to `until`, for the first `rows` rows: position,
        change, content. `page` is how many of them, beginning where."""
        found = await self._database.fetch(_ARRIVED, (*shelf, after, until, rows, *page))
        return [(whole(position), whole(seq), raw(content)) for position, seq, content in found]

    async def lacking(self, shelf: Shelf, positions: Sequence[int], seq: int) -> set[int]:
        """Those of the rows that had no vectors yet after the change `seq`."""
        if not positions:
            return set()
        rows = await self._database.fetch(expand_in_list(_LACKING, positions), (*shelf, *positions, seq))
        return {whole(row[0]) for row in rows}


async def await_vectors(transaction: Transaction, shelf: Shelf, positions: Sequence[int]) -> None:
    for first, last in _runs(positions):
        await transaction.execute(_AWAIT, (first, last, *shelf))


def _runs(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of each run of neighbours."""
    for _, run in groupby(enumerate(positions), lambda one: one[1] - one[0]):
        own = [position for _, position in run]
        yield own[0], own[-1]


async def still_awaiting(transaction: Transaction, namespace: str, rows: Sequence[Embedded]) -> list[Embedded]:
    """The rows that nobody else has embedded meanwhile."""
    return [
        one for one in rows if await transaction.fetch(_IS_AWAITING, (namespace, one.row.partition, one.row.position))
    ]


async def arrive(transaction: Transaction, namespace: str, rows: Sequence[Embedded], seq: int) -> None:
    await transaction.execute_many(_ARRIVE, [(seq, namespace, one.row.partition, one.row.position) for one in rows])
