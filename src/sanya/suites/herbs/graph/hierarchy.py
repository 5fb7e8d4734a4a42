"""The hierarchies of the graph: drugs and their classes, ICD-10 codes and their subcodes."""

from __future__ import annotations

from sanya.suites.herbs.graph.model import HerbGraph

_MAX_LEVELS = 3
# A group of more is too wide for what is said of one to bear on another.
_MAX_KINDRED = 60
_NO_GROUPS = ("enzyme", "enzyme_role", "herb_group")


def list_related_nodes(graph: HerbGraph, node_id: str) -> list[str]:
    """Return a drug with its classes and members, or a use with its wider and narrower codes; other nodes alone."""
    type = graph.nodes[node_id].type
    related = {node_id}
    for upwards in (True, False):
        frontier = [node_id]
        while frontier:
            ends = {
                edge.to_id if upwards else edge.from_id
                for current in frontier
                for edge in graph.get_edges(current)
                if edge.type == "part_of" and edge.from_type == edge.to_type == type
                if (edge.from_id if upwards else edge.to_id) == current
            }
            frontier = sorted(ends - related)
            related |= ends
    return sorted(related)


def list_kindred(graph: HerbGraph, node_id: str) -> list[list[str]]:
    """Return the drugs or conditions in the same group as a node, those of the nearest group first: for rivaroxaban the
    other factor Xa inhibitors, then the other anticoagulants. Enzymes and their substrates are no group."""
    levels: list[list[str]] = []
    seen, frontier = {node_id}, [node_id]
    for _ in range(_MAX_LEVELS):
        frontier = [
            group for id in frontier for group in _list_neighbours(graph, id, upwards=True) if group not in seen
        ]
        members = {id for group in frontier for id in list_members(graph, group)}
        if len(members) <= _MAX_KINDRED:
            levels.append(sorted(members - seen))
        seen |= members | set(frontier)
    return levels


def list_members(graph: HerbGraph, group_id: str) -> set[str]:
    """Return the group and all that belongs to it, through its groups."""
    members, frontier = {group_id}, [group_id]
    while frontier:
        found = {id for current in frontier for id in _list_neighbours(graph, current, upwards=False)}
        frontier = sorted(found - members)
        members |= found
    return members


def _list_neighbours(graph: HerbGraph, node_id: str, *, upwards: bool) -> list[str]:
    found = []
    for edge in graph.get_edges(node_id):
        near, far = (edge.from_id, edge.to_id) if upwards else (edge.to_id, edge.from_id)
        is_group = edge.type == "part_of" and edge.from_type == edge.to_type and near == node_id
        if is_group and graph.nodes[edge.to_id].data.get("kind") not in _NO_GROUPS:
            found.append(far)
    return found
