"""The schema: generated from the contracts, every part of it described, and no two names for one thing."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from graphql import GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, build_schema, validate_schema
from pydantic import Field

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.contract_types import Anything, Listed, Mapped, Record, Scalar, Stamped, typed_of
from sanya.kernel.shapes import Integer, Shape
from sanya.kernel.stamp import Stamp
from sanya.kernel.suite import Suite
from sanya.published_contracts import published_folder
from sanya.suites.tasks.dialect import DIALECT
from sanya.surfaces.graphql import schema
from tests.surfaces.http.conftest import Stage, demo_suites


class Part(Shape):
    size: Annotated[Integer, Field(ge=0, le=9)]
    """Its size."""


class Thing(Shape):
    mode: Literal["FAST", "SLOW"] = "FAST"
    """How."""
    period: Literal["1y", "3y"] | None = None
    """A choice that is no name."""
    count: Integer = 0
    """How many."""
    rate: float | None = None
    """How fast."""
    parts: list[Part]
    """What it has."""
    named: dict[str, float] = Field(default_factory=dict)
    """By name."""


def built(**members: Any) -> Any:
    demo, _ = demo_suites(Stage())
    tool = replace(demo.tools[0], name="demo.thing", input=Thing, output=Thing, **members)
    return schema.build_schema(Catalogue([Suite(name="demo", title="Demo", dialect=DIALECT, tools=(tool,))]))


def test_every_kind_of_member_has_its_type() -> None:
    made = built()
    assert validate_schema(made) == []
    arguments = {name: str(one.type) for name, one in made.query_type.fields["demo_thing"].args.items()}
    assert arguments == {
        "mode": "DemoThingModeInput",
        "period": "String",
        "count": "Long",
        "rate": "Float",
        "parts": "[DemoThingPartsInput!]!",
        "named": "JSON",
    }
    fields = {name: str(one.type) for name, one in made.type_map["DemoThing"].fields.items()}
    assert fields == {
        "mode": "DemoThingMode",
        "period": "String",
        "count": "Long",
        "rate": "Float",
        "parts": "[DemoThingParts!]!",
        "named": "JSON",
    }
    assert str(made.type_map["DemoThingParts"].fields["size"].type) == "Int!"


def test_two_tools_that_would_be_one_field_are_refused() -> None:
    demo, _ = demo_suites(Stage())
    one = demo.tools[0]
    catalogue = Catalogue([])
    catalogue.tools = (one, replace(one, name="demo-say"))
    with pytest.raises(schema.GraphQLNameConflict, match="demo_say"):
        schema.build_schema(catalogue)


def test_the_published_schema_is_valid_and_every_part_of_it_is_described() -> None:
    made = build_schema((published_folder() / "sanya.graphql").read_text("utf-8"))
    assert validate_schema(made) == []
    assert made.description
    bare = []
    for name, kind in made.type_map.items():
        if name.startswith("__") or name in ("String", "Int", "Float", "Boolean", "ID"):
            continue
        bare += [] if kind.description else [name]
        if isinstance(kind, GraphQLObjectType | GraphQLInputObjectType):
            bare += [f"{name}.{field}" for field, one in kind.fields.items() if not one.description]
        if isinstance(kind, GraphQLObjectType):
            bare += [
                f"{name}.{field}({argument})"
                for field, one in kind.fields.items()
                for argument, about in one.args.items()
                if not about.description
            ]
        assert isinstance(kind, GraphQLEnumType) or name[0].isupper()
    assert bare == []
    assert made.mutation_type is None
    assert str(made.type_map["Stamp"].fields["seed"].type) == "String!"  # type: ignore[attr-defined]


def test_schemas_become_the_few_kinds_there_are() -> None:
    assert isinstance(typed_of({"type": "string", "enum": ["a", None]}).kind, Scalar)
    assert typed_of({"type": ["integer", "null"]}).nullable
    assert isinstance(typed_of({"type": "array", "items": {"type": "number"}}).kind, Listed)
    assert isinstance(typed_of({"type": "object", "additionalProperties": {"type": "number"}}).kind, Mapped)
    assert isinstance(typed_of({"type": "object", "additionalProperties": False, "properties": {}}).kind, Record)
    assert typed_of({"type": "object"}).kind == Anything(is_object=True)
    assert typed_of({"anyOf": [{"type": "string"}, {"type": "integer"}]}).kind == Anything()
    stamp = {name: {"type": "string"} for name in Stamp._fields}
    assert isinstance(typed_of({"type": "object", "additionalProperties": False, "properties": stamp}).kind, Stamped)
