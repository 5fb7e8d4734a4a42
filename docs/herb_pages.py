"""Renders the page about the starter graph: what it holds, counted from the file that is shipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files

from docs.markdown import mark_code, render_table
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, REVIEWS, STRENGTHS, WARNING_EDGES, HerbEdge, HerbNode
from sanya.suites.herbs.graph.starter import FILE, StarterGraph, read_starter

INTRODUCTION = """# The starter graph in numbers

[herbs.md](herbs.md) says how the graph was made and what it is not. Review states mean:

- `reviewed`: read against its source while the tables were compiled, with nothing doubtful noted. This is no clinical
  review.
- `unreviewed`: assigned by the compilers, or derived by a rule.
- `needs_review`: doubtful. The `note` of the row says why.

Every answer shows the review state of what it returns. To read the note of a node, open its resource
(`kg://herb/{id}`, `kg://{type}/{id}`); to read the note of a warning, run `sanya herbs check` for its herb."""


def render_herb_graph_page() -> str:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    return "\n\n".join(
        [
            INTRODUCTION,
            "## Nodes",
            _count_reviews(NODE_TYPES, starter.nodes),
            "## Edges",
            _count_reviews(EDGE_TYPES, starter.edges),
            *_describe_warnings(starter),
            *_describe_sources(starter),
        ]
    )


def _count_reviews(types: Iterable[str], rows: Iterable[HerbNode | HerbEdge]) -> str:
    counts = Counter((str(row.type), row.review) for row in rows)
    lines = [(mark_code(type), *(str(counts[type, review]) for review in REVIEWS)) for type in types]
    return render_table(("type", *REVIEWS), lines)


def _describe_warnings(starter: StarterGraph) -> Sequence[str]:
    edges = [edge for edge in starter.edges if edge.type in WARNING_EDGES]
    facts = {edge.fact: edge for edge in edges}
    doubtful = sum(edge.review == "needs_review" for edge in facts.values())
    counts = Counter((edge.basis, edge.strength) for edge in facts.values())
    bases = sorted({edge.basis for edge in facts.values()})
    lines = [(basis, *(str(counts[basis, strength]) for strength in STRENGTHS)) for basis in bases]
    return (
        f"## Warnings\n\n{len(facts)} warnings make {len(edges)} edges, one for each drug or condition that a warning\n"
        f"is about. {doubtful} warnings are doubtful. Warnings by strength, and by what the strength rests on:",
        render_table(("basis", *STRENGTHS), lines),
    )


def _describe_sources(starter: StarterGraph) -> Sequence[str]:
    doubtful = sum(source.review == "needs_review" for source in starter.sources)
    return (f"## Sources\n\n{len(starter.sources)} sources, {doubtful} of them doubtful themselves.",)
