"""How large a document may be, looked at before it is validated: validation itself takes time that a document can
drive up, and fragments let a short text ask for very much."""

from __future__ import annotations

from dataclasses import dataclass

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
MAX_CALLS = 10
MAX_OPERATIONS = 20
MAX_ERRORS = 10

# Lists of the schema about itself: each below another multiplies the answer by the number of types.
_WIDE = {"fields", "inputFields", "possibleTypes", "interfaces", "types"}
_INTROSPECTION = {"__schema", "__type"}
MAX_WIDE = 2


class OverLimit(GraphQLError):
    """The document asks for more than one request may; the message names the limit."""


@dataclass(frozen=True, slots=True)
class _SelectionSize:
    """Of a selection, its fragments written out. `wide` counts the nested lists of an introspection."""

    depth: int = 0
    fields: int = 0
    aliases: int = 0
    repeats: int = 0
    wide: int = 0


def check_document(document: DocumentNode) -> None:
    """Raises OverLimit where an operation of the document is too large."""
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    if len(operations) > MAX_OPERATIONS:
        raise OverLimit(f"a document may have {MAX_OPERATIONS} operations, this one has {len(operations)}")
    measure = _DocumentMeasure(
        {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    )
    for operation in operations:
        size = measure.measure_selection_set(operation.selection_set, 1)
        if size.wide > MAX_WIDE:
            raise OverLimit(f"the schema's lists of itself may be {MAX_WIDE} deep in each other; these are deeper")
    for fragment in measure.fragments.values():
        measure.measure_fragment(fragment.name.value, 1)


class _DocumentMeasure:
    def __init__(self, fragments: dict[str, FragmentDefinitionNode]) -> None:
        self.fragments = fragments
        self._known: dict[str, _SelectionSize | None] = {}

    def measure_selection_set(self, selected: SelectionSetNode, level: int) -> _SelectionSize:
        depth = fields = aliases = repeats = wide = 0
        keys: set[str] = set()
        for one in selected.selections:
            size = self._measure_selection(one, level)
            if isinstance(one, FieldNode):
                key = (one.alias or one.name).value
                repeats += key in keys
                keys.add(key)
            depth, wide = max(depth, size.depth), max(wide, size.wide)
            fields, aliases, repeats = fields + size.fields, aliases + size.aliases, repeats + size.repeats
            _refuse_over_limit(_SelectionSize(depth, fields, aliases, repeats, wide))
        return _SelectionSize(depth, fields, aliases, repeats, wide)

    def _measure_selection(self, one: object, level: int) -> _SelectionSize:
        if isinstance(one, FragmentSpreadNode):
            return self.measure_fragment(one.name.value, level)
        if level > MAX_DEPTH:
            raise OverLimit(f"selections may be {MAX_DEPTH} deep, this one is deeper")
        if isinstance(one, InlineFragmentNode):
            # It counts as a level: written inside each other without end, they would else never be stopped.
            return self.measure_selection_set(one.selection_set, level + 1)
        assert isinstance(one, FieldNode)
        inner = (
            self.measure_selection_set(one.selection_set, level + 1)
            if one.selection_set is not None
            else _SelectionSize()
        )
        return _SelectionSize(
            inner.depth + 1,
            inner.fields + 1,
            inner.aliases + (one.alias is not None),
            inner.repeats,
            inner.wide + (one.name.value in _WIDE) if level > 1 or one.name.value in _INTROSPECTION else 0,
        )

    def measure_fragment(self, name: str, level: int) -> _SelectionSize:
        if name in self._known:
            size = self._known[name]
            if size is None:
                raise OverLimit(f"the fragment {name[:100]!r} contains itself")
            # Written out here, it repeats whatever stands beside it, at worst as a whole.
            return _SelectionSize(size.depth, size.fields, size.aliases, size.repeats + 1, size.wide)
        fragment = self.fragments.get(name)
        if fragment is None:
            return _SelectionSize()  # validation says so
        self._known[name] = None
        size = self._known[name] = self.measure_selection_set(fragment.selection_set, level)
        return size


def _refuse_over_limit(size: _SelectionSize) -> None:
    over = (
        (size.depth, MAX_DEPTH, "levels"),
        (size.fields, MAX_FIELDS, "fields, its fragments written out"),
        (size.aliases, MAX_ALIASES, "aliases"),
        (size.repeats, MAX_REPEATS, "fields that are named twice"),
    )
    for found, most, what in over:
        if found > most:
            raise OverLimit(f"a document may have {most} {what}; this one has more")
