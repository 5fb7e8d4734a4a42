"""The two scalars that GraphQL itself has not: any JSON, and whole numbers beyond 32 bits."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLError, GraphQLScalarType, IntValueNode, ValueNode, value_from_ast_untyped

_LIMIT = 2**64


def _read_long(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not -_LIMIT < value < _LIMIT:
        raise GraphQLError(f"Long takes a whole number of up to 64 bits, got {str(value)[:40]!r}.")
    return value


def _read_long_literal(node: ValueNode, variables: dict[str, Any] | None = None) -> int:  # noqa: ARG001
    if not isinstance(node, IntValueNode):
        raise GraphQLError("Long takes a whole number.", node)
    return _read_long(int(node.value) if len(node.value) < 22 else _LIMIT)


JSON = GraphQLScalarType(
    "JSON",
    description="Any JSON value, as the contract has it: an object whose keys are data, or a value of several types.",
    parse_value=lambda value: value,
    parse_literal=value_from_ast_untyped,
)
LONG = GraphQLScalarType(
    "Long",
    description="A whole number of up to 64 bits, as a JSON number.",
    parse_value=_read_long,
    parse_literal=_read_long_literal,
)
