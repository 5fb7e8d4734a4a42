"""Erases documents from the store, every version of them, with the vectors that no other document uses.

Their rows stay, empty, because rows are numbered without gaps. Call `rebuild` afterwards to derive the index again.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanya.engines.index.store import hash_content
from sanya.kernel.storage.database import Transaction

_NOTHING = hash_content("")
_HASHES = "SELECT DISTINCT content_hash FROM retrieval_documents WHERE namespace = ? AND id = ?"
_EMPTY = """
UPDATE retrieval_documents
SET id = ?, texts = '[]', fields = '{}', content_hash = ?, to_seq = COALESCE(to_seq, from_seq)
WHERE namespace = ? AND id = ?"""
_UNUSED_VECTORS = """
DELETE FROM retrieval_vectors WHERE content_hash = ?
AND content_hash NOT IN (SELECT content_hash FROM retrieval_documents)"""


async def erase_documents(transaction: Transaction, namespace: str, ids: Sequence[str]) -> None:
    for document_id in ids:
        hashes = [row[0] for row in await transaction.fetch(_HASHES, (namespace, document_id))]
        # No document has this id, because ids hold no control characters.
        await transaction.execute(_EMPTY, ("\x7ferased", _NOTHING, namespace, document_id))
        for digest in hashes:
            await transaction.execute(_UNUSED_VECTORS, (digest,))
