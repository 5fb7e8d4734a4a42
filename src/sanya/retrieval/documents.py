"""Searchable documents, their filterable fields, and the filters on those fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.json_fields import JsonFields

FieldValue = str | int | float | bool | tuple[str, ...]

_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_NAMESPACE = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_HALF = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LEAST_NUMBER, _MOST_NUMBER = -(2**63), 2**63 - 1
MAX_ID_CHARACTERS = 512
_WORDS = frozenset((str, tuple))
_ID = re.compile(f"[^\x00-\x1f\x7f\ud800-\udfff]{{1,{MAX_ID_CHARACTERS}}}")


# Named tuples: an import creates hundreds of thousands of them, in a third of the time of dataclasses.
class DocumentText(NamedTuple):
    value: str
    weight: int = 1
    """How often each word counts: a title of weight 2 counts as if written twice."""


class Document(NamedTuple):
    id: str
    texts: tuple[DocumentText, ...]
    fields: Mapping[str, FieldValue] = {}  # a shared default is safe: mappings are never changed

    @property
    def text(self) -> str:
        """All texts as one passage, the form that embedders and answers read."""
        return ". ".join([text.value for text in self.texts if text.value])


@dataclass(frozen=True, slots=True)
class Equals:
    field: str
    value: str | int | float | bool


@dataclass(frozen=True, slots=True)
class AnyOf:
    field: str
    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """A closed range of numbers; None leaves a side open. Dates are stored as numbers: 20240131."""

    field: str
    least: int | float | None = None
    most: int | float | None = None


Filter = Equals | AnyOf | Between


def check_namespace(namespace: str) -> None:
    if not _NAMESPACE.fullmatch(namespace):
        raise InvalidArgument(
            f"{namespace!r} is not a namespace; use lower-case letters, digits and _ . -", field="namespace"
        )


def check_document(document: Document) -> None:
    if not _is_id(document.id):
        raise InvalidArgument(
            f"a document's id must have 1 to {MAX_ID_CHARACTERS} characters and no control characters", field="id"
        )
    if isinstance(document.fields, JsonFields):
        return  # their maker has checked them
    _check_names(tuple(document.fields))
    for name, value in document.fields.items():
        if value.__class__ not in _WORDS:
            _check_number(name, value)


def _is_id(id: str) -> bool:
    # Most ids are printable ASCII, which is a quick test.
    if id.isascii() and id.isprintable():
        return 0 < len(id) <= MAX_ID_CHARACTERS
    return _ID.fullmatch(id) is not None


@lru_cache(maxsize=1024)
def _check_names(names: tuple[str, ...]) -> None:
    """Check the field names of a document. Cached, because documents of one kind have the same fields."""
    for name in names:
        check_field(name)


def check_filters(filters: Sequence[Filter]) -> None:
    for condition in filters:
        check_field(condition.field)
        match condition:
            case Equals(name, value):
                _check_filter_value(name, value)
            case AnyOf(name, values):
                for value in values:
                    _check_filter_value(name, value)


def _check_filter_value(name: str, value: str | int | float | bool) -> None:
    _check_number(name, value)
    if isinstance(value, str) and _HALF.search(value):
        raise InvalidArgument(
            f"the value for {name} contains half a surrogate pair; send valid Unicode text", field=name
        )


def _check_number(name: str, value: FieldValue) -> None:
    """Raise InvalidArgument for a number that does not fit into the 64 bits of an index, or is infinite."""
    if isinstance(value, int | float) and not _LEAST_NUMBER <= value <= _MOST_NUMBER:
        raise InvalidArgument(f"{name} is {value}, which does not fit into 64 bits", field=name)


@lru_cache(maxsize=1024)
def check_field(name: str) -> None:
    if not _FIELD_NAME.fullmatch(name):
        raise InvalidArgument(f"{name!r} is not a field name; use lower-case letters, digits and _", field=name)


def to_storable(value: FieldValue) -> FieldValue:
    """Return the value as every database accepts it: U+0000 and half surrogate pairs are replaced by U+FFFD."""
    if isinstance(value, tuple):
        return tuple(map(_to_storable_text, value))
    return _to_storable_text(value) if isinstance(value, str) else value


def _to_storable_text(text: str) -> str:
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)
