"""The queue: what is in it, in which order, and what a card says."""

from __future__ import annotations

import pytest

from sanya.suites.herbs.review.queue import QueueFilter, build_queue
from sanya.suites.herbs.review.reading import ReviewReader
from sanya.suites.herbs.safety.severity import rank_severity
from tests.suites.herbs.graph_harness import GraphHarness
from tests.suites.herbs.review.conftest import SOURCE, ReviewHarness


async def _list_ids(review: ReviewHarness, **wanted: str) -> list[str]:
    body = await review.reader.list_statements(QueueFilter(**wanted), 100)  # type: ignore[arg-type]
    return [statement["id"] for statement in body["statements"]]


async def test_the_most_dangerous_come_first_and_reviewed_ones_are_not_in_it(review: ReviewHarness) -> None:
    assert await _list_ids(review) == ["ix-3", "ix-2+sa-9", "ix-1"]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({"severity": "major"}, ["ix-2+sa-9"]),
        ({"evidence": "theoretical"}, ["ix-1"]),
        ({"object": "drug:aspirin"}, ["ix-1"]),
        ({"subject": "ginger", "severity": "contraindicated"}, ["ix-3"]),
        ({"subject": "garlic"}, []),
        ({"state": "all"}, ["ix-3", "ix-2+sa-9", "ix-1", "ix-4"]),
        ({"state": "decided"}, []),
    ],
)
async def test_filters_narrow_the_queue(review: ReviewHarness, wanted: dict[str, str], ids: list[str]) -> None:
    assert await _list_ids(review, **wanted) == ids


async def test_decided_statements_leave_the_queue_and_count_as_progress(review: ReviewHarness) -> None:
    await review.decide("ix-1", "accept", sources=[SOURCE])
    await review.decide("ix-3", "reject", reason="another species")
    assert await _list_ids(review) == ["ix-2+sa-9"]
    assert await _list_ids(review, state="decided") == ["ix-3", "ix-1"]
    assert await _list_ids(review, state="rejected") == ["ix-3"]
    body = await review.reader.list_statements(QueueFilter(), 1)
    assert body["progress"] == {
        "open": 1,
        "decided": 2,
        "statements": 4,
        "states": {"accepted": 1, "open": 1, "rejected": 1, "reviewed": 1},
    }


async def test_a_source_of_a_decision_can_be_filtered_by(review: ReviewHarness) -> None:
    decision = await review.decide("ix-1", "accept", sources=[SOURCE])
    assert await _list_ids(review, state="all", source=f"review:{decision.id}:1") == ["ix-1"]


async def test_every_doubtful_statement_of_the_shipped_graph_says_why_in_both_languages(
    sqlite_starter: GraphHarness,
) -> None:
    queue = build_queue(await sqlite_starter.store.load_graph())
    doubtful = queue.filter(QueueFilter())
    assert len(doubtful) > 200
    ranks = [rank_severity(statement.severity) for statement in doubtful]
    assert ranks == sorted(ranks, reverse=True)
    reader = ReviewReader(sqlite_starter.store)
    for statement in (doubtful[0], doubtful[len(doubtful) // 2], doubtful[-1]):
        card = await reader.describe(statement.id)
        assert card["reasons"]
        assert all(reason["en"] and reason["th"] for reason in card["reasons"])
        assert card["sources"]
        assert all(source["id"] and source["title"] for source in card["sources"])
