"""Filters as Weaviate takes them. Equality goes by facets, one text for each value of each field, so that it does not
matter which types a field has had; ranges go by a number property of the field's own."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import AnyOf, Between, Equals, FieldValue, Filter

if TYPE_CHECKING:
    from weaviate.collections.classes.filters import _Filters

FACETS = "facets"
_NUMBER = "number_"
_MOST_NUMBER = 2.0**53
_LONGEST_FACET = 200


def facets_of(fields: Mapping[str, FieldValue]) -> list[str]:
    return [
        facet(name, one)
        for name, value in sorted(fields.items())
        for one in (value if isinstance(value, tuple) else (value,))
    ]


def numbers_of(fields: Mapping[str, FieldValue]) -> dict[str, float]:
    return {
        number_property(name): float(value)
        for name, value in fields.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST_NUMBER
    }


def number_property(field: str) -> str:
    return _NUMBER + field


def facet(field: str, value: str | int | float | bool) -> str:
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    text = f"{field}={json.dumps(plain)}"
    # A long one is kept by its digest: the server bounds the keys of its index.
    return text if len(text) <= _LONGEST_FACET else f"{field}#{sha256(text.encode()).hexdigest()}"


def conditions(filters: Sequence[Filter], numbers: Collection[str]) -> list[_Filters] | None:
    """What must all hold; None where nothing can pass. `numbers` has the number properties that exist."""
    from weaviate.classes.query import Filter as By

    found: list[_Filters] = []
    for one in filters:
        match one:
            case Equals(field, value):
                found.append(By.by_property(FACETS).contains_any([facet(field, value)]))
            case AnyOf(field, values):
                if not values:
                    return None
                found.append(By.by_property(FACETS).contains_any([facet(field, value) for value in values]))
            case Between(field, least, most):
                if least is None and most is None:
                    continue
                low, high = (None if bound is None else _bound(bound) for bound in (least, most))
                if number_property(field) not in numbers:
                    return None
                number = By.by_property(number_property(field))
                found += [] if low is None else [number.greater_or_equal(low)]
                found += [] if high is None else [number.less_or_equal(high)]
    return found


def all_of(parts: Sequence[_Filters]) -> _Filters:
    return reduce(lambda left, right: left & right, parts)


def _bound(value: int | float) -> float:
    if isinstance(value, bool) or not abs(value) < _MOST_NUMBER:
        raise InvalidArgument(f"a range is between numbers of at most {_MOST_NUMBER:.0f}, not {value}")
    return float(value)
