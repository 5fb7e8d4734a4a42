"""Vectors that arrive after their documents: which rows still wait for them, and which change brought them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sanya.engines.index.rows import PartitionKey, as_bytes, as_int, read_document
from sanya.kernel.storage.database import Database, Row, Transaction
from sanya.kernel.storage.sql import expand_in_list
from sanya.retrieval.documents import Document
from sanya.retrieval.index import EmbeddedRow, UnembeddedRow

Arrival = tuple[int, int, bytes]
"""A position, the change that brought its vectors, the hash of the embedded text."""

_PARTITIONS = "SELECT name FROM retrieval_counters WHERE name >= ? AND name < ?"
# Inserts a run of consecutive positions in one statement.
_INSERT_PENDING = """
WITH RECURSIVE awaiting (position) AS (
    SELECT CAST(? AS BIGINT) UNION ALL SELECT position + 1 FROM awaiting WHERE position < ?)
INSERT INTO retrieval_late_vectors (namespace, partition_name, position, seq)
SELECT ?, ?, position, NULL FROM awaiting"""
_MARK_ARRIVED = """
UPDATE retrieval_late_vectors SET seq = ?
WHERE namespace = ? AND partition_name = ? AND position = ? AND seq IS NULL"""
# A version that was replaced before its vectors came never shows them, so only current rows count. Few rows wait for
# vectors and many are current: CROSS JOIN makes SQLite start with the few.
FROM_PENDING = """
FROM retrieval_late_vectors l CROSS JOIN retrieval_documents d
WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
AND l.namespace = ? AND l.seq IS NULL AND d.to_seq IS NULL"""
# Within one partition, positions are in the order of changes, so the query reads no more rows than its limit.
_SELECT_PENDING = f"""
SELECT d.from_seq, d.partition_name, d.position, d.id, d.texts, d.fields {FROM_PENDING} AND l.partition_name = ?
ORDER BY l.position LIMIT ?"""
_IS_PENDING = """
SELECT 1 FROM retrieval_late_vectors
WHERE namespace = ? AND partition_name = ? AND position = ? AND seq IS NULL"""
_SELECT_ARRIVALS = """
SELECT l.position, l.seq, d.content_hash FROM retrieval_late_vectors l JOIN retrieval_documents d
ON d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
WHERE l.namespace = ? AND l.partition_name = ? AND l.seq > ? AND l.seq <= ? AND l.position <= ?
ORDER BY l.seq, l.position LIMIT ? OFFSET ?"""
_SELECT_WITHOUT_VECTORS = """
SELECT position FROM retrieval_late_vectors
WHERE namespace = ? AND partition_name = ? AND position IN (:values) AND (seq IS NULL OR seq > ?)"""


class PendingVectors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, namespace: str) -> int:
        rows = await self._database.fetch(f"SELECT count(*) {FROM_PENDING}", (namespace,))
        return as_int(rows[0][0])

    async def read_rows(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        rows: list[Row] = []
        for partition in await select_partitions(self._database, namespace):
            rows += await self._database.fetch(_SELECT_PENDING, (namespace, partition, limit))
        rows.sort(key=lambda row: (as_int(row[0]), str(row[1]), as_int(row[2])))
        return list(map(read_unembedded, rows[:limit]))

    async def read_arrivals(
        self, key: PartitionKey, after: int, until: int, rows: int, page: tuple[int, int]
    ) -> list[Arrival]:
        """Return the arrivals of the changes after `after`, up to `until`, among the first `rows` rows. `page` is a
        limit and an offset."""
        rows_found = await self._database.fetch(_SELECT_ARRIVALS, (*key, after, until, rows, *page))
        return [(as_int(position), as_int(seq), as_bytes(content)) for position, seq, content in rows_found]

    async def find_without_vectors(self, key: PartitionKey, positions: Sequence[int], seq: int) -> set[int]:
        """Return the rows that had no vectors yet after the change `seq`."""
        if not positions:
            return set()
        rows = await self._database.fetch(expand_in_list(_SELECT_WITHOUT_VECTORS, positions), (*key, *positions, seq))
        return {as_int(row[0]) for row in rows}


async def select_partitions(reader: Database | Transaction, namespace: str) -> list[str]:
    """Return the partitions of a namespace."""
    prefix = f"position {namespace} "
    return [str(name).removeprefix(prefix) for (name,) in await reader.fetch(_PARTITIONS, (prefix, prefix + "\x7f"))]


def read_unembedded(row: Row) -> UnembeddedRow:
    """Read a row of `_SELECT_PENDING`."""
    _, partition, position, document_id, texts, fields = row
    return UnembeddedRow(str(partition), as_int(position), Document(str(document_id), *read_document(texts, fields)))


async def await_vectors(transaction: Transaction, key: PartitionKey, positions: Sequence[int]) -> None:
    for first, last in _split_runs(positions):
        await transaction.execute(_INSERT_PENDING, (first, last, *key))


def _split_runs(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last position of each run of consecutive ones."""
    for _, run in groupby(enumerate(positions), lambda item: item[1] - item[0]):
        positions_of_run = [position for _, position in run]
        yield positions_of_run[0], positions_of_run[-1]


async def select_pending(transaction: Transaction, namespace: str, rows: Sequence[EmbeddedRow]) -> list[EmbeddedRow]:
    """Keep the rows that still wait: another process may have embedded some meanwhile."""
    return [
        row for row in rows if await transaction.fetch(_IS_PENDING, (namespace, row.row.partition, row.row.position))
    ]


async def mark_arrived(transaction: Transaction, namespace: str, rows: Sequence[EmbeddedRow], seq: int) -> None:
    await transaction.execute_many(
        _MARK_ARRIVED, [(seq, namespace, row.row.partition, row.row.position) for row in rows]
    )
