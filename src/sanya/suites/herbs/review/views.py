"""Statements of the queue as JSON, in both languages: a row of the list, and a card with everything that is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from sanya.suites.herbs.facts.sentences import load_labels
from sanya.suites.herbs.graph.model import DOCUMENT, HerbNode, HerbSource, StatementDecision
from sanya.suites.herbs.review.decision import ReviewDecision, split_rows
from sanya.suites.herbs.review.layer import ShippedStatement
from sanya.suites.herbs.review.queue import ReviewStatement

JsonView = dict[str, Any]
_TEXTS = ("effect", "mechanism", "management", "object", "source_phrase", "evidence_detail")


def describe_row(statement: ReviewStatement) -> JsonView:
    """Return what a list shows of a statement."""
    return {
        "id": statement.id,
        "state": statement.state,
        "severity": statement.severity,
        "evidence": statement.evidence,
        "kind": statement.first.data.get("kind", statement.first.type),
        "subject": describe_node(statement.subject),
        "objects": [describe_node(node) for node in statement.objects],
        "effect": _read_text(statement, "effect"),
        "sources": [source.id for source in statement.sources],
        "decision": _describe_standing(statement.first.decision),
    }


def describe_card(statement: ReviewStatement, shipped: ShippedStatement, history: Iterable[ReviewDecision]) -> JsonView:
    """Return everything that is known about a statement: texts, sources, doubts, and what was decided."""
    first = statement.first
    rows = split_rows(statement.id)
    return {
        **describe_row(statement),
        "texts": {name: text for name in _TEXTS if (text := _read_text(statement, name))},
        "route": first.data.get("route"),
        "form": first.data.get("form"),
        "severity_basis": first.data.get("severity_basis"),
        "basis": first.basis,
        "review": first.review,
        "stated_for": first.data.get("via_formulation"),
        "note": {"en": first.note, "th": first.data.get("note_th") or first.note} if first.note else None,
        "reasons": list(list_reasons(statement)),
        "differences": [_describe_difference(other) for other in first.data.get("differences", ())],
        "sources": [_describe_source(source) for source in statement.sources],
        "shipped": {"severity": shipped.severity, "evidence": shipped.evidence},
        "history": [
            _describe_past(made)
            for made in history
            if made.statement == statement.id or (made.subject == statement.subject.id and made.rows & rows)
        ],
    }


def list_reasons(statement: ReviewStatement) -> Iterator[dict[str, str]]:
    """Yield why the statement is doubtful, in both languages."""
    first, decision = statement.first, statement.first.decision
    if decision is not None and decision.is_outdated:
        yield _format_reason("outdated", reviewer=decision.reviewer, date=decision.date)
    if first.note and (decision is None or decision.is_outdated):
        yield {"en": first.note, "th": first.data.get("note_th") or first.note}
    if first.basis == DOCUMENT:
        yield _format_reason("from_document")
    if not statement.sources:
        yield _format_reason("no_source")
    for source in statement.unread_sources:
        yield _format_reason("unread_source" if source.how_read == "not-read" else "title_only", source=source.id)
    unread = statement.unread_sources
    for source in statement.doubtful_sources:
        if source not in unread:
            yield _format_reason("doubtful_source", source=source.id, note=source.note or "–")
    if statement.evidence == "theoretical":
        yield _format_reason("theoretical")
    if first.data.get("severity_basis") in ("rule", "assigned") and first.basis != "review":
        yield _format_reason("graded_by_rule")
    if first.data.get("differences"):
        yield _format_reason("differences")


def describe_progress(statements: Sequence[ReviewStatement]) -> JsonView:
    """Return how far the review is: the statements of the queue that are decided, and those that are open."""
    states = [statement.state for statement in statements]
    decided = sum(state in ("accepted", "corrected", "rejected") for state in states)
    is_open = sum(state in ("open", "outdated") for state in states)
    counts = {state: states.count(state) for state in sorted(set(states))}
    return {"open": is_open, "decided": decided, "statements": len(states), "states": counts}


def describe_node(node: HerbNode) -> JsonView:
    return {"id": node.id, "type": node.type, "en": node.get_label("en"), "th": node.get_label("th")}


def _read_text(statement: ReviewStatement, name: str) -> dict[str, str] | None:
    data = statement.first.data
    in_english, in_thai = data.get(f"{name}_en"), data.get(f"{name}_th")
    if not (in_english or in_thai):
        return None
    return {"en": str(in_english or in_thai), "th": str(in_thai or in_english)}


def _describe_source(source: HerbSource) -> JsonView:
    return {
        "id": source.id,
        "title": source.title,
        "year": source.year,
        "url": source.url,
        "how_read": _label("read", source.how_read),
        "review": source.review,
        "note": source.note,
        "is_reviewers": source.kind == "review",
    }


def _describe_difference(other: dict[str, Any]) -> JsonView:
    return {
        "id": other.get("id"),
        "severity": other.get("severity"),
        "evidence": other.get("evidence"),
        "effect": {"en": other.get("effect_en"), "th": other.get("effect_th")},
        "sources": other.get("sources", []),
    }


def _describe_standing(decision: StatementDecision | None) -> JsonView | None:
    if decision is None:
        return None
    return {
        "id": decision.id,
        "verdict": decision.verdict,
        "reviewer": decision.reviewer,
        "date": decision.date,
        "reason": decision.reason,
        "outdated": decision.is_outdated,
    }


def _describe_past(decision: ReviewDecision) -> JsonView:
    undone = decision.undone
    return {
        "id": decision.id,
        "decided_at": decision.decided_at,
        **decision.describe_content(),
        "undone": None if undone is None else {"by": undone.by, "at": undone.at, "reason": undone.reason},
    }


def _label(table: str, value: str | None) -> dict[str, str] | None:
    if value is None:
        return None
    in_english, in_thai = load_labels()[table].get(value, (value, value))
    return {"en": in_english, "th": in_thai}


def _format_reason(key: str, **values: str) -> dict[str, str]:
    texts = _load_reasons()[key]
    return {lang: text.format(**values) for lang, text in texts.items()}


@cache
def _load_reasons() -> dict[str, dict[str, str]]:
    text = (files("sanya.suites.herbs.review") / "reasons.json").read_text(encoding="utf-8")
    reasons: dict[str, dict[str, str]] = json.loads(text)
    return reasons
