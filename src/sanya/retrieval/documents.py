"""What can be searched: documents with texts, filterable fields and a namespace, and the filters on those fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.written_fields import WrittenFields

FieldValue = str | int | float | bool | tuple[str, ...]

_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_NAMESPACE = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_HALF = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LEAST_NUMBER, _MOST_NUMBER = -(2**63), 2**63 - 1
MAX_ID_CHARACTERS = 512
_WORDS = frozenset((str, tuple))
_ID = re.compile(f"[^\x00-\x1f\x7f\ud800-\udfff]{{1,{MAX_ID_CHARACTERS}}}")


# Named tuples: an import makes hundreds of thousands of them, and they are made in a third of the time.
class Text(NamedTuple):
    value: str
    weight: int = 1
    """How often each of its words counts: a title of weight 2 counts as if written twice."""


class Document(NamedTuple):
    id: str
    texts: tuple[Text, ...]
    fields: Mapping[str, FieldValue] = {}  # shared: nobody changes a mapping

    @property
    def text(self) -> str:
        """All of it as one passage, the form that embedders and answers read."""
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
    """A closed range of numbers; None leaves a side open. Dates are numbers here: 20240131."""

    field: str
    least: int | float | None = None
    most: int | float | None = None


Filter = Equals | AnyOf | Between


def check_namespace(namespace: str) -> None:
    if not _NAMESPACE.fullmatch(namespace):
        raise InvalidArgument(f"{namespace!r} is no namespace; use small letters, digits and _ . -", field="namespace")


def check_document(document: Document) -> None:
    if not _is_id(document.id):
        raise InvalidArgument(f"a document's id has 1 to {MAX_ID_CHARACTERS} characters, no controls", field="id")
    if isinstance(document.fields, WrittenFields):
        return  # which keep to this by themselves
    _check_names(tuple(document.fields))
    for name, value in document.fields.items():
        if value.__class__ not in _WORDS:
            _check_number(name, value)


def _is_id(one: str) -> bool:
    """Most are of plain characters, which is told at a glance."""
    if one.isascii() and one.isprintable():
        return 0 < len(one) <= MAX_ID_CHARACTERS
    return _ID.fullmatch(one) is not None


@lru_cache(maxsize=1024)
def _check_names(names: tuple[str, ...]) -> None:
    """Documents of one kind have the same fields."""
    for name in names:
        check_field(name)


def check_filters(filters: Sequence[Filter]) -> None:
    for one in filters:
        check_field(one.field)
        match one:
            case Equals(name, value):
                _check_wanted(name, value)
            case AnyOf(name, values):
                for wanted in values:
                    _check_wanted(name, wanted)


def _check_wanted(name: str, value: str | int | float | bool) -> None:
    _check_number(name, value)
    if isinstance(value, str) and _HALF.search(value):
        raise InvalidArgument(f"{name} holds no such text: it has half a character", field=name)


def _check_number(name: str, value: FieldValue) -> None:
    """Indexes hold 64 bits, and JSON has no infinity."""
    if isinstance(value, int | float) and not _LEAST_NUMBER <= value <= _MOST_NUMBER:
        raise InvalidArgument(f"{name} is {value}, which is not a number of 64 bits", field=name)


@lru_cache(maxsize=1024)
def check_field(name: str) -> None:
    if not _FIELD_NAME.fullmatch(name):
        raise InvalidArgument(f"{name!r} is no field name; use small letters, digits and _", field=name)


def storable(value: FieldValue) -> FieldValue:
    """A field's value as every database takes it: zero characters and half ones are replaced."""
    if isinstance(value, tuple):
        return tuple(map(_storable_text, value))
    return _storable_text(value) if isinstance(value, str) else value


def _storable_text(text: str) -> str:
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)
