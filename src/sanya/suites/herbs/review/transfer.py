"""Exports decisions as lines of JSON and imports them, so that a hospital keeps its own layer above any release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from sanya.suite import Fault, InvalidArgument
from sanya.suite.runtime import read_shape
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.review.contract import FORMAT, DecisionLine
from sanya.suites.herbs.review.deciding import ReviewDesk, check_decision
from sanya.suites.herbs.review.decision import ReviewDecision, build_decision
from sanya.suites.herbs.review.layer import ShippedStatement, is_outdated, match_decisions, read_decisions, read_shipped
from sanya.suites.herbs.review.queue import build_queue

LineOutcome = Literal["new", "known", "undone", "older", "outdated", "absent"]
"""`older`: a later decision about the statement counts instead. `outdated`: the statement is stronger than the one that
was decided. `absent`: the graph has no such statement; the decision is kept for when it has."""
MAX_LINE_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class LineError:
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class LineReport:
    line: int
    statement: str
    verdict: str
    outcome: LineOutcome


@dataclass(slots=True)
class ImportReport:
    """The result of an import. With any error, nothing is written."""

    lines: list[LineReport] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    written: int = 0

    def count_outcomes(self) -> dict[str, int]:
        counts = dict.fromkeys(("new", "known", "undone", "older", "outdated", "absent"), 0)
        for report in self.lines:
            counts[report.outcome] += 1
        return counts


async def export_lines(store: HerbStore) -> list[str]:
    """Return the decisions that stand as lines, by statement. The latest of several comes last."""
    queue = build_queue(await store.load_graph())
    standing = [decision for decision in await read_decisions(store.database) if decision.undone is None]
    lines = []
    for decision in sorted(standing, key=lambda decision: (decision.statement, decision.decided_at)):
        statement = queue.by_id.get(decision.statement)
        lines.append(decision.format_line([node.id for node in statement.objects] if statement else []))
    return lines


async def import_lines(store: HerbStore, text: str, *, dry_run: bool) -> ImportReport:
    """Read an export. All lines are checked before anything is written; an import can be repeated."""
    shipped = await read_shipped(store.database)
    report, decisions = ImportReport(), dict[int, ReviewDecision]()
    for number, line in _split_lines(text):
        try:
            decisions[number] = _read_line(line, shipped)
        except Fault as fault:
            report.errors.append(LineError(number, fault.message))
    known = {decision.id: decision for decision in await read_decisions(store.database)}
    report.lines = list(_describe_outcomes(decisions, known, shipped))
    if not report.errors and not dry_run:
        report.written = await ReviewDesk(store.database).add_all(decisions.values())
    return report


def _split_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            yield number, line


def _read_line(text: str, shipped: Mapping[str, ShippedStatement]) -> ReviewDecision:
    if len(text) > MAX_LINE_CHARS:
        raise InvalidArgument(f"the line is longer than {MAX_LINE_CHARS} characters")
    try:
        document: Any = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidArgument(f"not valid JSON: {error}") from None
    if isinstance(document, dict) and document.get("format") != FORMAT:
        raise InvalidArgument(f'not a decision: "format" must be "{FORMAT}"; `sanya herbs review export` writes it')
    line = read_shape(DecisionLine, document, "the line")
    statement = shipped.get(line.statement)
    check_decision(line, statement)
    subject = statement.subject if statement else line.subject
    seen = line.seen or (statement.seen if statement else None)
    if subject is None or seen is None:
        raise InvalidArgument(f"no statement {line.statement!r} in this graph, and the line lacks subject or seen")
    if line.date is None:
        raise InvalidArgument("date is required in a file", field="date")
    # Without a time of record the same line must give the same decision, however often it is imported.
    return build_decision(line, subject, seen, f"{line.date}T00:00:00.000Z")


def _describe_outcomes(
    decisions: Mapping[int, ReviewDecision],
    known: Mapping[str, ReviewDecision],
    shipped: Mapping[str, ShippedStatement],
) -> Iterator[LineReport]:
    added = [decision for decision in decisions.values() if decision.id not in known]
    made = sorted([*known.values(), *added], key=lambda decision: decision.decided_at)
    counting = {fact: decision.id for fact, decision in match_decisions(made, shipped.values()).items()}
    for number, decision in decisions.items():
        recorded, statement = known.get(decision.id), shipped.get(decision.statement)
        outcome: LineOutcome = "new"
        if recorded is not None:
            outcome = "known" if recorded.undone is None else "undone"
        elif statement is None:
            outcome = "absent"
        elif counting[decision.statement] != decision.id:
            outcome = "older"
        elif is_outdated(decision, statement):
            outcome = "outdated"
        yield LineReport(number, decision.statement, decision.verdict, outcome)
