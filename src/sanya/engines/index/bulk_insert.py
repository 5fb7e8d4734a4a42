"""Inserts many rows into the store. On PostgreSQL one statement takes them all: a statement for each row costs ten
times what the rows do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import orjson

from sanya.engines.index.rows import as_bytes
from sanya.kernel.storage.database import Database, Transaction, Value
from sanya.kernel.storage.sql import format_placeholders

StoredRow = tuple[Value, ...]

_COLUMNS = ("namespace", "partition_name", "position", "id", "from_seq", "texts", "fields", "content_hash")
_ADD_DOCUMENT = f"""
INSERT INTO retrieval_documents ({", ".join(_COLUMNS)}) VALUES ({format_placeholders(_COLUMNS)})"""  # noqa: S608
_ADD_DOCUMENTS = f"""
INSERT INTO retrieval_documents ({", ".join(_COLUMNS)})
SELECT {", ".join(_COLUMNS[:-1])}, decode(content_hash, 'hex') FROM json_to_recordset(?::json) AS row(
    namespace TEXT, partition_name TEXT, position BIGINT, id TEXT, from_seq BIGINT, texts TEXT, fields TEXT,
    content_hash TEXT)"""  # noqa: S608
_ADD_VECTOR = """
INSERT INTO retrieval_vectors (model_digest, content_hash, vector) VALUES (?, ?, ?)
ON CONFLICT (model_digest, content_hash) DO NOTHING"""
# All hashes come as one byte string and all vectors as another; the server splits them.
_ADD_VECTORS = """
INSERT INTO retrieval_vectors (model_digest, content_hash, vector)
SELECT ?, substring(?::bytea FROM 32 * n + 1 FOR 32), substring(?::bytea FROM :size * n + 1 FOR :size)
FROM generate_series(0, ?::int - 1) n
ON CONFLICT (model_digest, content_hash) DO NOTHING"""


async def add_documents(database: Database, transaction: Transaction, rows: Sequence[StoredRow]) -> None:
    """Insert rows of `retrieval_documents`, in the order of `_COLUMNS`."""
    if database.dialect == "postgresql":
        records = [dict(zip(_COLUMNS, (*row[:-1], as_bytes(row[-1]).hex()), strict=True)) for row in rows]
        await transaction.execute(_ADD_DOCUMENTS, (orjson.dumps(records).decode("utf-8"),))
    else:
        await transaction.execute_many(_ADD_DOCUMENT, rows)


async def add_vectors(database: Database, transaction: Transaction, rows: Sequence[StoredRow]) -> None:
    """Insert vectors: the digest of the model, the hash of the text, the vector. A vector that is there stays."""
    if database.dialect != "postgresql":
        await transaction.execute_many(_ADD_VECTOR, rows)
        return
    for (digest, size), group_rows in groupby(sorted(rows, key=_get_vector_group), _get_vector_group):
        group = list(group_rows)
        hashes, vectors = (b"".join(as_bytes(row[column]) for row in group) for column in (1, 2))
        sql = _ADD_VECTORS.replace(":size", str(size))
        await transaction.execute(sql, (digest, hashes, vectors, len(group)))


def _get_vector_group(row: StoredRow) -> tuple[str, int]:
    return str(row[0]), len(as_bytes(row[2]))
