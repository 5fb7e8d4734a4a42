"""Counts the independent sources of a statement that few others bear on.

The gate wants three citations. A statement that two publishers made apart from each other is two pieces of evidence,
although the graph files it once, so each further publisher of a quoted statement is cited for itself. Sources of one
publisher count once, and so does a source that nobody read or that was retracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import HerbGraph, HerbSource

_UNREAD = "not-read"


def list_corroborations(graph: HerbGraph, quoted: Sequence[HerbFact]) -> tuple[HerbFact, ...]:
    """Return a citation of each quoted statement for every publisher of it beyond the first."""
    return tuple(
        replace(fact, id=f"{fact.id}#{source.id}", sources=(source.id,))
        for fact in quoted
        if not fact.is_from_document
        for source in _list_publishers(graph, fact)[1:]
    )


def _list_publishers(graph: HerbGraph, fact: HerbFact) -> list[HerbSource]:
    """Return one source of each publisher of the statement, in order."""
    by_publisher: dict[str, HerbSource] = {}
    for source_id in fact.sources:
        source = graph.sources.get(source_id)
        if source is not None and source.publisher and source.how_read != _UNREAD and not source.is_doubtful:
            by_publisher.setdefault(source.publisher.casefold(), source)
    return list(by_publisher.values())
