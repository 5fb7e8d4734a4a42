"""Prepares a namespace for another embedding model: drops its vectors and marks every current document as pending.

Earlier states keep their words. Vectors of the former model are never compared with those of the new one.
"""

from __future__ import annotations

from sanya.kernel.storage.database import Database

_CURRENT = """
SELECT 1 FROM retrieval_documents d WHERE d.namespace = retrieval_late_vectors.namespace
AND d.partition_name = retrieval_late_vectors.partition_name AND d.position = retrieval_late_vectors.position
AND d.to_seq IS NULL"""
_AWAIT_AGAIN = f"UPDATE retrieval_late_vectors SET seq = NULL WHERE namespace = ? AND EXISTS ({_CURRENT})"  # noqa: S608
_AWAIT = """
INSERT INTO retrieval_late_vectors (namespace, partition_name, position, seq)
SELECT d.namespace, d.partition_name, d.position, NULL FROM retrieval_documents d
WHERE d.namespace = ? AND d.to_seq IS NULL AND NOT EXISTS (
    SELECT 1 FROM retrieval_late_vectors l
    WHERE l.namespace = d.namespace AND l.partition_name = d.partition_name AND l.position = d.position)"""


async def reset_embeddings(database: Database, namespace: str) -> None:
    async with database.transaction() as transaction:
        spaces = await transaction.fetch("SELECT space FROM retrieval_spaces WHERE namespace = ?", (namespace,))
        await transaction.execute("DELETE FROM retrieval_spaces WHERE namespace = ?", (namespace,))
        await transaction.execute("DELETE FROM retrieval_embedding_claims WHERE namespace = ?", (namespace,))
        await transaction.execute(_AWAIT_AGAIN, (namespace,))
        await transaction.execute(_AWAIT, (namespace,))
        if database.dialect == "postgresql":
            from sanya.engines.index.postgresql.vectors import drop_space

            for (space,) in spaces:
                await drop_space(transaction, namespace, str(space))
