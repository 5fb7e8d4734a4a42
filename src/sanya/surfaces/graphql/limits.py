"""Limits on the size of a document, checked before validation.

Validation time grows with the document, faster than linearly for some rules, and fragments let a short text expand to a
huge query. So the expanded size is measured first, in one pass that visits each fragment once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

MAX_CHARS = 100_000
MAX_TOKENS = 5_000
MAX_DEPTH = 16
MAX_FIELDS = 2_000
MAX_ALIASES = 50
MAX_REPEATS = 50
# Validation compares the fragments of a selection with each other, pair by pair.
MAX_SPREADS = 150
MAX_CALLS = 10
MAX_OPERATIONS = 20
MAX_ERRORS = 10
MAX_LOCATIONS = 10

# List fields of introspection. Each one nested in another multiplies the answer by the number of types.
_WIDE = {"fields", "inputFields", "possibleTypes", "interfaces", "types"}
_INTROSPECTION = {"__schema", "__type"}
MAX_WIDE = 2


class OverLimit(GraphQLError):
    """The document exceeds a limit, which the message names."""


@dataclass(frozen=True, slots=True)
class _SelectionSize:
    """The size of a selection with its fragments expanded. `wide` counts nested introspection lists."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0
    repeats: int = 0
    wide: int = 0
    spreads: int = 0


def check_document(document: DocumentNode) -> None:
    """Raise OverLimit if an operation of the document is too large."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(operations) > MAX_OPERATIONS:
        raise OverLimit(f"A document may have at most {MAX_OPERATIONS} operations; this one has {len(operations)}.")
    measure = _DocumentMeasure(
        {
            fragment.name.value: fragment
            for fragment in document.definitions
            if isinstance(fragment, FragmentDefinitionNode)
        }
    )
    for operation in operations:
        size = measure.measure_selection_set(operation.selection_set, 1)
        if size.wide > MAX_WIDE:
            raise OverLimit(f"Introspection lists may be nested at most {MAX_WIDE} deep.")
    for fragment in measure.fragments.values():
        measure.measure_fragment(fragment.name.value, 1)


class _DocumentMeasure:
    def __init__(self, fragments: dict[str, FragmentDefinitionNode]) -> None:
        self.fragments = fragments
        self._known: dict[str, _SelectionSize | None] = {}

    def measure_selection_set(self, selected: SelectionSetNode, level: int) -> _SelectionSize:
        depth = fields = aliases = repeats = wide = spreads = 0
        keys: set[str] = set()
        for node in selected.selections:
            size = self._measure_selection(node, level)
            if isinstance(node, FieldNode):
                key = (node.alias or node.name).value
                repeats += key in keys
                keys.add(key)
            depth, wide = max(depth, size.depth), max(wide, size.wide)
            fields, aliases, repeats = fields + size.fields, aliases + size.aliases, repeats + size.repeats
            spreads += size.spreads + (not isinstance(node, FieldNode))
            _refuse_over_limit(_SelectionSize(depth, fields, aliases, repeats, wide, spreads))
        return _SelectionSize(depth, fields, aliases, repeats, wide, spreads)

    def _measure_selection(self, node: object, level: int) -> _SelectionSize:
        if isinstance(node, FragmentSpreadNode):
            return self.measure_fragment(node.name.value, level)
        if level > MAX_DEPTH:
            raise OverLimit(f"Selections may be nested at most {MAX_DEPTH} deep.")
        if isinstance(node, InlineFragmentNode):
            # Counts as a level; otherwise inline fragments could be nested without limit.
            return self.measure_selection_set(node.selection_set, level + 1)
        assert isinstance(node, FieldNode)
        inner = _SelectionSize()
        if node.selection_set is not None:
            inner = self.measure_selection_set(node.selection_set, level + 1)
        return _SelectionSize(
            inner.depth + 1,
            inner.fields + 1,
            inner.aliases + (node.alias is not None),
            inner.repeats,
            inner.wide + (node.name.value in _WIDE) if level > 1 or node.name.value in _INTROSPECTION else 0,
            inner.spreads,
        )

    def measure_fragment(self, name: str, level: int) -> _SelectionSize:
        if name in self._known:
            size = self._known[name]
            if size is None:
                raise OverLimit(f"The fragment {name[:100]!r} contains itself.")
            # Spread again, the fragment may repeat fields beside it.
            return replace(size, repeats=size.repeats + 1)
        fragment = self.fragments.get(name)
        if fragment is None:
            return _SelectionSize()  # validation reports the unknown fragment
        self._known[name] = None
        size = self._known[name] = self.measure_selection_set(fragment.selection_set, level)
        return size


def _refuse_over_limit(size: _SelectionSize) -> None:
    over = (
        (size.depth, MAX_DEPTH, "levels"),
        (size.fields, MAX_FIELDS, "fields with its fragments expanded"),
        (size.aliases, MAX_ALIASES, "aliases"),
        (size.repeats, MAX_REPEATS, "repeated fields"),
        (size.spreads, MAX_SPREADS, "fragments, each counted as often as it is used"),
    )
    for count, limit, what in over:
        if count > limit:
            raise OverLimit(f"A document may have at most {limit} {what}.")
