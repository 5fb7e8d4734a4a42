"""Builds the GraphQL schema of a catalogue: a field for each read tool, typed by its contract, and the resources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from graphql import (
    GraphQLArgument,
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLField,
    GraphQLFloat,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInt,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLString,
    print_schema,
    validate_schema,
)

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.schema_types import (
    ABSENT,
    AnyType,
    ContractType,
    ListType,
    MapType,
    Member,
    RecordType,
    ScalarType,
    StampType,
    read_record,
    to_identifier,
    to_type_name,
)
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.graphql.scalars import JSON, LONG

SOURCE, TOOL = "sanya.source", "sanya.tool"
"""Keys of a field's extensions: the contract's own name of a member, and the tool that answers the field."""
STAMP = "Stamp"

_INT32 = 2**31
_ENUM_VALUE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = {"true", "false", "null"}
_HEADER = "# Generated from the contracts by `sanya contracts export`. Do not edit.\n\n"


class GraphQLNameConflict(ValueError):
    """Two names of the contracts become the same name in the schema."""


@dataclass
class _TypeRegistry:
    """The named types of the schema. Refuses a second type of the same name."""

    named: dict[str, Any] = field(default_factory=dict)

    def add(self, made: Any) -> Any:
        if made.name in self.named:
            raise GraphQLNameConflict(f"Two types of the GraphQL schema have the name {made.name}.")
        self.named[made.name] = made
        return made


def build_schema(catalogue: Catalogue) -> GraphQLSchema:
    types = _TypeRegistry()
    stamp = types.add(_build_stamp_type())
    fields: dict[str, GraphQLField] = {}
    for tool in catalogue.tools:
        if tool.effect == "read":
            name = to_identifier(tool.portable_name)
            if name in fields:
                raise GraphQLNameConflict(f"Two tools become the GraphQL field {name}.")
            fields[name] = _build_tool_field(types, stamp, tool)
    fields |= _build_resource_fields(types)
    description = "Every read tool. A field is null if its call was refused; `errors` then says why."
    return GraphQLSchema(
        GraphQLObjectType("Query", fields, description=description),
        types=list(types.named.values()),
        description="Sanya: every read tool and every resource.",
    )


def build_valid_schema(catalogue: Catalogue) -> GraphQLSchema:
    """Build the schema. Raise GraphQLError for a name that GraphQL reserves, before a query meets it."""
    schema = build_schema(catalogue)
    if problems := validate_schema(schema):
        raise problems[0]
    return schema


def render_schema(catalogue: Catalogue) -> str:
    return _HEADER + print_schema(build_schema(catalogue)) + "\n"


def _build_tool_field(types: _TypeRegistry, stamp: GraphQLObjectType, tool: Tool) -> GraphQLField:
    maker = _TypeBuilder(types, stamp)
    arguments = {
        name: GraphQLArgument(
            maker.build_input_type(member, (tool.portable_name, member.name)),
            description=_write_description(member),
            out_name=member.name,
        )
        for name, member in _map_unique_names(read_record(tool.typed_input_schema), tool.name).items()
    }
    body = maker.build_object_type(read_record(tool.output_schema), (tool.portable_name,), f"What {tool.name} answers.")
    return GraphQLField(body, args=arguments, description=tool.description, extensions={TOOL: tool.name})


def _map_unique_names(record: RecordType, where: str) -> dict[str, Member]:
    found: dict[str, Member] = {}
    for member in record.members:
        name = to_identifier(member.name)
        if name in found:
            raise GraphQLNameConflict(f"Two members of {where} have the GraphQL name {name}.")
        found[name] = member
    return found


class _TypeBuilder:
    """Builds the types of one tool. Each is named by its place in the contract."""

    def __init__(self, types: _TypeRegistry, stamp: GraphQLObjectType) -> None:
        self._types = types
        self._stamp = stamp

    def build_object_type(self, record: RecordType, place: tuple[str, ...], description: str) -> GraphQLObjectType:
        fields = {
            name: GraphQLField(
                self._build_output(member.type, member.required, (*place, member.name), member.description),
                description=member.description,
                extensions={SOURCE: member.name},
            )
            for name, member in _map_unique_names(record, to_type_name(*place)).items()
        }
        made: GraphQLObjectType = self._types.add(
            GraphQLObjectType(to_type_name(*place), fields, description=description)
        )
        return made

    def build_input_type(self, member: Member, place: tuple[str, ...]) -> Any:
        made = self._build_input(member.type, place, member.description)
        return GraphQLNonNull(made) if member.required and not member.type.nullable else made

    def _build_output(self, typed: ContractType, required: bool, place: tuple[str, ...], description: str) -> Any:
        made = self._build_output_kind(typed, place, description)
        return GraphQLNonNull(made) if required and not typed.nullable else made

    def _build_output_kind(self, typed: ContractType, place: tuple[str, ...], description: str) -> Any:
        match typed.kind:
            case ListType(item):
                return GraphQLList(self._build_output(item, True, place, description))
            case RecordType() as record:
                return self.build_object_type(record, place, description)
            case StampType():
                return self._stamp
            case ScalarType() as scalar:
                return self._build_scalar(scalar, place, description)
        return JSON

    def _build_input(self, typed: ContractType, place: tuple[str, ...], description: str) -> Any:
        match typed.kind:
            case ListType(item):
                inner = self._build_input(item, place, description)
                return GraphQLList(inner if item.nullable else GraphQLNonNull(inner))
            case RecordType() as record:
                return self._build_input_object(record, place, description)
            case ScalarType() as scalar:
                return self._build_scalar(scalar, (*place, "Input"), description)
            case MapType() | AnyType() | StampType():
                return JSON

    def _build_input_object(
        self, record: RecordType, place: tuple[str, ...], description: str
    ) -> GraphQLInputObjectType:
        fields = {
            name: GraphQLInputField(
                self.build_input_type(member, (*place, member.name)),
                description=_write_description(member),
                out_name=member.name,
            )
            for name, member in _map_unique_names(record, to_type_name(*place)).items()
        }
        named = to_type_name(*place, "Input")
        made: GraphQLInputObjectType = self._types.add(GraphQLInputObjectType(named, fields, description=description))
        return made

    def _build_scalar(self, scalar: ScalarType, place: tuple[str, ...], description: str) -> Any:
        if scalar.kind == "boolean":
            return GraphQLBoolean
        if scalar.kind == "number":
            return GraphQLFloat
        if scalar.kind == "integer":
            return GraphQLInt if _is_int32(scalar) else LONG
        if not scalar.choices or not all(map(_is_enum_value, scalar.choices)):
            return GraphQLString
        return self._types.add(
            GraphQLEnumType(
                to_type_name(*place), {choice: choice for choice in scalar.choices}, description=description
            )
        )


def _is_enum_value(text: str) -> bool:
    return _ENUM_VALUE.fullmatch(text) is not None and text not in _RESERVED


def _is_int32(scalar: ScalarType) -> bool:
    return scalar.least is not None and scalar.most is not None and -_INT32 <= scalar.least <= scalar.most < _INT32


def _write_description(member: Member) -> str:
    if member.default is ABSENT or member.default is None:
        return member.description
    return f"{member.description} (default {orjson.dumps(member.default).decode('utf-8')})"


def _build_stamp_type() -> GraphQLObjectType:
    members: Mapping[str, tuple[Any, str]] = {
        "in_hash": (GraphQLString, "SHA-256 of the canonical input."),
        "out_hash": (GraphQLString, "SHA-256 of the canonical answer without this stamp."),
        "latency_ms": (LONG, "Duration of the call in milliseconds."),
        "seed": (GraphQLString, "The first 64 bits of in_hash, as a decimal number in a string."),
        "status": (GraphQLString, "ok or error."),
    }
    fields = {name: GraphQLField(GraphQLNonNull(kind), description=text) for name, (kind, text) in members.items()}
    return GraphQLObjectType(STAMP, fields, description="Hashes of the input and the answer, and the seed of the call.")


def _build_resource_fields(types: _TypeRegistry) -> dict[str, GraphQLField]:
    text = GraphQLNonNull(GraphQLString)
    content = types.add(
        GraphQLObjectType(
            "ResourceContent",
            {
                "uri": GraphQLField(text, description="The URI that was read."),
                "mime_type": GraphQLField(text, description="The type of the content."),
                "json": GraphQLField(JSON, description="The content, if it is JSON."),
                "text": GraphQLField(GraphQLString, description="The content, if it is text of another type."),
            },
            description="The content of a resource.",
        )
    )
    entry = types.add(
        GraphQLObjectType(
            "ResourceEntry",
            {
                "uri": GraphQLField(text, description="The URI. Fill in the parts in braces."),
                "suite": GraphQLField(text, description="The suite it belongs to."),
                "name": GraphQLField(text, description="Its short name."),
                "title": GraphQLField(text, description="Its display name."),
                "description": GraphQLField(text, description="A sentence on what it holds."),
                "mime_type": GraphQLField(text, description="The type of its content."),
                "is_template": GraphQLField(
                    GraphQLNonNull(GraphQLBoolean), description="True if the URI has parts to fill in."
                ),
            },
            description="A resource that can be read.",
        )
    )
    uri = GraphQLArgument(text, description="The URI of the resource.")
    entries = GraphQLNonNull(GraphQLList(GraphQLNonNull(entry)))
    return {
        "resource": GraphQLField(content, args={"uri": uri}, description="Reads one resource."),
        "resources": GraphQLField(entries, description="Lists every resource."),
    }
