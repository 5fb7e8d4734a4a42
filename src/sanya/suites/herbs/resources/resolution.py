"""Resolution of the id in a resource's URI to one node."""

from __future__ import annotations

from sanya.suite import NotFound
from sanya.suites.herbs.graph.model import HerbNode, NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver, ResolvedName
from sanya.suites.herbs.graph.store import HerbStore


async def resolve_node(store: HerbStore, id_or_name: str, type: NodeType) -> HerbNode:
    """Return the node with this id or unambiguous name; refuse anything else with the candidates."""
    resolution = await NameResolver(store).resolve(id_or_name, [type])
    if isinstance(resolution, ResolvedName) and resolution.is_certain:
        return resolution.node
    named = ", ".join(f"{candidate.node.id} ({candidate.node.label})" for candidate in resolution.candidates)
    near = f"; perhaps {named}" if named else ""
    raise NotFound(f"no {type} has the id or the unambiguous name {id_or_name[:80]!r}{near}")
