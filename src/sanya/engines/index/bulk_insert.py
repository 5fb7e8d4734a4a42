"""Many rows into the store at once. On PostgreSQL one statement takes them all: statements of their own cost ten times
what the rows do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import orjson

from sanya.engines.index.rows import raw
from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.sql import format_placeholders

Stored = tuple[Value, ...]

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
# Hashes and vectors come as one string each, which the server cuts.
_ADD_VECTORS = """
INSERT INTO retrieval_vectors (model_digest, content_hash, vector)
SELECT ?, substring(?::bytea FROM 32 * n + 1 FOR 32), substring(?::bytea FROM :size * n + 1 FOR :size)
FROM generate_series(0, ?::int - 1) n
ON CONFLICT (model_digest, content_hash) DO NOTHING"""


async def add_documents(database: Database, transaction: Transaction, rows: Sequence[Stored]) -> None:
    """Rows are of the columns of `retrieval_documents`, in their order, without the end."""
    if database.dialect == "postgresql":
        named = [dict(zip(_COLUMNS, (*row[:-1], raw(row[-1]).hex()), strict=True)) for row in rows]
        await transaction.execute(_ADD_DOCUMENTS, (orjson.dumps(named).decode("utf-8"),))
    else:
        await transaction.execute_many(_ADD_DOCUMENT, rows)


async def add_vectors(database: Database, transaction: Transaction, rows: Sequence[Stored]) -> None:
    """Rows are the digest of a model, the hash of what was embedded, the vector. What is known already stays."""
    if database.dialect != "postgresql":
        await transaction.execute_many(_ADD_VECTOR, rows)
        return
    for (digest, size), some in groupby(sorted(rows, key=_kind), _kind):
        alike = list(some)
        hashes, vectors = (b"".join(raw(row[at]) for row in alike) for at in (1, 2))
        sql = _ADD_VECTORS.replace(":size", str(size))
        await transaction.execute(sql, (digest, hashes, vectors, len(alike)))


def _kind(row: Stored) -> tuple[str, int]:
    return str(row[0]), len(raw(row[2]))
