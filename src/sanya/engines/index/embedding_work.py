"""Shares the embedding of a namespace among processes: claims on rows, and the rate at which they are embedded.

A server and `sanya search embed` beside it take rows from the same list. Without claims both would take the newest rows
and embed every text twice. A claim is no lock: a process that outlives its claim still stores its vectors, and rows
that got theirs meanwhile are skipped. A claim ends after a minute, or at once if its process on this machine is gone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from platform import node as read_host_name
from uuid import uuid4

from sanya.engines.index.embedding_status import RATE_MS
from sanya.engines.index.pending_vectors import FROM_PENDING, read_unembedded, select_partitions
from sanya.engines.index.rows import as_int
from sanya.kernel.clock import read_clock
from sanya.kernel.storage.database import Database, Row, Transaction
from sanya.retrieval.embedding_status import EmbeddingStatus
from sanya.retrieval.index import UnembeddedRow

_CLAIM_MS = 60_000
_PROCESS = uuid4().hex

# Changing nothing takes the lock of the counter: two processes never claim the same rows.
_LOCK = "UPDATE retrieval_counters SET value = value WHERE name = 'seq'"
_DROP_STALE = "DELETE FROM retrieval_embedding_claims WHERE claimed_ms <= ? OR namespace = ? AND claimant = ?"
_CLAIMANTS = "SELECT DISTINCT claimant FROM retrieval_embedding_claims"
_DROP_CLAIMANT = "DELETE FROM retrieval_embedding_claims WHERE claimant = ?"
# The newest first: what was added last is asked for soonest.
_SELECT_UNCLAIMED = f"""
SELECT d.from_seq, d.partition_name, d.position, d.id, d.texts, d.fields {FROM_PENDING} AND l.partition_name = ?
AND NOT EXISTS (SELECT 1 FROM retrieval_embedding_claims c WHERE c.namespace = l.namespace
    AND c.partition_name = l.partition_name AND c.position = l.position)
ORDER BY l.position DESC LIMIT ?"""  # noqa: S608
_CLAIM = """
INSERT INTO retrieval_embedding_claims (namespace, partition_name, position, claimant, claimed_ms)
VALUES (?, ?, ?, ?, ?)"""
_CLAIMED_SINCE = "SELECT min(claimed_ms) FROM retrieval_embedding_claims WHERE namespace = ? AND claimant = ?"
_DROP = """
DELETE FROM retrieval_embedding_claims
WHERE namespace = ? AND partition_name = ? AND position = ? AND claimant = ?"""
_RECORD_RATE = """
INSERT INTO retrieval_embedding_rates (namespace, claimant, documents, took_ms, seen_ms) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (namespace, claimant) DO UPDATE
SET documents = excluded.documents, took_ms = excluded.took_ms, seen_ms = excluded.seen_ms"""
_DROP_OLD_RATES = "DELETE FROM retrieval_embedding_rates WHERE seen_ms <= ?"
_RATES = "SELECT documents, took_ms FROM retrieval_embedding_rates WHERE namespace = ? AND seen_ms > ?"


class EmbeddingWork:
    def __init__(
        self, database: Database, clock: Callable[[], datetime] = read_clock, claimant: str | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._claimant = claimant or f"{read_host_name()} {os.getpid()} {_PROCESS}"

    async def claim(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        """Return rows that wait for vectors and that no other process is embedding, and claim them."""
        now = self._read_ms()
        async with self._database.transaction() as transaction:
            await transaction.execute(_LOCK)
            await self._drop_stale(transaction, namespace, now)
            rows: list[Row] = []
            for partition in await select_partitions(transaction, namespace):
                rows += await transaction.fetch(_SELECT_UNCLAIMED, (namespace, partition, limit))
            rows.sort(key=lambda row: (-as_int(row[0]), str(row[1]), -as_int(row[2])))
            claimed = [read_unembedded(row) for row in rows[:limit]]
            await transaction.execute_many(
                _CLAIM, [(namespace, row.partition, row.position, self._claimant, now) for row in claimed]
            )
        return claimed

    async def release(self, namespace: str, rows: Sequence[UnembeddedRow]) -> None:
        """Give up rows that were not embedded."""
        async with self._database.transaction() as transaction:
            await self._drop(transaction, namespace, rows)

    async def finish(self, transaction: Transaction, namespace: str, rows: Sequence[UnembeddedRow]) -> None:
        """End the claims on rows whose vectors are stored in this transaction, and record how long they took."""
        now = self._read_ms()
        ((since,),) = await transaction.fetch(_CLAIMED_SINCE, (namespace, self._claimant))
        await self._drop(transaction, namespace, rows)
        if since is not None:
            await transaction.execute(_DROP_OLD_RATES, (now - RATE_MS,))
            values = (namespace, self._claimant, len(rows), max(1, now - as_int(since)), now)
            await transaction.execute(_RECORD_RATE, values)

    async def read_status(self, namespace: str, awaiting: int) -> EmbeddingStatus:
        rates = await self._database.fetch(_RATES, (namespace, self._read_ms() - RATE_MS)) if awaiting else []
        return EmbeddingStatus(awaiting, sum(1000 * as_int(count) / as_int(took_ms) for count, took_ms in rates))

    async def _drop_stale(self, transaction: Transaction, namespace: str, now: int) -> None:
        # A process embeds a namespace batch by batch: a claim of its own is that of a batch that failed.
        await transaction.execute(_DROP_STALE, (now - _CLAIM_MS, namespace, self._claimant))
        for (claimant,) in await transaction.fetch(_CLAIMANTS):
            if _is_gone(str(claimant)):
                await transaction.execute(_DROP_CLAIMANT, (str(claimant),))

    async def _drop(self, transaction: Transaction, namespace: str, rows: Sequence[UnembeddedRow]) -> None:
        await transaction.execute_many(
            _DROP, [(namespace, row.partition, row.position, self._claimant) for row in rows]
        )

    def _read_ms(self) -> int:
        return round(self._clock().timestamp() * 1000)


def _is_gone(claimant: str) -> bool:
    """Return whether the claimant ran on this machine and runs no more. Of other machines nothing is known."""
    host, pid, _ = claimant.rsplit(" ", 2)
    if host != read_host_name() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)  # sends nothing: it asks whether the process is there
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
