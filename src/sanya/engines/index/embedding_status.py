"""Reads from the database alone how much of each namespace awaits its vectors: for `/health`, `/metrics` and `doctor`,
which open no search."""

from __future__ import annotations

from sanya.kernel.clock import read_clock
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding_status import EmbeddingStatus

RATE_MS = 120_000
"""A process that stored no vectors for so long is not embedding any more."""

_AWAITING = """
SELECT l.namespace, count(*)
FROM retrieval_late_vectors l CROSS JOIN retrieval_documents d
WHERE d.namespace = l.namespace AND d.partition_name = l.partition_name AND d.position = l.position
AND l.seq IS NULL AND d.to_seq IS NULL GROUP BY l.namespace ORDER BY l.namespace"""
_RATES = "SELECT namespace, documents, took_ms FROM retrieval_embedding_rates WHERE seen_ms > ?"


async def read_embedding_statuses(database: Database) -> dict[str, EmbeddingStatus]:
    """Return the state of every namespace with documents that await their vectors."""
    awaiting = {str(namespace): int(str(count)) for namespace, count in await database.fetch(_AWAITING)}
    if not awaiting:
        return {}
    since = round(read_clock().timestamp() * 1000) - RATE_MS
    rates = dict.fromkeys(awaiting, 0.0)
    for namespace, documents, took_ms in await database.fetch(_RATES, (since,)):
        if str(namespace) in rates:
            rates[str(namespace)] += 1000 * int(str(documents)) / int(str(took_ms))
    return {namespace: EmbeddingStatus(count, rates[namespace]) for namespace, count in awaiting.items()}
