"""The queue of statements to review: every warning as one row, the most dangerous first.

A statement is open if it is doubtful (`needs_review`) and nobody decided about it, or if the decision about it is
outdated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from sanya.suites.herbs.graph.model import WARNING_EDGES, HerbEdge, HerbGraph, HerbNode, HerbSource, group_by_key
from sanya.suites.herbs.review.contract import EvidenceKind
from sanya.suites.herbs.safety.severity import Severity, get_severity, rank_severity

QueueState = Literal["open", "outdated", "accepted", "corrected", "rejected", "reviewed", "unreviewed"]
StateFilter = Literal["open", "outdated", "decided", "accepted", "corrected", "rejected", "all"]
STATE_FILTERS: tuple[StateFilter, ...] = get_args(StateFilter)
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
_DECIDED: dict[str, QueueState] = {"accept": "accepted", "correct": "corrected", "reject": "rejected"}
_UNREAD = ("not-read", "title")


@dataclass(frozen=True)
class ReviewStatement:
    """A statement as it stands after any decision: its edges share one fact and one subject."""

    edges: tuple[HerbEdge, ...]
    subject: HerbNode
    objects: tuple[HerbNode, ...]
    sources: tuple[HerbSource, ...]

    @property
    def first(self) -> HerbEdge:
        return self.edges[0]

    @property
    def id(self) -> str:
        return self.first.fact

    @property
    def severity(self) -> Severity:
        return get_severity(self.first)

    @property
    def evidence(self) -> str | None:
        evidence = self.first.data.get("evidence")
        return evidence if evidence in EVIDENCE_KINDS else None

    @cached_property
    def state(self) -> QueueState:
        decision = self.first.decision
        if decision is not None:
            return "outdated" if decision.is_outdated else _DECIDED[decision.verdict]
        review = self.first.review
        return "open" if review == "needs_review" else review

    @property
    def is_open(self) -> bool:
        return self.state in ("open", "outdated")

    @property
    def unread_sources(self) -> list[HerbSource]:
        return [source for source in self.sources if source.how_read in _UNREAD]

    @property
    def doubtful_sources(self) -> list[HerbSource]:
        return [source for source in self.sources if source.review == "needs_review"]

    @property
    def sort_key(self) -> tuple[int, int, int, str]:
        """The most severe first, then the best evidence, then those that concern most drugs and conditions."""
        kinds = EVIDENCE_KINDS
        evidence = kinds.index(self.evidence) if self.evidence in kinds else len(kinds)
        return -rank_severity(self.severity), evidence, -len(self.objects), self.id


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Restricts the queue. `subject` is the id of a herb or formulation, `object` that of a drug or condition; empty
    and None allow any."""

    state: StateFilter = "open"
    subject: str | None = None
    object: str | None = None
    severity: Severity | None = None
    evidence: str | None = None
    source: str | None = None

    def is_match(self, statement: ReviewStatement) -> bool:
        return (
            _has_state(statement, self.state)
            and self.subject in (None, statement.subject.id)
            and (self.object is None or any(node.id == self.object for node in statement.objects))
            and self.severity in (None, statement.severity)
            and self.evidence in (None, statement.evidence)
            and (self.source is None or any(source.id == self.source for source in statement.sources))
        )


def _has_state(statement: ReviewStatement, state: StateFilter) -> bool:
    match state:
        case "all":
            return True
        case "open":
            return statement.is_open
        case "decided":
            return statement.first.decision is not None
        case _:
            return statement.state == state


@dataclass(frozen=True)
class ReviewQueue:
    """All statements of one revision of the graph, in the order of the queue."""

    graph: HerbGraph
    statements: Sequence[ReviewStatement] = field(repr=False)

    @cached_property
    def by_id(self) -> dict[str, ReviewStatement]:
        return {statement.id: statement for statement in self.statements}

    def filter(self, wanted: QueueFilter) -> list[ReviewStatement]:
        return [statement for statement in self.statements if wanted.is_match(statement)]

    def count_states(self) -> Counter[QueueState]:
        return Counter(statement.state for statement in self.statements)


def build_queue(graph: HerbGraph) -> ReviewQueue:
    edges = sorted((edge for edge in _list_warnings(graph)), key=lambda edge: edge.id)
    by_fact = group_by_key((edge.fact, edge) for edge in edges)
    statements = [_build_statement(graph, fact_edges) for fact_edges in by_fact.values()]
    return ReviewQueue(graph, sorted(statements, key=lambda statement: statement.sort_key))


def _list_warnings(graph: HerbGraph) -> Iterable[HerbEdge]:
    return (edge for edge in (*graph.edges, *graph.rejected) if edge.type in WARNING_EDGES)


def _build_statement(graph: HerbGraph, edges: tuple[HerbEdge, ...]) -> ReviewStatement:
    source_ids = dict.fromkeys(source for edge in edges for source in edge.sources)
    return ReviewStatement(
        edges,
        graph.nodes[edges[0].from_id],
        tuple(graph.nodes[edge.to_id] for edge in edges),
        tuple(graph.sources[id] for id in source_ids if id in graph.sources),
    )
