"""Lists the root fields of a query that cannot be run, to refuse it in the words of the suites that it names."""

from __future__ import annotations

from graphql import FieldNode, GraphQLError, OperationDefinitionNode, parse

from sanya.surfaces.graphql.limits import MAX_CALLS, MAX_CHARS, MAX_TOKENS


def list_root_fields(query: object) -> list[tuple[str, str]]:
    """Return key and name of each root field outside fragments; none for what is no query."""
    if not isinstance(query, str) or len(query) > MAX_CHARS:
        return []
    try:
        document = parse(query, max_tokens=MAX_TOKENS, no_location=True)
    except (GraphQLError, RecursionError):
        return []
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    fields = [
        ((field.alias or field.name).value, field.name.value)
        for operation in operations
        for field in operation.selection_set.selections
        if isinstance(field, FieldNode)
    ]
    return fields[:MAX_CALLS]
