"""The contracts' JSON Schemas as types: the typed surfaces (GraphQL, gRPC) are generated from them.

A schema that is none of these few kinds (a union, an open object) is an `AnyType`: plain JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sanya.kernel.calls.stamp import Stamp

_PARTS = re.compile(r"[^A-Za-z0-9]+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")

ABSENT: Any = object()
"""Marks a member without a default."""


@dataclass(frozen=True, slots=True)
class ScalarType:
    """`choices` are the only values of a string; `least` and `most` are the bounds of a number, if it has any."""

    kind: Literal["string", "integer", "number", "boolean"]
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class ListType:
    item: ContractType


@dataclass(frozen=True, slots=True)
class MapType:
    """An object whose keys are data."""

    value: ContractType


@dataclass(frozen=True, slots=True)
class RecordType:
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class StampType:
    """The stamp of a call inside a body."""


@dataclass(frozen=True, slots=True)
class AnyType:
    """Any JSON value; with `is_object`, any JSON object."""

    is_object: bool = False


TypeKind = ScalarType | ListType | MapType | RecordType | StampType | AnyType


@dataclass(frozen=True, slots=True)
class ContractType:
    kind: TypeKind
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    type: ContractType
    required: bool
    description: str
    default: Any = ABSENT


def read_record(schema: Mapping[str, Any]) -> RecordType:
    """Return the members of a contract's input or output."""
    required = set(schema.get("required", ()))
    return RecordType(
        tuple(
            Member(
                name, read_type(member), name in required, member.get("description", ""), member.get("default", ABSENT)
            )
            for name, member in schema.get("properties", {}).items()
        )
    )


def read_type(schema: Mapping[str, Any]) -> ContractType:
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else list(kinds or ())
    nullable = "null" in named
    others = [name for name in named if name != "null"]
    if len(others) != 1:
        return ContractType(AnyType(), nullable=True)
    return ContractType(_read_kind(others[0], schema), nullable)


def _read_kind(kind: Any, schema: Mapping[str, Any]) -> TypeKind:
    match kind:
        case "string":
            return ScalarType(
                "string", choices=tuple(choice for choice in schema.get("enum", ()) if choice is not None)
            )
        case "integer" | "number":
            return ScalarType(kind, least=schema.get("minimum"), most=schema.get("maximum"))
        case "boolean":
            return ScalarType("boolean")
        case "array":
            return ListType(read_type(schema.get("items", {})))
    return _read_object(schema)


def _read_object(schema: Mapping[str, Any]) -> TypeKind:
    members, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    if more is False:
        return StampType() if members.keys() == set(Stamp._fields) else read_record(schema)
    if isinstance(more, Mapping) and not members:
        return MapType(read_type(more))
    return AnyType(is_object=True)


def to_identifier(name: str) -> str:
    """Return a contract's name as an identifier: `openai/outputTemplate` becomes `openai_outputTemplate`."""
    return _NOT_IN_NAMES.sub("_", name)


def to_type_name(*names: str) -> str:
    """Return a type name: `tool.query_kg` and `edges` become `ToolQueryKgEdges`."""
    parts = [part for name in names for part in _PARTS.split(name) if part]
    return "".join(part[0].upper() + part[1:] for part in parts)
