"""Vectors that come after their documents: which rows await them, and with which change they came."""

from __future__ import annotations

from collections.abc import Sequence

from sanya.engines.index.rows import Shelf, among, raw, read_document, whole
from sanya.kernel.database import Database, Transaction
from sanya.retrieval.documents import Document
from sanya.retrieval.index import Embedded, Unembedded

Arrival = tuple[int, int, bytes]
"""A position, the change that its vectors came with, what was embedded."""

_AWAIT = "INSERT INTO retrieval_late_vectors (namespace, partition_name, position, seq) VALUES (?, ?, ?, NULL)"
_ARRIVE = """
UPDATE retrieval_late_vectors SET seq = ?
WHERE namespace = ? AND partition_name = ? AND position = ? AND seq IS NULL"""
# A version that was replaced before its vectors came is in no state that could show them. Few rows await vectors and
# many are valid: SQLite begins with the former when the join is a cross one, and else with the latter.
_AWAITING = """
FROM retrieval_late_vectors l CROSS JOIN retrieval_documents d
WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
AND l.namespace = ? AND l.seq IS NULL AND d.to_seq IS NULL"""
_UNEMBEDDED = f"""
SELECT d.partition_name, d.position, d.id, d.texts, d.fields {_AWAITING}
ORDER BY d.from_seq, d.partition_name, d.position LIMIT ?"""
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
WHERE namespace = ? AND partition_name = ? AND position IN (:some) AND (seq IS NULL OR seq > ?)"""


class LateVectors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, namespace: str) -> int:
        rows = await self._database.fetch(f"SELECT count(*) {_AWAITING}", (namespace,))
        return whole(rows[0][0])

    async def unembedded(self, namespace: str, limit: int) -> list[Unembedded]:
        rows = await self._database.fetch(_UNEMBEDDED, (namespace, limit))
        return [
            Unembedded(str(partition), whole(position), Document(str(one), *read_document(texts, fields)))
            for partition, position, one, texts, fields in rows
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
        rows = await self._database.fetch(among(_LACKING, positions), (*shelf, *positions, seq))
        return {whole(row[0]) for row in rows}


async def await_vectors(transaction: Transaction, shelf: Shelf, positions: Sequence[int]) -> None:
    await transaction.execute_many(_AWAIT, [(*shelf, position) for position in positions])


async def still_awaiting(transaction: Transaction, namespace: str, rows: Sequence[Embedded]) -> list[Embedded]:
    """The rows that nobody else has embedded meanwhile."""
    return [
        one for one in rows if await transaction.fetch(_IS_AWAITING, (namespace, one.row.partition, one.row.position))
    ]


async def arrive(transaction: Transaction, namespace: str, rows: Sequence[Embedded], seq: int) -> None:
    await transaction.execute_many(_ARRIVE, [(seq, namespace, one.row.partition, one.row.position) for one in rows])
