"""One hash over all that a namespace holds, to compare states."""

from __future__ import annotations

import json
from hashlib import sha256

from sanya.suites.memory.storage.reader import RowReader
from sanya.suites.memory.storage.records import RECORD_TYPES, list_columns


async def hash_namespace(rows: RowReader, namespace: str) -> str:
    """Hash all rows of a namespace, apart from the numbers under which they were written."""
    digest = sha256()
    for kind in RECORD_TYPES:
        columns = [name for name in list_columns(kind) if name not in ("revision", "arrival")]
        where = "namespace = ?"
        if "namespace" not in columns:
            where = "memory_id IN (SELECT id FROM memories WHERE namespace = ?)"
        found = await rows.fetch(f"SELECT {', '.join(columns)} FROM {kind.table} WHERE {where}", (namespace,))
        digest.update(json.dumps([kind.table, sorted(found, key=repr)]).encode())
    return digest.hexdigest()
