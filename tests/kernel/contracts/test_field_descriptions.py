"""Fields are published with the docstring below them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sanya.kernel.contracts.shapes import Shape, get_published_schema


class Part(Shape):
    """A part."""

    length: int
    """How long it is,
    in millimetres."""
    weight: Annotated[int, Field(description="Given otherwise")]
    """Not this."""
    colour: str


class Whole(Part):
    colour: Annotated[str, Field(serialization_alias="paint")]
    """What is seen."""
    inside: Part
    """What is in it."""


def described(shape: type[Shape], mode: str = "validation") -> dict[str, str | None]:
    properties = get_published_schema(shape, mode=mode)["properties"]
    return {name: schema.get("description") for name, schema in properties.items()}


def test_words_below_a_field_describe_it_unless_it_is_described() -> None:
    assert described(Part) == {
        "length": "How long it is,\nin millimetres.",
        "weight": "Given otherwise",
        "colour": None,
    }


def test_inherited_fields_keep_their_words_and_an_object_has_those_of_its_place() -> None:
    assert described(Whole) == {
        "length": "How long it is,\nin millimetres.",
        "weight": "Given otherwise",
        "colour": "What is seen.",
        "inside": "What is in it.",
    }
    assert described(Whole, "serialization")["paint"] == "What is seen."
    assert get_published_schema(Whole)["properties"]["inside"]["properties"]["length"]["description"].startswith("How")
