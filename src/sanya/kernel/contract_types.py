"""The contracts' JSON Schemas as types: what the typed ways in (GraphQL, gRPC) are generated from.

Whatever a schema says beyond these few kinds (a union, an open object) is `Anything`: JSON as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sanya.kernel.stamp import Stamp

_PARTS = re.compile(r"[^A-Za-z0-9]+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")

ABSENT: Any = object()
"""Stands for a default that is not there."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """`choices` are the only values of a text; `least` and `most` the bounds of a number, where it has any."""

    kind: Literal["string", "integer", "number", "boolean"]
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    item: Typed


@dataclass(frozen=True, slots=True)
class Mapped:
    """An object whose keys are data."""

    value: Typed


@dataclass(frozen=True, slots=True)
class Record:
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Stamped:
    """The stamp of a call, where a contract has it in the body."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value; `is_object` where it can only be an object."""

    is_object: bool = False


Kind = Scalar | Listed | Mapped | Record | Stamped | Anything


@dataclass(frozen=True, slots=True)
class Typed:
    kind: Kind
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    typed: Typed
    required: bool
    description: str
    default: Any = ABSENT


def record_of(schema: Mapping[str, Any]) -> Record:
    """The members of a contract's input or output."""
    required = set(schema.get("required", ()))
    return Record(
        tuple(
            Member(
                name, typed_of(member), name in required, member.get("description", ""), member.get("default", ABSENT)
            )
            for name, member in schema.get("properties", {}).items()
        )
    )


def typed_of(schema: Mapping[str, Any]) -> Typed:
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else list(kinds or ())
    nullable = "null" in named
    others = [one for one in named if one != "null"]
    if len(others) != 1:
        return Typed(Anything(), nullable=True)
    return Typed(_kind_of(others[0], schema), nullable)


def _kind_of(kind: Any, schema: Mapping[str, Any]) -> Kind:
    match kind:
        case "string":
            return Scalar("string", choices=tuple(one for one in schema.get("enum", ()) if one is not None))
        case "integer" | "number":
            return Scalar(kind, least=schema.get("minimum"), most=schema.get("maximum"))
        case "boolean":
            return Scalar("boolean")
        case "array":
            return Listed(typed_of(schema.get("items", {})))
    return _object_of(schema)


def _object_of(schema: Mapping[str, Any]) -> Kind:
    members, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    if more is False:
        return Stamped() if members.keys() == set(Stamp._fields) else record_of(schema)
    if isinstance(more, Mapping) and not members:
        return Mapped(typed_of(more))
    return Anything(is_object=True)


def plain_name(name: str) -> str:
    """A name of a contract as languages take it: `openai/outputTemplate` is `openai_outputTemplate`."""
    return _NOT_IN_NAMES.sub("_", name)


def type_name(*names: str) -> str:
    """`tool.query_kg`, `edges` → `ToolQueryKgEdges`."""
    parts = [part for name in names for part in _PARTS.split(name) if part]
    return "".join(part[0].upper() + part[1:] for part in parts)
