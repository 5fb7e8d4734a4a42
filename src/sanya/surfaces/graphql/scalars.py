"""The two scalars that GraphQL lacks: any JSON value, and integers beyond 32 bits."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLError, GraphQLScalarType, IntValueNode, ValueNode, value_from_ast_untyped

_LIMIT = 2**64


def _read_long(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not -_LIMIT < value < _LIMIT:
        raise GraphQLError(f"Long must be an integer of up to 64 bits, got {str(value)[:40]!r}.")
    return value


def _read_long_literal(node: ValueNode, variables: dict[str, Any] | None = None) -> int:  # noqa: ARG001
    if not isinstance(node, IntValueNode):
        raise GraphQLError("Long must be an integer.", node)
    return _read_long(int(node.value) if len(node.value) < 22 else _LIMIT)


JSON = GraphQLScalarType(
    "JSON",
    description="Any JSON value: an object whose keys are data, or a value of several types.",
    parse_value=lambda value: value,
    parse_literal=value_from_ast_untyped,
)
LONG = GraphQLScalarType(
    "Long",
    description="An integer of up to 64 bits, as a JSON number.",
    parse_value=_read_long,
    parse_literal=_read_long_literal,
)
