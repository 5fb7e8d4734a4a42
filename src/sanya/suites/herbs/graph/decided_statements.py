"""The layer of the owner's decisions as the graph is read: statements as decided, rejected ones apart.

The rows of the graph stay as they were shipped or ingested. `suites/herbs/review` derives the table
`herb_decided_statements` from the decisions; here it is laid over the edges that are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import orjson

from sanya.suite.store import Row, Value, build_insert
from sanya.suites.herbs.graph.model import (
    HerbEdge,
    HerbSource,
    ReviewState,
    StatementDecision,
    to_strength,
)

_COLUMNS = "fact, decision_id, strength, review, is_hidden, overlay"
READ_DECIDED = f"SELECT {_COLUMNS} FROM herb_decided_statements"  # noqa: S608 - names of our own
WRITE_DECIDED = build_insert("herb_decided_statements", _COLUMNS.split(", "))
# A table of edges for statements that read them by their ends: decided strengths and states, without rejected edges.
DECIDED_EDGES = (
    "(SELECT e.from_id, e.from_type, e.type, e.to_id, e.to_type, e.sources, "
    "COALESCE(d.strength, e.strength) AS strength, COALESCE(d.review, e.review) AS review FROM herb_edges e "
    "LEFT JOIN herb_decided_statements d ON d.fact = e.fact WHERE COALESCE(d.is_hidden, 0) = 0) AS decided_edges"
)
REVIEW_BATCH = "review"


@dataclass(frozen=True, slots=True)
class DecidedStatement:
    """A statement as decided: what is shown instead of its own values. None and empty leave a value as it is."""

    fact: str
    decision: StatementDecision
    strength: int
    review: ReviewState
    is_hidden: bool
    basis: str | None
    has_note: bool
    note: str | None
    data: Mapping[str, Any]
    sources: tuple[HerbSource, ...]

    def apply(self, edge: HerbEdge) -> HerbEdge:
        return replace(
            edge,
            strength=to_strength(self.strength),
            basis=self.basis or edge.basis,
            review=self.review,
            note=self.note if self.has_note else edge.note,
            sources=self.add_sources(edge.sources),
            data={**edge.data, **self.data},
            decision=self.decision,
        )

    def add_sources(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*ids, *(source.id for source in self.sources)]))


DecidedStatements = Mapping[str, DecidedStatement]


def split_rejected(edges: Iterable[HerbEdge], decided: DecidedStatements) -> tuple[list[HerbEdge], list[HerbEdge]]:
    """Return the edges as decided, and the rejected ones."""
    kept: list[HerbEdge] = []
    rejected: list[HerbEdge] = []
    for edge in edges:
        statement = decided.get(edge.fact)
        if statement is None:
            kept.append(edge)
        else:
            (rejected if statement.is_hidden else kept).append(statement.apply(edge))
    return kept, rejected


def read_decided(row: Row) -> DecidedStatement:
    overlay = orjson.loads(str(row[5]))
    return DecidedStatement(
        fact=str(row[0]),
        decision=StatementDecision(str(row[1]), **overlay["decision"]),
        strength=cast(int, row[2]),
        review=cast(ReviewState, row[3]),
        is_hidden=bool(row[4]),
        basis=overlay["basis"],
        has_note=overlay["has_note"],
        note=overlay["note"],
        data=overlay["data"],
        sources=tuple(_read_source(source) for source in overlay["sources"]),
    )


def to_decided_row(statement: DecidedStatement) -> tuple[Value, ...]:
    decision = statement.decision
    overlay = {
        "decision": {
            "verdict": decision.verdict,
            "reviewer": decision.reviewer,
            "date": decision.date,
            "reason": decision.reason,
            "is_outdated": decision.is_outdated,
        },
        "basis": statement.basis,
        "has_note": statement.has_note,
        "note": statement.note,
        "data": dict(statement.data),
        "sources": [
            {"id": source.id, "title": source.title, "year": source.year, "url": source.url}
            for source in statement.sources
        ],
    }
    content = orjson.dumps(overlay, option=orjson.OPT_SORT_KEYS).decode("utf-8")
    return (
        *(statement.fact, decision.id, statement.strength, statement.review),
        *(int(statement.is_hidden), content),
    )


def _read_source(source: Mapping[str, Any]) -> HerbSource:
    return HerbSource(
        id=source["id"],
        kind="review",
        title=source["title"],
        year=source["year"],
        url=source["url"],
        publisher=None,
        pmid=None,
        review="reviewed",
        batch=REVIEW_BATCH,
    )
