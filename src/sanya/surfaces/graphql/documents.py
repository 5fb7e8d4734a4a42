"""Parses, measures, validates and compiles documents, and caches the result for the next request with the same text.

How a query is executed: graphql-core parses and validates the document and coerces variables and arguments, so those
rules are the specification's own. But it does not execute the query. Its executor calls a resolver for every field of
every object, while our bodies arrive complete and already validated against their contract. So each root field becomes
one kernel call (`execution.py`), and its selection is compiled once into a function that picks the selected keys from
the body (`projection.py`). Only introspection runs on graphql-core's executor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    VariableNode,
    parse,
    validate,
    visit,
)
from graphql.execution.values import VariableValues, get_argument_values, get_variable_values
from graphql.language import BREAK, Visitor

from sanya.kernel.lru import LruCache
from sanya.surfaces.graphql.limits import MAX_CALLS, MAX_CHARS, MAX_ERRORS, MAX_TOKENS, OverLimit, check_document
from sanya.surfaces.graphql.projection import FieldGroups, Projector, Selections
from sanya.surfaces.graphql.schema import TOOL

_MAX_CACHED = 256
_MAX_CACHED_CHARS = 20_000
INTROSPECTION_FIELDS = ("__schema", "__type")


class InvalidDocument(Exception):
    """The request cannot be executed. The client gets `errors`."""

    def __init__(self, errors: list[GraphQLError], code: str) -> None:
        super().__init__(errors[0].message)
        self.errors = errors
        self.code = code


@dataclass(frozen=True, slots=True)
class RootField:
    """A top-level field of the query. `tool` is None for resources and introspection."""

    key: str
    node: FieldNode
    tool: str | None
    arguments: Callable[[VariableValues], Mapping[str, Any]]
    project: Projector


class Operation:
    """A compiled operation of a valid document."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> None:
        self._schema = schema
        self._operation = operation
        self.fragments = {
            fragment.name.value: fragment
            for fragment in document.definitions
            if isinstance(fragment, FragmentDefinitionNode)
        }
        self._compiled = None if _has_conditions(document) else self._compile({})

    @property
    def is_fixed(self) -> bool:
        """True if no variable changes what the operation asks for."""
        return not self._operation.variable_definitions and self._compiled is not None

    def coerce_variables(self, given: Mapping[str, Any]) -> VariableValues:
        values = get_variable_values(
            self._schema, self._operation.variable_definitions or (), dict(given), max_errors=MAX_ERRORS
        )
        if isinstance(values, list):
            raise InvalidDocument(values, "BAD_USER_INPUT")
        return values

    def list_roots(self, variables: VariableValues) -> list[RootField]:
        return self._compile(variables.coerced) if self._compiled is None else self._compiled

    def build_introspection(self, roots: list[RootField]) -> DocumentNode:
        """Build a document with only these fields."""
        nodes = tuple(root.node for root in roots)
        asked = OperationDefinitionNode(
            operation=OperationType.QUERY,
            selection_set=SelectionSetNode(selections=nodes),
            variable_definitions=self._operation.variable_definitions,
        )
        return DocumentNode(definitions=(asked, *self.fragments.values()))

    def _compile(self, variables: Mapping[str, Any]) -> list[RootField]:
        selections = Selections(self.fragments, variables)
        fields = selections.collect([self._operation.selection_set])
        _refuse_too_many(fields)
        query = self._schema.query_type
        assert query is not None
        return [self._compile_root(query, selections, key, nodes) for key, nodes in fields.items()]

    def _compile_root(
        self, query: GraphQLObjectType, selections: Selections, key: str, nodes: list[FieldNode]
    ) -> RootField:
        node = nodes[0]
        name = node.name.value
        if name.startswith("__"):
            return RootField(key, node, None, lambda _: {}, lambda body: body)
        field = query.fields[name]
        kind = field.type
        while not isinstance(kind, GraphQLObjectType):
            kind = kind.of_type
        project = selections.compile_projector(kind, nodes)
        arguments = node.arguments or ()
        if any(isinstance(argument.value, VariableNode) or _has_variables(argument) for argument in arguments):
            return RootField(key, node, field.extensions.get(TOOL), _compile_arguments(field, node), project)
        fixed = get_argument_values(field, node)
        return RootField(key, node, field.extensions.get(TOOL), lambda _: fixed, project)


