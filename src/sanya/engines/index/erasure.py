"""Takes documents out of the store for good, every version of them, with the vectors that nothing else was made from.

Their rows stay, empty, because rows are numbered without gaps; the derived part is made anew by `rebuild`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanya.engines.index.store import content_hash
from sanya.kernel.database import Transaction

_NOTHING = content_hash("")
_HASHES = "SELECT DISTINCT content_hash FROM retrieval_documents WHERE namespace = ? AND id = ?"
_EMPTY = """
UPDATE retrieval_documents
SET id = ?, texts = '[]', fields = '{}', content_hash = ?, to_seq = COALESCE(to_seq, from_seq)
WHERE namespace = ? AND id = ?"""
_UNUSED_VECTORS = """
DELETE FROM retrieval_vectors WHERE content_hash = ?
AND content_hash NOT IN (SELECT content_hash FROM retrieval_documents)"""


async def erase_documents(transaction: Transaction, namespace: str, ids: Sequence[str]) -> None:
    for one in ids:
        hashes = [row[0] for row in await transaction.fetch(_HASHES, (namespace, one))]
        # No document has this id: ids hold no control characters.
        await transaction.execute(_EMPTY, ("\x7ferased", _NOTHING, namespace, one))
        for digest in hashes:
            await transaction.execute(_UNUSED_VECTORS, (digest,))
