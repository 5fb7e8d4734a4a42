"""Filters as conditions on the fields of a document, which PostgreSQL reads as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sanya.kernel.database import Value
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter

_HAS = "(d.fields::jsonb @> ?::jsonb OR d.fields::jsonb @> ?::jsonb)"
_NUMBER = "jsonb_typeof(d.fields::jsonb -> ?) = 'number' AND (d.fields::jsonb ->> ?)::numeric {sign} ?::text::numeric"
_MOST_NUMBER = 2.0**53


def where(filters: Sequence[Filter]) -> tuple[list[str], list[Value]]:
    """Conditions to be joined by AND, and their values."""
    conditions: list[str] = []
    values: list[Value] = []
    for one in filters:
        condition, of_condition = _condition(one)
        conditions.append(condition)
        values += of_condition
    return conditions, values


def _condition(one: Filter) -> tuple[str, list[Value]]:
    match one:
        case Equals(field, value):
            return _HAS, _has(field, value)
        case AnyOf(field, values):
            every = [part for value in values for part in _has(field, value)]
            return f"({' OR '.join([_HAS] * len(values)) or 'FALSE'})", every
        case Between(field, least, most):
            bounds = [(">=", least), ("<=", most)]
            parts = [(_NUMBER.format(sign=sign), bound) for sign, bound in bounds if bound is not None]
            numbers: list[Value] = [part for _, bound in parts for part in (field, field, _bound(bound))]
            return f"({' AND '.join(text for text, _ in parts) or 'TRUE'})", numbers


def _has(field: str, value: str | int | float | bool) -> list[Value]:
    """The field is the value, or a list that holds it."""
    clean = (
        value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd") if isinstance(value, str) else value
    )
    return [json.dumps({field: clean}), json.dumps({field: [clean]})]


def _bound(value: int | float) -> str:
    if isinstance(value, bool) or not abs(value) < _MOST_NUMBER:
        raise InvalidArgument(f"a range is between numbers of at most {_MOST_NUMBER:.0f}, not {value}")
    return repr(value)
