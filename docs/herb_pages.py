"""What the starter graph holds, counted from the file that is shipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from docs.markdown import mark_code, render_table
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, REVIEWS, STRENGTHS, WARNING_EDGES, HerbEdge, HerbNode
from sanya.suites.herbs.graph.starter import FILE, read_starter

INTRODUCTION = """# The starter graph in numbers

How it was made and what it is not: [herbs.md](herbs.md). `reviewed` means that the row was read against its source
while the tables were compiled and nothing doubtful was noted; it is no clinical review. `unreviewed` is what was
assigned or follows by a rule. `needs_review` is doubtful, and the note beside it says why."""


def herb_graph_page() -> str:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    warnings = [edge for edge in starter.edges if edge.type in WARNING_EDGES]
    facts = {edge.fact: edge for edge in warnings}
    doubtful = [node for node in starter.nodes if node.review == "needs_review"]
    parts = [
        INTRODUCTION,
        "## Nodes",
        _by_review(NODE_TYPES, starter.nodes),
        "## Edges",
        _by_review(EDGE_TYPES, starter.edges),
        "## What judgements rest on",
        _bases(starter.edges),
        f"## Warnings\n\n{len(facts)} warnings make {len(warnings)} edges, one for each drug or condition that one is "
        "about. Strength, and what it rests on:",
        _strengths(list(facts.values())),
        "## Doubtful warnings",
        _notes(
            (id, edge.from_id, edge.note or "") for id, edge in sorted(facts.items()) if edge.review == "needs_review"
        ),
        "## Doubtful nodes",
        _notes((node.id, node.label, node.note or "") for node in doubtful),
        f"## Sources\n\n{len(starter.sources)} sources, "
        f"{sum(source.review == 'needs_review' for source in starter.sources)} of them marked as doubtful themselves.",
    ]
    return "\n\n".join(parts)


def _by_review(types: Iterable[str], rows: Iterable[HerbNode | HerbEdge]) -> str:
    counts = Counter((row.type, row.review) for row in rows)
    lines = [(mark_code(type), *(str(counts[type, review]) for review in REVIEWS)) for type in types]  # type: ignore[index]
    return render_table(("type", *REVIEWS), lines)


def _bases(edges: Iterable[HerbEdge]) -> str:
    counts = Counter((edge.type, edge.basis) for edge in edges)
    return render_table(
        ("edge", "basis", "count"), [(mark_code(type), basis, str(n)) for (type, basis), n in sorted(counts.items())]
    )


def _strengths(facts: list[HerbEdge]) -> str:
    counts = Counter((edge.basis, edge.strength) for edge in facts)
    bases = sorted({edge.basis for edge in facts})
    return render_table(("basis", *STRENGTHS), [(basis, *(str(counts[basis, one]) for one in STRENGTHS)) for basis in bases])


def _notes(rows: Iterable[tuple[str, str, str]]) -> str:
    return render_table(("id", "of", "why"), [(mark_code(id), of, why) for id, of, why in rows])
