"""A recorded decision, and its rows in the table `herb_decisions`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

import orjson

from sanya.suite.runtime import to_canonical_json
from sanya.suite.store import Row, Value
from sanya.suites.herbs.graph.decided_statements import REVIEW_BATCH
from sanya.suites.herbs.graph.model import HerbSource, ReviewVerdict
from sanya.suites.herbs.review.contract import FORMAT, Correction, DecisionLine, ReviewSource, SeenStatement

_COLUMNS = "id, number, statement, subject, verdict, content, decided_at, undone"
READ_DECISIONS = f"SELECT {_COLUMNS} FROM herb_decisions ORDER BY decided_at, number"  # noqa: S608 - names of our own
ADD_DECISION = (
    "INSERT INTO herb_decisions (id, number, statement, subject, verdict, content, decided_at) "
    "SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ? FROM herb_decisions WHERE true ON CONFLICT (id) DO NOTHING"
)
UNDO_DECISION = "UPDATE herb_decisions SET undone = ? WHERE id = ? AND undone IS NULL"
_ID_CHARS = 16


@dataclass(frozen=True, slots=True)
class UndoneMark:
    """A decision taken back: by whom, when and why."""

    by: str
    at: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """A decision about one statement. `seen` is the statement as it was shipped when the decision was made."""

    statement: str
    subject: str
    verdict: ReviewVerdict
    reviewer: str
    date: str
    reason: str | None
    sources: tuple[ReviewSource, ...]
    changes: Correction
    seen: SeenStatement
    decided_at: str
    undone: UndoneMark | None = None

    @property
    def id(self) -> str:
        """An id made from the content, so that the same decision is one row wherever it is imported."""
        content = to_canonical_json([self.statement, self.decided_at, self.describe_content()])
        return f"rev_{sha256(content).hexdigest()[:_ID_CHARS]}"

    @property
    def rows(self) -> frozenset[str]:
        """The rows of the fact tables that the statement was joined from."""
        return split_rows(self.statement)

    def describe_content(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "reviewer": self.reviewer,
            "date": self.date,
            "reason": self.reason,
            "sources": [source.model_dump(exclude_none=True) for source in self.sources],
            "changes": self.changes.model_dump(exclude_none=True),
            "seen": self.seen.model_dump(exclude_none=True),
        }

    def format_line(self, about: list[str]) -> str:
        """Return the decision as a line of an export."""
        line = {"format": FORMAT, "id": self.id, "statement": self.statement, "subject": self.subject, "about": about}
        content = {key: value for key, value in self.describe_content().items() if value not in (None, [], {})}
        return orjson.dumps({**line, **content, "decided_at": self.decided_at}).decode("utf-8")

    def list_sources(self) -> tuple[HerbSource, ...]:
        return tuple(
            HerbSource(
                id=f"{REVIEW_BATCH}:{self.id}:{number}",
                kind="review",
                title=source.title,
                year=source.year,
                url=source.url,
                publisher=None,
                pmid=None,
                review="reviewed",
                batch=REVIEW_BATCH,
            )
            for number, source in enumerate(self.sources, 1)
        )


def split_rows(statement: str) -> frozenset[str]:
    return frozenset(statement.split("+"))


def build_decision(line: DecisionLine, subject: str, seen: SeenStatement, now: str) -> ReviewDecision:
    return ReviewDecision(
        statement=line.statement,
        subject=subject,
        verdict=line.verdict,
        reviewer=line.reviewer.strip(),
        date=line.date or now[:10],
        reason=line.reason,
        sources=tuple(line.sources),
        changes=line.changes,
        seen=seen,
        decided_at=line.decided_at or now,
    )


def to_decision_row(decision: ReviewDecision) -> tuple[Value, ...]:
    content = orjson.dumps(decision.describe_content(), option=orjson.OPT_SORT_KEYS).decode("utf-8")
    return (
        *(decision.id, decision.statement, decision.subject, decision.verdict),
        *(content, decision.decided_at),
    )


def read_decision(row: Row) -> ReviewDecision:
    content: Mapping[str, Any] = orjson.loads(str(row[5]))
    undone = None if row[7] is None else UndoneMark(**orjson.loads(str(row[7])))
    return ReviewDecision(
        statement=str(row[2]),
        subject=str(row[3]),
        verdict=cast(ReviewVerdict, row[4]),
        reviewer=content["reviewer"],
        date=content["date"],
        reason=content["reason"],
        sources=tuple(ReviewSource.model_validate(source) for source in content["sources"]),
        changes=Correction.model_validate(content["changes"]),
        seen=SeenStatement.model_validate(content["seen"]),
        decided_at=str(row[6]),
        undone=undone,
    )
