"""The layer of decisions over the graph: which decision counts for which statement, and what it comes to.

A release may join the rows of a statement differently, so that its id changes. A decision therefore belongs to every
statement about the same subject that holds one of the rows it was made about.

A decision counts for what the reviewer saw. Where a later release makes the statement more severe, finds official
evidence for it, or joins rows to it that the reviewer had not seen, the decision is outdated. It stays, is shown, and
still raises a severity; but it hides and lowers nothing until somebody looks again. The same holds for a decision that
lowers or rejects an official warning without a source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sanya.suite.store import Database, Transaction
from sanya.suites.herbs.graph.decided_statements import WRITE_DECIDED, DecidedStatement, to_decided_row
from sanya.suites.herbs.graph.model import (
    WARNING_EDGES,
    HerbEdge,
    ReviewState,
    StatementDecision,
    group_by_key,
    rank_strength,
)
from sanya.suites.herbs.graph.rows import EDGE_COLUMNS, read_edge
from sanya.suites.herbs.review.contract import Correction, SeenStatement
from sanya.suites.herbs.review.decision import READ_DECISIONS, ReviewDecision, read_decision, split_rows
from sanya.suites.herbs.safety.severity import (
    LABORATORY,
    Severity,
    derive_strength,
    get_severity,
    rank_severity,
)

OFFICIAL = "official"
_BASIS = "review"
_SELECT_WARNINGS = f"SELECT {EDGE_COLUMNS} FROM herb_edges WHERE type IN (?, ?)"  # noqa: S608 - names of our own
# A statement that no decision is about keeps its own values, so only the subjects of decisions are read.
_OF_DECIDED_SUBJECTS = "AND from_id IN (SELECT subject FROM herb_decisions WHERE undone IS NULL)"
_CLEAR = "DELETE FROM herb_decided_statements"


@dataclass(frozen=True, slots=True)
class ShippedStatement:
    """A statement as the graph's own rows have it, whatever was decided."""

    fact: str
    subject: str
    severity: Severity
    evidence: str | None
    kind: str | None = None
    is_lowered: bool = False
    """True where its strength is one step below its severity: animals or test tubes are the only evidence."""

    @property
    def seen(self) -> SeenStatement:
        return SeenStatement(severity=self.severity, evidence=self.evidence)


def describe_shipped(edge: HerbEdge) -> ShippedStatement:
    evidence = edge.data.get("evidence")
    is_graded = "severity" in edge.data
    severity = get_severity(edge)
    return ShippedStatement(
        *(edge.fact, edge.from_id, severity),
        evidence=str(evidence) if is_graded else None,
        kind=edge.data.get("kind"),
        is_lowered=rank_strength(edge.strength) < rank_strength(derive_strength(severity)),
    )


def is_lowering(changes: Correction, shipped: ShippedStatement) -> bool:
    """Return whether the changes make the statement look weaker: less severe, or no longer official."""
    is_less_severe = changes.severity is not None and rank_severity(changes.severity) < rank_severity(shipped.severity)
    is_unofficial = shipped.evidence == OFFICIAL and changes.evidence not in (None, OFFICIAL)
    return is_less_severe or is_unofficial


def is_outdated(decision: ReviewDecision, shipped: ShippedStatement) -> bool:
    weakens = decision.verdict == "reject" or is_lowering(decision.changes, shipped)
    return (
        rank_severity(shipped.severity) > rank_severity(decision.seen.severity)
        or (shipped.evidence == OFFICIAL and decision.seen.evidence != OFFICIAL)
        or not split_rows(shipped.fact) <= decision.rows
        or (weakens and shipped.evidence == OFFICIAL and not decision.sources)
    )


def apply_decision(decision: ReviewDecision, shipped: ShippedStatement) -> DecidedStatement:
    """Return the statement as decided."""
    if is_outdated(decision, shipped):
        return _apply_outdated(decision, shipped)
    changes = decision.changes.list_changes() if decision.verdict == "correct" else {}
    severity: Severity = changes.get("severity", shipped.severity)
    return DecidedStatement(
        fact=shipped.fact,
        decision=_describe(decision, outdated=False),
        strength=_rank_decided(severity, changes.get("evidence", shipped.evidence), shipped),
        review="reviewed",
        is_hidden=decision.verdict == "reject",
        basis=_BASIS if "severity" in changes else None,
        has_note=True,
        note=decision.reason,
        data={**changes, **_change_kind(severity, shipped), "note_th": decision.reason},
        sources=decision.list_sources(),
    )


