"""What stands in a row of the tables, as the index takes it in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sanya.kernel.database import Row, Value
from sanya.retrieval.documents import Document, FieldValue, Text, storable

Shelf = tuple[str, str]
"""A namespace and a partition."""

FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class Version:
    """A document as it was from one change to another."""

    position: int
    id: str
    texts: tuple[Text, ...]
    fields: Mapping[str, FieldValue]
    content_hash: bytes
    vectors_since: int = 0
    """The change that its vectors came with; FOREVER while they are awaited."""

    @property
    def document(self) -> Document:
        return Document(self.id, self.texts, self.fields)


VERSION_COLUMNS = f"""d.position, d.id, d.texts, d.fields, d.content_hash,
CASE WHEN l.position IS NULL THEN d.from_seq ELSE COALESCE(l.seq, {FOREVER}) END
FROM retrieval_documents d LEFT JOIN retrieval_late_vectors l
ON l.namespace = d.namespace AND l.partition_name = d.partition_name AND l.position = d.position"""
"""What `version_of` reads."""


def version_of(row: Row) -> Version:
    position, one, texts, fields, digest, *since = row
    return Version(whole(position), str(one), *read_document(texts, fields), raw(digest), *map(whole, since))


def read_document(texts: Value, fields: Value) -> tuple[tuple[Text, ...], dict[str, FieldValue]]:
    read: dict[str, Any] = json.loads(str(fields))
    return (
        tuple(Text(value, weight) for value, weight in json.loads(str(texts))),
        {name: tuple(value) if isinstance(value, list) else value for name, value in read.items()},
    )


def document_values(document: Document, seq: int) -> tuple[Value, ...]:
    texts = json.dumps([[text.value, text.weight] for text in document.texts], ensure_ascii=False)
    fields = json.dumps({name: storable(value) for name, value in document.fields.items()}, ensure_ascii=False)
    clean = document.id, seq, _storable(texts), fields
    return *clean, content_hash(document.text)


def content_hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _storable(text: str) -> str:
    """Half characters cannot be stored as UTF-8; inside JSON their escapes can."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def among(sql: str, values: Sequence[Value]) -> str:
    return sql.replace(":some", ", ".join("?" * len(values)))


def whole(value: Value) -> int:
    assert isinstance(value, int)
    return value


def raw(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value
