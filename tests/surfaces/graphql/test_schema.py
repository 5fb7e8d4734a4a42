"""The schema: generated from the contracts, fully described, without name conflicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from graphql import GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, build_schema, validate_schema
from pydantic import Field

from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.schema_types import AnyType, ListType, MapType, RecordType, ScalarType, StampType, read_type
from sanya.kernel.contracts.shapes import Integer, Shape
from sanya.kernel.contracts.suite import Suite
from sanya.published_contracts import find_published_folder
from sanya.suites.tasks.dialect import DIALECT
from sanya.surfaces.graphql import schema
from tests.surfaces.http.conftest import DemoControl, demo_suites


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
    demo, _ = demo_suites(DemoControl())
    tool = replace(demo.tools[0], name="demo.thing", input=Thing, output=Thing, **members)
    return schema.build_schema(Catalogue([Suite(name="demo", title="Demo", dialect=DIALECT, tools=(tool,))]))


def test_every_kind_of_member_has_its_type() -> None:
    made = built()
    assert validate_schema(made) == []
    arguments = {name: str(argument.type) for name, argument in made.query_type.fields["demo_thing"].args.items()}
    assert arguments == {
        "mode": "DemoThingModeInput",
        "period": "String",
        "count": "Long",
        "rate": "Float",
        "parts": "[DemoThingPartsInput!]!",
        "named": "JSON",
    }
    fields = {name: str(field.type) for name, field in made.type_map["DemoThing"].fields.items()}
    assert fields == {
        "mode": "DemoThingMode",
        "period": "String",
        "count": "Long",
        "rate": "Float",
        "parts": "[DemoThingParts!]!",
        "named": "JSON",
    }
    assert str(made.type_map["DemoThingParts"].fields["size"].type) == "Int!"


def test_conflicting_field_names_are_refused() -> None:
    demo, _ = demo_suites(DemoControl())
    tool = demo.tools[0]
    catalogue = Catalogue([])
    catalogue.tools = (tool, replace(tool, name="demo-say"))
    with pytest.raises(schema.GraphQLNameConflict, match="demo_say"):
        schema.build_schema(catalogue)


def test_the_published_schema_is_valid_and_fully_described() -> None:
    made = build_schema((find_published_folder() / "sanya.graphql").read_text("utf-8"))
    assert validate_schema(made) == []
    assert made.description
    bare = []
    for name, kind in made.type_map.items():
        if name.startswith("__") or name in ("String", "Int", "Float", "Boolean", "ID"):
            continue
        bare += [] if kind.description else [name]
        if isinstance(kind, GraphQLObjectType | GraphQLInputObjectType):
            bare += [f"{name}.{field}" for field, definition in kind.fields.items() if not definition.description]
        if isinstance(kind, GraphQLObjectType):
            bare += [
                f"{name}.{field}({argument})"
                for field, definition in kind.fields.items()
                for argument, about in definition.args.items()
                if not about.description
            ]
        assert isinstance(kind, GraphQLEnumType) or name[0].isupper()
    assert bare == []
    assert made.mutation_type is None
    assert str(made.type_map["Stamp"].fields["seed"].type) == "String!"  # type: ignore[attr-defined]


def test_json_schemas_map_to_contract_types() -> None:
    assert isinstance(read_type({"type": "string", "enum": ["a", None]}).kind, ScalarType)
    assert read_type({"type": ["integer", "null"]}).nullable
    assert isinstance(read_type({"type": "array", "items": {"type": "number"}}).kind, ListType)
    assert isinstance(read_type({"type": "object", "additionalProperties": {"type": "number"}}).kind, MapType)
    assert isinstance(read_type({"type": "object", "additionalProperties": False, "properties": {}}).kind, RecordType)
    assert read_type({"type": "object"}).kind == AnyType(is_object=True)
    assert read_type({"anyOf": [{"type": "string"}, {"type": "integer"}]}).kind == AnyType()
    stamp = {name: {"type": "string"} for name in Stamp._fields}
    assert isinstance(read_type({"type": "object", "additionalProperties": False, "properties": stamp}).kind, StampType)
