"""Fields of a document that their maker has written as JSON already: most only go on into a database as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from sanya.retrieval.documents import FieldValue


class WrittenFields(Mapping[str, "FieldValue"]):
    """`json` is what is stored of fields like these, and their names and values are such as every index takes: whoever
    makes them sees to that."""

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