def _compile_arguments(field: Any, node: FieldNode) -> Callable[[VariableValues], Mapping[str, Any]]:
    def read(variables: VariableValues) -> Mapping[str, Any]:
        return get_argument_values(field, node, variables)

    return read


def _refuse_too_many(fields: FieldGroups) -> None:
    if len(fields) > MAX_CALLS:
        error = OverLimit(f"A query may have at most {MAX_CALLS} top-level fields; this one has {len(fields)}.")
        raise InvalidDocument([error], "OVER_LIMIT")


class _NodeDetector(Visitor):
    """Detects a variable or a directive in a syntax tree."""

    def __init__(self) -> None:
        super().__init__()
        self.variable = self.directive = False

    def enter_variable(self, *_: Any) -> Any:
        self.variable = True

    def enter_directive(self, *_: Any) -> Any:
        self.directive = True
        return BREAK


def _has_variables(node: Any) -> bool:
    detector = _NodeDetector()
    visit(node, detector)
    return detector.variable


def _has_conditions(document: DocumentNode) -> bool:
    detector = _NodeDetector()
    visit(document, detector)
    return detector.directive


class DocumentCache:
    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._cache: LruCache[tuple[str, str | None], Operation] = LruCache(_MAX_CACHED)

    def get_operation(self, text: str, name: str | None) -> Operation:
        """Return the operation of this name in the document, or its only one. Raises InvalidDocument."""
        cached = self._cache.get((text, name))
        if cached is not None:
            return cached
        try:
            operation = self._read(text, name)
        except RecursionError:
            raise InvalidDocument([OverLimit("The document is nested too deeply.")], "OVER_LIMIT") from None
        if len(text) <= _MAX_CACHED_CHARS:
            self._cache.put((text, name), operation)
        return operation

    def _read(self, text: str, name: str | None) -> Operation:
        document = _parse(text)
        try:
            check_document(document)
        except OverLimit as error:
            raise InvalidDocument([error], "OVER_LIMIT") from None
        if errors := validate(self._schema, document, max_errors=MAX_ERRORS):
            raise InvalidDocument(errors, "GRAPHQL_VALIDATION_FAILED")
        _unlink_tokens(document)
        return Operation(self._schema, document, _select_operation(document, name))


def _parse(text: str) -> DocumentNode:
    if len(text) > MAX_CHARS:
        raise InvalidDocument([OverLimit(f"A document may have at most {MAX_CHARS} characters.")], "OVER_LIMIT")
    try:
        return parse(text, max_tokens=MAX_TOKENS)
    except GraphQLError as error:
        code = "OVER_LIMIT" if "tokens" in error.message else "GRAPHQL_PARSE_FAILED"
        raise InvalidDocument([error], code) from None


def _unlink_tokens(document: DocumentNode) -> None:
    """Unlink the tokens from each other.

    Each token refers to its neighbours, and these cycles would keep a discarded document in memory until the next full
    garbage collection. Error locations need only a node's own token.
    """
    token = document.loc.start_token if document.loc else None
    while token is not None:
        following, token.prev, token.next = token.next, None, None
        token = following


def _select_operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    matching = [node for node in operations if name is None or (node.name is not None and node.name.value == name)]
    if len(matching) != 1:
        several = "The document has several operations. Choose one with operationName."
        message = several if name is None else f"The document has no operation {name!r}."
        raise InvalidDocument([GraphQLError(message)], "OPERATION_RESOLUTION_FAILURE")
    return matching[0]
