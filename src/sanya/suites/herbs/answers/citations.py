"""Citations: a fact of the graph as evidence that a reader can check.

A citation quotes the fact's sentence (`span`) and names the node it is about, with the URI under which that node can be
read. It carries the provenance of the statement: strength, basis, review state, and the sources with title and URL.
`used` tells the facts that the answer quotes from those that merely bear on the question.
"""

from __future__ import annotations

from sanya.suites.herbs.answers.contract import Citation, CitedSource
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.search.result_shapes import format_node_uri


def build_citation(graph: HerbGraph, fact: HerbFact, lang: str, *, used: bool) -> Citation:
    node = graph.nodes[fact.subject]
    return Citation(
        id=fact.id,
        uri=format_node_uri(node),
        title=node.get_label(lang),
        span=fact.get_sentence(lang),
        used=used,
        strength=fact.strength,
        basis=fact.basis,
        review=fact.review,
        sources=[_cite_source(graph, source_id) for source_id in fact.sources],
    )


def _cite_source(graph: HerbGraph, source_id: str) -> CitedSource:
    source = graph.sources.get(source_id)
    return CitedSource(id=source_id, title=source.title if source else None, url=source.url if source else None)
