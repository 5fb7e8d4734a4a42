"""Contracts are published inlined, bounded, and in keywords that every host understands."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from sanya.kernel.canonical import has_plain_values
from sanya.kernel.contracts.shapes import Integer, Shape, Text, get_published_schema


class Inner(Shape):
    """An inner one."""

    name: Text
    """Its name."""


class Outer(Shape):
    count: Annotated[Integer, Field(ge=1, le=9)] = 3
    """How many."""
    kind: Literal["a", "b"] | None = None
    """Which kind."""
    inner: Inner | None = None
    """One."""
    inners: list[Inner] = Field(default=[])
    """Many."""


def test_a_published_schema_has_no_references_and_no_alternatives() -> None:
    assert get_published_schema(Outer) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "description": "How many."},
            "kind": {
                "type": ["string", "null"],
                "enum": ["a", "b", None],
                "default": None,
                "description": "Which kind.",
            },
            "inner": {**INNER, "type": ["object", "null"], "default": None, "description": "One."},
            "inners": {"type": "array", "items": INNER, "default": [], "description": "Many."},
        },
    }


INNER = {
    "type": "object",
    "additionalProperties": False,
    "description": "An inner one.",
    "required": ["name"],
    "properties": {"name": {"type": "string", "pattern": "^[^\\x00]*$", "description": "Its name."}},
}


@pytest.mark.parametrize("count", [1, 9, 2.0])
def test_whole_numbers_are_taken(count: float) -> None:
    assert Outer.model_validate({"count": count}).count == count


@pytest.mark.parametrize("count", [0, 10, 1.5, "2", True, None, float("nan")])
def test_other_values_are_not_coerced(count: object) -> None:
    with pytest.raises(ValidationError):
        Outer.model_validate({"count": count})


class Measured(Shape):
    weight: float
    """In grams."""


class Counted(Shape):
    count: int
    """Without bounds, so it may be beyond 2^53."""


def test_only_shapes_without_fractions_and_open_ends_are_plain() -> None:
    assert has_plain_values(get_published_schema(Outer))
    assert not has_plain_values(get_published_schema(Measured))
    assert not has_plain_values(get_published_schema(Counted))
    assert not has_plain_values({"type": "object"})
    assert not has_plain_values({})
