"""Lookup of exact names in the whole graph in memory, for callers that read many names at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from sanya.suites.herbs.graph.model import HerbGraph, HerbName, HerbNode, NodeType
from sanya.suites.herbs.graph.name_keys import fold_name

_MAIN_KINDS = frozenset({"main", "romanised"})
# Names that related nodes share by their nature. A node's own name outranks them.
_SHARED_KINDS = frozenset({"genus", "abbreviation", "part", "code"})


class RankedName(Protocol):
    @property
    def node_type(self) -> str: ...

    @property
    def kind(self) -> str: ...


_Name = TypeVar("_Name", bound=RankedName)


def select_strongest(names: Sequence[_Name]) -> list[_Name]:
    """Prefer a node's own names to shared ones, then the types of which this is a main name."""
    own = [name for name in names if name.kind not in _SHARED_KINDS] or list(names)
    main_types = {name.node_type for name in own if name.kind in _MAIN_KINDS}
    return [name for name in own if name.node_type in main_types] or own


def find_named_nodes(graph: HerbGraph, text: str, type: NodeType) -> tuple[HerbNode, ...]:
    """Return the nodes of one type that the text names by id or by a whole name, as `NameResolver` would."""
    node = graph.nodes.get(text.strip())
    if node is not None and node.type == type:
        return (node,)
    names = [name for name in graph.names_by_key.get(fold_name(text), ()) if name.node_type == type]
    return to_nodes(graph, select_strongest(names))


def to_nodes(graph: HerbGraph, names: Iterable[HerbName]) -> tuple[HerbNode, ...]:
    return tuple(graph.nodes[id] for id in dict.fromkeys(name.node_id for name in names))
