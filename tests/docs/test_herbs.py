"""docs/herbs.md tells numbers of the starter graph; they are those of the file that is shipped."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, WARNING_EDGES, HerbNode
from sanya.suites.herbs.graph.starter import FILE, read_starter

PAGE = (Path(__file__).parents[2] / "docs" / "herbs.md").read_text("utf-8")


def test_the_numbers_in_the_page_are_those_of_the_shipped_graph() -> None:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    herbs = [node for node in starter.nodes if node.type == "herb"]
    uses = [node for node in starter.nodes if node.type == "indication"]
    warnings = {edge.fact: edge.basis for edge in starter.edges if edge.type in WARNING_EDGES}
    own = sum(basis == "source" for basis in warnings.values())
    text = re.sub(r"\s+", " ", PAGE)
    assert f"{len(herbs)} herbs" in text
    assert f"the source's own for {own} of {len(warnings)}" in text
    assert f"the Latin names of {_assigned(herbs)} of {len(herbs)} herbs" in text
    assert f"the codes of {_assigned(uses)} of {len(uses)} indications" in text


def _assigned(nodes: list[HerbNode]) -> int:
    return sum(node.basis == "assigned" for node in nodes)


def test_every_type_of_node_and_edge_is_explained() -> None:
    for type in (*NODE_TYPES, *EDGE_TYPES):
        assert f"`{type}`" in PAGE
