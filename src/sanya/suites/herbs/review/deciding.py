"""Decides about statements, takes decisions back, and reads decisions from an export.

Every write advances the revision of the suite, so that caches, the search index and replays notice it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date, timedelta

import orjson

from sanya.suite import InvalidArgument, NotFound
from sanya.suite.runtime import format_timestamp, read_clock
from sanya.suite.store import Database, Transaction, advance_revision, take_back_revision
from sanya.suites.herbs.graph.store import SUITE
from sanya.suites.herbs.review.contract import DecisionInput, DecisionLine
from sanya.suites.herbs.review.decision import (
    ADD_DECISION,
    UNDO_DECISION,
    ReviewDecision,
    UndoneMark,
    build_decision,
    to_decision_row,
)
from sanya.suites.herbs.review.layer import (
    OFFICIAL,
    ShippedStatement,
    is_lowering,
    match_decisions,
    read_decisions,
    read_shipped_statement,
    rebuild_layer,
)


@dataclass(frozen=True, slots=True)
class ReviewDesk:
    """Writes decisions. Each method is one transaction."""

    database: Database

    async def decide(self, statement: str, given: DecisionInput) -> ReviewDecision:
        """Record a decision about a statement of the graph."""
        now = format_timestamp(read_clock())
        async with self.database.transaction() as transaction:
            await advance_revision(transaction, SUITE)
            shipped = await read_shipped_statement(transaction, statement)
            if shipped is None:
                raise NotFound(f"no statement has the id {statement!r}; `sanya herbs review list` shows the ids")
            line = DecisionLine(format="sanya.herb-review/1", statement=statement, **dict(given))
            check_decision(line, shipped)
            decision = build_decision(line, shipped.subject, shipped.seen, now)
            await transaction.execute(ADD_DECISION, to_decision_row(decision))
            await rebuild_layer(transaction)
        return decision

    async def undo(self, statement: str, by: str, reason: str | None = None) -> ReviewDecision:
        """Take back the decision that counts for the statement. The one before it, if any, counts again."""
        mark = UndoneMark(by, format_timestamp(read_clock()), reason)
        async with self.database.transaction() as transaction:
            await advance_revision(transaction, SUITE)
            decision = await _find_counting(transaction, statement)
            if decision is None:
                raise NotFound(f"no decision about {statement!r} to undo; `sanya herbs review list --state decided`")
            content = orjson.dumps(asdict(mark)).decode("utf-8")
            await transaction.execute(UNDO_DECISION, (content, decision.id))
            await rebuild_layer(transaction)
        return decision

    async def add_all(self, decisions: Iterable[ReviewDecision]) -> int:
        """Add decisions that were made elsewhere and return how many were new. Known ones stay as they are."""
        async with self.database.transaction() as transaction:
            await advance_revision(transaction, SUITE)
            count = 0
            for decision in decisions:
                count += await transaction.execute(ADD_DECISION, to_decision_row(decision))
            if count:
                await rebuild_layer(transaction)
            else:
                await take_back_revision(transaction, SUITE)
        return count


def check_decision(line: DecisionLine, shipped: ShippedStatement | None) -> None:
    """Raise InvalidArgument for a decision that must not be recorded. `shipped` is None where the graph has no such
    statement."""
    if not line.reviewer.strip():
        raise InvalidArgument("reviewer must name who decided", field="reviewer")
    _check_day(line.date)
    changes = line.changes.list_changes()
    if line.verdict == "correct" and not changes:
        raise InvalidArgument(
            "a correction must change something: severity, evidence, route, effect or management", field="changes"
        )
    if line.verdict != "correct" and changes:
        raise InvalidArgument(f"only a correction takes changes, and this is {line.verdict!r}", field="changes")
    if line.verdict == "reject" and not (line.reason or line.sources):
        raise InvalidArgument("a rejection needs a reason or a source", field="reason")
    if shipped is not None:
        _check_against_shipped(line, shipped)


def _check_against_shipped(line: DecisionLine, shipped: ShippedStatement) -> None:
    weakens = is_lowering(line.changes, shipped)
    if shipped.evidence == OFFICIAL and (weakens or line.verdict == "reject") and not line.sources:
        raise InvalidArgument(
            f"{shipped.fact} is an official warning: lowering or rejecting it needs a source", field="sources"
        )
    if weakens and not (line.reason or line.sources):
        raise InvalidArgument("lowering a warning needs a reason or a source", field="reason")
    if shipped.evidence is None and line.changes.severity is not None and line.changes.evidence is None:
        raise InvalidArgument(
            "this statement was read in a document and has no kind of evidence yet; give one with the severity",
            field="changes.evidence",
        )


def _check_day(day: str | None) -> None:
    if day is None:
        return
    try:
        given = date.fromisoformat(day)
    except ValueError:
        raise InvalidArgument(f"date must be a day such as 2026-01-31, got {day!r}", field="date") from None
    # A day ahead of UTC is today east of Greenwich.
    if given > read_clock().date() + timedelta(days=1):
        raise InvalidArgument(f"date must not be in the future, got {day}", field="date")


async def _find_counting(transaction: Transaction, statement: str) -> ReviewDecision | None:
    """Return the decision that counts for a statement, also for one that the graph no longer has."""
    decisions = await read_decisions(transaction)
    shipped = await read_shipped_statement(transaction, statement)
    if shipped is None:
        standing = [made for made in decisions if made.undone is None and made.statement == statement]
        return standing[-1] if standing else None
    return match_decisions(decisions, [shipped]).get(statement)
