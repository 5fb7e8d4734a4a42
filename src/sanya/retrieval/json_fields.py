"""Document fields that their maker has serialised already. Most go into the database as they are and are never
parsed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from sanya.retrieval.documents import FieldValue


class JsonFields(Mapping[str, "FieldValue"]):
    """Fields as JSON, parsed on first access. Their maker guarantees that `json` is the stored form and that every
    index accepts the names and values."""

    def __init__(self, json: str) -> None:
        self.json = json

    @cached_property
    def _read(self) -> dict[str, FieldValue]:
        read: dict[str, Any] = orjson.loads(self.json)
        return {name: tuple(value) if isinstance(value, list) else value for name, value in read.items()}

    def __getitem__(self, name: str) -> FieldValue:
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def __repr__(self) -> str:
        return repr(self._read)
