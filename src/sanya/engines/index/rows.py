"""Rows of the store's tables as values: how they are encoded and read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
import orjson

from sanya.kernel.storage.database import Row, Value
from sanya.retrieval.documents import Document, DocumentText, FieldValue, to_storable
from sanya.retrieval.json_fields import JsonFields

PartitionKey = tuple[str, str]
"""A namespace and the name of a partition."""

FOREVER = 2**62


class Version(NamedTuple):
    """A version of a document: how it was from one change to another."""

    position: int
    id: str
    texts: tuple[DocumentText, ...]
    stored_fields: str
    """The fields as JSON, because most readers of a row only pass them on."""
    content_hash: bytes
    vectors_since: int = 0
    """The change that brought its vectors; FOREVER while they are pending."""

    @property
    def fields(self) -> dict[str, FieldValue]:
        return read_fields(self.stored_fields)

    @property
    def document(self) -> Document:
        return Document(self.id, self.texts, self.fields)


VERSION_COLUMNS = f"""d.position, d.id, d.texts, d.fields, d.content_hash,
CASE WHEN l.position IS NULL THEN d.from_seq ELSE COALESCE(l.seq, {FOREVER}) END
FROM retrieval_documents d LEFT JOIN retrieval_late_vectors l
ON l.namespace = d.namespace AND l.partition_name = d.partition_name AND l.position = d.position"""
"""The columns that `read_version` reads."""


def read_version(row: Row) -> Version:
    position, document_id, texts, fields, digest, *vectors_since = row
    return Version(
        as_int(position),
        str(document_id),
        read_texts(texts),
        str(fields),
        as_bytes(digest),
        *map(as_int, vectors_since),
    )


def read_document(texts: Value, fields: Value) -> tuple[tuple[DocumentText, ...], dict[str, FieldValue]]:
    return read_texts(texts), read_fields(fields)


def read_texts(texts: Value) -> tuple[DocumentText, ...]:
    return tuple(map(DocumentText._make, _decode_json(str(texts))))


def read_fields(fields: Value) -> dict[str, FieldValue]:
    decoded: dict[str, Any] = _decode_json(str(fields))
    return {name: tuple(value) if isinstance(value, list) else value for name, value in decoded.items()}


def build_field_picker(names: frozenset[str] | None) -> Callable[[str], msgspec.Raw | msgspec.Struct]:
    """Return a function that picks the named fields from stored JSON without decoding their values; all for None."""
    return msgspec.Raw if names is None else _build_decoder(names).decode


@lru_cache(maxsize=256)
def _build_decoder(names: frozenset[str]) -> msgspec.json.Decoder[msgspec.Struct]:
    members = [
        (f"member_{number}", msgspec.Raw | msgspec.UnsetType, msgspec.field(default=msgspec.UNSET, name=name))
        for number, name in enumerate(sorted(names))
    ]
    return msgspec.json.Decoder(msgspec.defstruct("Picked", members))


def encode_document(document: Document) -> tuple[str, str, bytes]:
    """Return the texts and the fields as JSON, and the content hash."""
    return _encode_json(document.texts), _encode_fields(document.fields), hash_content(document.text)


def _encode_fields(fields: Mapping[str, FieldValue]) -> str:
    """Encode fields. A character that cannot be stored shows as an escape or makes the encoder fail; few fields have
    one, so only those take the slow way."""
    if isinstance(fields, JsonFields):
        return fields.json
    try:
        encoded = orjson.dumps(fields)
    except TypeError:
        encoded = b"\\u0000"
    if b"\\u0000" not in encoded:
        return encoded.decode("utf-8")
    return _encode_json({name: to_storable(value) for name, value in fields.items()})


def _encode_json(value: Any) -> str:
    try:
        return encode_json(value).decode("utf-8")
    except UnicodeEncodeError:  # lone surrogates cannot be stored as UTF-8, but their JSON escapes can
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


encode_json = msgspec.json.Encoder().encode


def _decode_json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # the escape of a lone surrogate
        return json.loads(text)


def hash_content(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def as_int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def as_bytes(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value