def _rank_decided(severity: Severity, evidence: str | None, shipped: ShippedStatement) -> int:
    """Rank the strength: a lowered one stays so while animals or test tubes are the only evidence."""
    return rank_strength(derive_strength(severity, is_lowered=shipped.is_lowered and evidence in LABORATORY))


def _apply_outdated(decision: ReviewDecision, shipped: ShippedStatement) -> DecidedStatement:
    """Keep the stronger of both severities, and everything else as shipped."""
    corrected = decision.changes.severity if decision.verdict == "correct" else None
    raises = corrected is not None and rank_severity(corrected) > rank_severity(shipped.severity)
    severity = corrected if corrected is not None and raises else shipped.severity
    state: ReviewState = "needs_review"
    return DecidedStatement(
        fact=shipped.fact,
        decision=_describe(decision, outdated=True),
        strength=_rank_decided(severity, shipped.evidence, shipped),
        review=state,
        is_hidden=False,
        basis=_BASIS if raises else None,
        has_note=False,
        note=None,
        data={"severity": severity, **_change_kind(severity, shipped)} if raises else {},
        sources=decision.list_sources(),
    )


def _change_kind(severity: Severity, shipped: ShippedStatement) -> dict[str, str]:
    """A contraindication that was lowered is a precaution, and the reverse: sentences are written by kind."""
    if shipped.kind == "contraindication" and severity != "contraindicated":
        return {"kind": "precaution"} if severity != shipped.severity else {}
    return {"kind": "contraindication"} if shipped.kind == "precaution" and severity == "contraindicated" else {}


def _describe(decision: ReviewDecision, *, outdated: bool) -> StatementDecision:
    return StatementDecision(
        *(decision.id, decision.verdict, decision.reviewer, decision.date, decision.reason), is_outdated=outdated
    )


def match_decisions(
    decisions: Iterable[ReviewDecision], statements: Iterable[ShippedStatement]
) -> dict[str, ReviewDecision]:
    """Return the decision that counts for each statement. One made about the very statement counts before one made
    about its rows, a later one before an earlier one. `decisions` are in the order in which they were made."""
    standing = [decision for decision in decisions if decision.undone is None]
    matched: dict[str, ReviewDecision] = {}
    by_statement = group_by_key((decision.statement, decision) for decision in standing)
    by_subject = group_by_key((decision.subject, decision) for decision in standing)
    for statement in statements:
        own = by_statement.get(statement.fact)
        rows = split_rows(statement.fact)
        candidates = own or [made for made in by_subject.get(statement.subject, ()) if made.rows & rows]
        if candidates:
            matched[statement.fact] = candidates[-1]
    return matched


async def read_decisions(reader: Database | Transaction) -> list[ReviewDecision]:
    """Return all decisions in the order in which they were made, undone ones too."""
    return [read_decision(row) for row in await reader.fetch(READ_DECISIONS)]


async def read_shipped(reader: Database | Transaction) -> dict[str, ShippedStatement]:
    """Return every statement that warns, as the graph's own rows have it, by id."""
    return await _read_warnings(reader, "")


async def read_shipped_statement(reader: Database | Transaction, statement: str) -> ShippedStatement | None:
    rows = await reader.fetch(f"{_SELECT_WARNINGS} AND fact = ? ORDER BY id LIMIT 1", (*WARNING_EDGES, statement))
    return describe_shipped(read_edge(rows[0])) if rows else None


async def _read_warnings(reader: Database | Transaction, condition: str) -> dict[str, ShippedStatement]:
    statements: dict[str, ShippedStatement] = {}
    for row in await reader.fetch(f"{_SELECT_WARNINGS} {condition} ORDER BY id", WARNING_EDGES):
        edge = read_edge(row)
        statements.setdefault(edge.fact, describe_shipped(edge))
    return statements


async def rebuild_layer(transaction: Transaction) -> None:
    """Derive the decided statements again, after decisions or rows of the graph changed."""
    await transaction.execute(_CLEAR)
    decisions = await read_decisions(transaction)
    if not decisions:
        return
    statements = await _read_warnings(transaction, _OF_DECIDED_SUBJECTS)
    matched = match_decisions(decisions, statements.values())
    decided = [apply_decision(decision, statements[fact]) for fact, decision in matched.items()]
    await transaction.execute_many(WRITE_DECIDED, [to_decided_row(statement) for statement in decided])
