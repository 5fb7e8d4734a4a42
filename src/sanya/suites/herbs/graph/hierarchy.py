"""The hierarchies of the graph: drugs and their classes, ICD-10 codes and their subcodes."""

from __future__ import annotations

from sanya.suites.herbs.graph.model import HerbGraph


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
