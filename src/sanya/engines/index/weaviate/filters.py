"""Filters as Weaviate takes them. Equality uses facets, one text for each value of each field, so that a field may have
any type. Ranges use a number property for each field."""

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
_NUMBER_PREFIX = "number_"
_MAX_NUMBER = 2.0**53
_MAX_FACET_LENGTH = 200


def build_facets(fields: Mapping[str, FieldValue]) -> list[str]:
    return [
        format_facet(name, item)
        for name, value in sorted(fields.items())
        for item in (value if isinstance(value, tuple) else (value,))
    ]


def build_numbers(fields: Mapping[str, FieldValue]) -> dict[str, float]:
    return {
        name_number_property(name): float(value)
        for name, value in fields.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER
    }


def name_number_property(field: str) -> str:
    return _NUMBER_PREFIX + field


def format_facet(field: str, value: str | int | float | bool) -> str:
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    text = f"{field}={json.dumps(plain)}"
    # A long facet is replaced by its digest: the server limits the length of index keys.
    return text if len(text) <= _MAX_FACET_LENGTH else f"{field}#{sha256(text.encode()).hexdigest()}"


def build_conditions(filters: Sequence[Filter], numbers: Collection[str]) -> list[_Filters] | None:
    """Return conditions that must all hold; None if nothing can pass. `numbers` lists the number properties that
    exist."""
    from weaviate.classes.query import Filter as By

    conditions: list[_Filters] = []
    for filter in filters:
        match filter:
            case Equals(field, value):
                conditions.append(By.by_property(FACETS).contains_any([format_facet(field, value)]))
            case AnyOf(field, values):
                if not values:
                    return None
                conditions.append(By.by_property(FACETS).contains_any([format_facet(field, value) for value in values]))
            case Between(field, least, most):
                if least is None and most is None:
                    continue
                low, high = (None if bound is None else _check_bound(bound) for bound in (least, most))
                if name_number_property(field) not in numbers:
                    return None
                number = By.by_property(name_number_property(field))
                conditions += [] if low is None else [number.greater_or_equal(low)]
                conditions += [] if high is None else [number.less_or_equal(high)]
    return conditions


def combine_all(parts: Sequence[_Filters]) -> _Filters:
    return reduce(lambda left, right: left & right, parts)


def _check_bound(value: int | float) -> float:
    if isinstance(value, bool) or not abs(value) < _MAX_NUMBER:
        raise InvalidArgument(f"a range takes numbers up to {_MAX_NUMBER:.0f}, not {value}; narrow it")
    return float(value)
