"""Decisions leave as lines of JSON and come back as the same decisions."""

from __future__ import annotations

import json

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.review.transfer import export_lines, import_lines
from tests.suites.herbs.review.conftest import REVIEWER, SOURCE, ReviewHarness


async def _export(review: ReviewHarness) -> str:
    return "\n".join(await export_lines(review.graph.store))


async def test_an_export_restores_the_layer_and_can_be_imported_twice(
    review: ReviewHarness, database: Database
) -> None:
    await review.decide("ix-1", "correct", changes={"severity": "major"}, sources=[SOURCE])
    await review.decide("ix-3", "reject", reason="another species")
    decided, exported = await review.check(), await _export(review)
    async with database.transaction() as transaction:
        await transaction.execute("DELETE FROM herb_decisions")
    await review.decide("ix-4", "accept")
    await review.desk.undo("ix-4", REVIEWER)
    assert await review.check() != decided
    first = await import_lines(review.graph.store, exported, dry_run=False)
    assert (first.written, first.count_outcomes()["new"], first.errors) == (2, 2, [])
    assert await review.check() == decided
    assert await _export(review) == exported
    revision = await review.graph.store.read_revision()
    again = await import_lines(review.graph.store, exported, dry_run=False)
    assert (again.written, again.count_outcomes()["known"]) == (0, 2)
    assert await review.graph.store.read_revision() == revision


async def test_a_dry_run_reports_and_writes_nothing(review: ReviewHarness) -> None:
    line = _build_line("ix-1", "reject", reason="another species")
    report = await import_lines(review.graph.store, line, dry_run=True)
    assert [(item.line, item.statement, item.outcome) for item in report.lines] == [(1, "ix-1", "new")]
    assert await review.graph.store.read_revision() == 0


async def test_wrong_lines_are_named_and_then_nothing_is_written(review: ReviewHarness) -> None:
    lines = [
        _build_line("ix-1", "accept"),
        "{not json",
        "",
        '{"format": "something else"}',
        _build_line("ix-2+sa-9", "reject", reason="no"),
        _build_line("ix-3", "accept", date=None),
        _build_line("ix-3", "maybe"),
        _build_line("ix-99", "accept"),
    ]
    report = await import_lines(review.graph.store, "\n".join(lines), dry_run=False)
    assert [error.line for error in report.errors] == [2, 4, 5, 6, 7, 8]
    messages = " ".join(error.message for error in report.errors)
    for words in ("not valid JSON", "sanya.herb-review/1", "needs a source", "date is required", "verdict", "ix-99"):
        assert words in messages
    assert report.written == 0
    assert await review.graph.store.load_decided() == {}


async def test_a_line_without_a_time_gives_the_same_decision_however_often_it_is_read(review: ReviewHarness) -> None:
    line = _build_line("ix-1", "accept")
    await import_lines(review.graph.store, line, dry_run=False)
    report = await import_lines(review.graph.store, line, dry_run=False)
    assert [item.outcome for item in report.lines] == ["known"]


async def test_the_later_of_two_decisions_counts_in_whatever_order_they_come(review: ReviewHarness) -> None:
    earlier = _build_line("ix-1", "accept", date="2026-01-01")
    later = _build_line("ix-1", "reject", date="2026-02-01", reason="another species")
    await import_lines(review.graph.store, later, dry_run=False)
    report = await import_lines(review.graph.store, earlier, dry_run=False)
    assert [item.outcome for item in report.lines] == ["older"]
    assert (await review.reader.describe("ix-1"))["state"] == "rejected"


async def test_a_decision_that_was_undone_here_stays_undone(review: ReviewHarness) -> None:
    await review.decide("ix-1", "reject", reason="another species")
    exported = await _export(review)
    await review.desk.undo("ix-1", REVIEWER)
    report = await import_lines(review.graph.store, exported, dry_run=False)
    assert [item.outcome for item in report.lines] == ["undone"]
    assert (await review.reader.describe("ix-1"))["state"] == "open"


async def test_a_decision_about_a_statement_that_is_not_there_is_kept(review: ReviewHarness) -> None:
    line = _build_line("ix-99", "accept", subject="ginger", seen={"severity": "minor"})
    report = await import_lines(review.graph.store, line, dry_run=False)
    assert ([item.outcome for item in report.lines], report.written) == (["absent"], 1)
    assert "ix-99" in await _export(review)


def _build_line(statement: str, verdict: str, **fields: object) -> str:
    line = {
        "format": "sanya.herb-review/1",
        "statement": statement,
        "verdict": verdict,
        "reviewer": REVIEWER,
        "date": "2026-01-05",
        **fields,
    }
    return json.dumps({key: value for key, value in line.items() if value is not None})
