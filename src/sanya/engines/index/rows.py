"""What stands in a row of the tables, as the index takes it in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
import orjson

from sanya.kernel.database import Row, Value
from sanya.retrieval.documents import Document, FieldValue, Text, storable
from sanya.retrieval.written_fields import WrittenFields

Shelf = tuple[str, str]
"""A namespace and a partition."""

FOREVER = 2**62


class Version(NamedTuple):
    """A document as it was from one change to another."""

    position: int
    id: str
    texts: tuple[Text, ...]
    stored_fields: str
    """The fields as JSON: most of those who ask for a row only hand them on."""
    content_hash: bytes
    vectors_since: int = 0
    """The change that its vectors came with; FOREVER while they are awaited."""

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
"""What `version_of` reads."""


def version_of(row: Row) -> Version:
    position, one, texts, fields, digest, *since = row
    return Version(whole(position), str(one), read_texts(texts), str(fields), raw(digest), *map(whole, since))


def read_document(texts: Value, fields: Value) -> tuple[tuple[Text, ...], dict[str, FieldValue]]:
    return read_texts(texts), read_fields(fields)


def read_texts(texts: Value) -> tuple[Text, ...]:
    return tuple(map(Text._make, _loaded(str(texts))))


def read_fields(fields: Value) -> dict[str, FieldValue]:
    read: dict[str, Any] = _loaded(str(fields))
    return {name: tuple(value) if isinstance(value, list) else value for name, value in read.items()}


def picking(names: frozenset[str] | None) -> Callable[[str], msgspec.Raw | msgspec.Struct]:
    """Reads of stored fields those that are named, as they are written, for msgspec to write; all of them for None."""
    return msgspec.Raw if names is None else _reading(names).decode


@lru_cache(maxsize=256)
def _reading(names: frozenset[str]) -> msgspec.json.Decoder[msgspec.Struct]:
    members = [
        (f"member_{place}", msgspec.Raw | msgspec.UnsetType, msgspec.field(default=msgspec.UNSET, name=name))
        for place, name in enumerate(sorted(names))
    ]
    return msgspec.json.Decoder(msgspec.defstruct("Picked", members))


def written(document: Document) -> tuple[str, str, bytes]:
    """Its texts and its fields as JSON, and its hash."""
    return _dumped(document.texts), _dumped_fields(document.fields), content_hash(document.text)


def _dumped_fields(fields: Mapping[str, FieldValue]) -> str:
    """What cannot be stored shows as an escape or makes the writing fail: few fields have any."""
    if isinstance(fields, WrittenFields):
        return fields.json
    try:
        dumped = orjson.dumps(fields)
    except TypeError:
        dumped = b"\\u0000"
    if b"\\u0000" not in dumped:
        return dumped.decode("utf-8")
    return _dumped({name: storable(value) for name, value in fields.items()})


def _dumped(value: Any) -> str:
    try:
        return as_json(value).decode("utf-8")
    except UnicodeEncodeError:  # half characters, which cannot be stored as UTF-8; inside JSON their escapes can
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


as_json = msgspec.json.Encoder().encode


def _loaded(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # the escape of half a character
        return json.loads(text)


def content_hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def whole(value: Value) -> int:
    assert isinstance(value, int)
    return value


def raw(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value
