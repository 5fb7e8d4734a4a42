"""Citations: a fact of the graph as evidence that a reader can check.

A citation quotes the fact's sentence (`span`) and names the node it is about, with the URI under which that node can be
read. It carries the provenance of the statement: strength, basis, review state, and the sources with title and URL.
`used` tells the facts that the answer quotes from those that merely bear on the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanya.suite.text import count_tokens
from sanya.suites.herbs.answers.contract import Citation, CitedSource
from sanya.suites.herbs.answers.lines import present_sentence
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.search.result_shapes import format_node_uri

_MAX_NEAREST = 3
_MAX_NEAREST_TOKENS = 300


def build_citation(graph: HerbGraph, fact: HerbFact, lang: str, *, used: bool) -> Citation:
    node = graph.nodes[fact.subject]
    return Citation(
        id=fact.id,
        uri=format_node_uri(node),
        title=node.get_label(lang),
        span=present_sentence(fact, lang),
        used=used,
        strength=fact.strength,
        basis=fact.basis,
        review=fact.review,
        sources=[_cite_source(graph, source_id) for source_id in fact.sources],
    )


def shorten_citations(citations: Sequence[Citation]) -> list[Citation]:
    """Return the nearest statements beside a withheld answer: few, with one source id each, in 300 tokens."""
    kept: list[Citation] = []
    tokens = 0
    for citation in citations[:_MAX_NEAREST]:
        source = [CitedSource(id=first.id, title=None, url=None) for first in citation.sources[:1]]
        short = citation.model_copy(update={"sources": source})
        tokens += count_tokens(short.model_dump_json())
        if kept and tokens > _MAX_NEAREST_TOKENS:
            break
        kept.append(short)
    return kept


def _cite_source(graph: HerbGraph, source_id: str) -> CitedSource:
    source = graph.sources.get(source_id)
    return CitedSource(id=source_id, title=source.title if source else None, url=source.url if source else None)
