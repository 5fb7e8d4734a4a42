"""Compiles a selection into a function that picks the selected keys from a body.

The body is already validated against its contract, so no field needs a resolver or a type check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

from graphql import (
    BooleanValueNode,
    DirectiveNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
)

from sanya.surfaces.graphql.schema import SOURCE, STAMP

Projector = Callable[[Any], Any]
FieldGroups = dict[str, list[FieldNode]]


class Selections:
    """Compiles selections of one document, with the variables that its directives use."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode], variables: Mapping[str, Any]) -> None:
        self._fragments = fragments
        self._variables = variables

    def collect(self, sets: Iterable[SelectionSetNode]) -> FieldGroups:
        """Group the fields by response key. The schema has no abstract types, so every fragment applies."""
        fields: FieldGroups = {}
        for selection_set in sets:
            self._collect(selection_set.selections, fields)
        return fields

    def _collect(self, selections: Iterable[SelectionNode], fields: FieldGroups) -> None:
        for node in selections:
            if node.directives and not self._is_included(node.directives):
                continue
            if isinstance(node, FieldNode):
                fields.setdefault((node.alias or node.name).value, []).append(node)
            elif isinstance(node, FragmentSpreadNode):
                self._collect(self._fragments[node.name.value].selection_set.selections, fields)
            else:
                self._collect(node.selection_set.selections, fields)  # type: ignore[attr-defined]

    def _is_included(self, directives: Iterable[DirectiveNode]) -> bool:
        for directive in directives:
            if directive.name.value in ("skip", "include"):
                value = next(argument.value for argument in directive.arguments or ())
                if self._evaluate_condition(value) == (directive.name.value == "skip"):
                    return False
        return True

    def _evaluate_condition(self, node: Any) -> bool:
        if isinstance(node, VariableNode):
            return bool(self._variables[node.name.value])
        assert isinstance(node, BooleanValueNode)
        return node.value

    def compile_projector(self, kind: GraphQLObjectType, nodes: Iterable[FieldNode]) -> Projector:
        """Compile the function that picks the selected members from an object of this type."""
        taken: list[tuple[str, str, Projector | None]] = []
        constants: dict[str, str] = {}
        for key, same in self.collect(node.selection_set for node in nodes if node.selection_set).items():
            name = same[0].name.value
            if name == "__typename":
                constants[key] = kind.name
                continue
            field = kind.fields[name]
            taken.append((key, field.extensions.get(SOURCE, name), self._compile_converter(kind, field.type, same)))
        return _combine_projectors(taken, constants)

    def _compile_converter(self, parent: GraphQLObjectType, kind: Any, nodes: list[FieldNode]) -> Projector | None:
        """Compile the conversion of a picked member; None if it stays as it is."""
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        if isinstance(kind, GraphQLList):
            inner = self._compile_converter(parent, kind.of_type, nodes)
            return None if inner is None else _map_over_list(inner)
        if isinstance(kind, GraphQLObjectType):
            return self.compile_projector(kind, nodes)
        # JavaScript reads JSON numbers as doubles and would round the 64-bit seed, so it is a string here.
        return str if parent.name == STAMP and nodes[0].name.value == "seed" else None


def _map_over_list(inner: Projector) -> Projector:
    def convert(values: list[Any]) -> list[Any]:
        return [None if value is None else inner(value) for value in values]

    return convert


def _combine_projectors(taken: list[tuple[str, str, Projector | None]], constants: dict[str, str]) -> Projector:
    keys, names = [key for key, _, _ in taken], [name for _, name, _ in taken]
    converted = [(key, convert) for key, _, convert in taken if convert is not None]
    take = _compile_selector(keys, names)

    def project(source: Mapping[str, Any]) -> dict[str, Any]:
        made = take(source)
        for key, convert in converted:
            if made[key] is not None:
                made[key] = convert(made[key])
        if constants:
            made.update(constants)
        return made

    return project if converted or constants else take


def _compile_selector(keys: list[str], names: list[str]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    def take_or_none(source: Mapping[str, Any]) -> dict[str, Any]:
        return {key: source.get(name) for key, name in zip(keys, names, strict=True)}

    if len(keys) < 2:
        return take_or_none
    get = itemgetter(*names)

    def take(source: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return dict(zip(keys, get(source), strict=True))
        except KeyError:  # the contract allows this member to be absent
            return take_or_none(source)

    return take
