"""A release replaces the shipped rows. Decisions stay, and never hide what their reviewer has not seen."""

from __future__ import annotations

from collections.abc import Sequence

from sanya.kernel.storage.database import Database
from sanya.kernel.storage.revisions import advance_revision
from sanya.suites.herbs.graph.model import HerbEdge
from sanya.suites.herbs.graph.rows import WRITE_EDGE, to_edge_row
from sanya.suites.herbs.graph.starter import load_starter
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.review.deciding import ReviewDesk
from sanya.suites.herbs.review.layer import rebuild_layer
from sanya.suites.herbs.review.reading import ReviewReader
from tests.suites.herbs.graph_harness import open_graph_harness
from tests.suites.herbs.review.conftest import ASPIRIN, PREGNANCY, SOURCE, WARFARIN, ReviewHarness, list_edges, warn


async def _ship(database: Database, edges: Sequence[HerbEdge]) -> None:
    """Replace the shipped edges as a new release does."""
    async with database.transaction() as transaction:
        await advance_revision(transaction, "herbs")
        await transaction.execute("DELETE FROM herb_edges")
        await transaction.execute_many(WRITE_EDGE, [to_edge_row(edge) for edge in edges])
        await rebuild_layer(transaction)


async def test_decisions_outlive_a_release_that_replaces_the_rows(review: ReviewHarness, database: Database) -> None:
    await review.decide("ix-1", "correct", changes={"severity": "major"})
    await review.decide("ix-3", "reject", reason="another species")
    before = await review.check()
    await _ship(database, list_edges())
    assert await review.check() == before


async def test_a_rejection_outlives_new_wording_and_a_lower_severity(review: ReviewHarness, database: Database) -> None:
    await review.decide("ix-3", "reject", reason="another species")
    reworded = warn("ix-3", PREGNANCY, "major", "in_vitro", data={"effect_en": "In other words"})
    await _ship(database, [reworded])
    assert (await review.reader.describe("ix-3"))["state"] == "rejected"


async def test_a_decision_follows_its_rows_to_a_statement_with_another_id(
    review: ReviewHarness, database: Database
) -> None:
    await review.decide("ix-2+sa-9", "reject", sources=[SOURCE])
    await _ship(database, [warn("sa-9", WARFARIN, "major", "official"), warn("ix-2", ASPIRIN, "minor", "animal")])
    states = {fact: (await review.reader.describe(fact))["state"] for fact in ("sa-9", "ix-2")}
    assert states == {"sa-9": "rejected", "ix-2": "rejected"}


async def test_a_rejected_statement_that_becomes_more_severe_warns_again_and_asks_for_review(
    review: ReviewHarness, database: Database
) -> None:
    await review.decide("ix-1", "reject", reason="another species")
    await _ship(database, [warn("ix-1", WARFARIN, "contraindicated", "case_reports")])
    statement = await review.read_statement("ix-1")
    assert (statement["severity"], statement["review"]) == ("contraindicated", "needs_review")
    assert statement["decision"]["outdated"]
    card = await review.reader.describe("ix-1")
    assert card["state"] == "outdated"
    assert "became stronger" in card["reasons"][0]["en"]
    await review.decide("ix-1", "reject", reason="looked again")
    assert (await review.reader.describe("ix-1"))["state"] == "rejected"


async def test_new_official_evidence_warns_again(review: ReviewHarness, database: Database) -> None:
    await review.decide("ix-1", "reject", reason="another species", sources=[SOURCE])
    await _ship(database, [warn("ix-1", WARFARIN, "moderate", "official")])
    assert (await review.reader.describe("ix-1"))["state"] == "outdated"


async def test_rows_that_the_reviewer_had_not_seen_warn_again(review: ReviewHarness, database: Database) -> None:
    await review.decide("ix-1", "reject", reason="another species")
    await _ship(database, [warn("ix-1+sa-50", WARFARIN, "moderate", "theoretical")])
    assert (await review.reader.describe("ix-1+sa-50"))["state"] == "outdated"


async def test_an_outdated_decision_still_raises_a_severity(review: ReviewHarness, database: Database) -> None:
    await review.decide("ix-1", "correct", changes={"severity": "contraindicated"})
    await _ship(database, [warn("ix-1", WARFARIN, "major", "trial")])
    statement = await review.read_statement("ix-1")
    assert (statement["severity"], statement["review"]) == ("contraindicated", "needs_review")


async def test_the_shipped_graph_is_loaded_over_decisions_and_keeps_them(database: Database) -> None:
    await load_starter(database, rebuild_layer)
    async with open_graph_harness(database) as harness:
        review = ReviewHarness(harness, ReviewDesk(database), ReviewReader(HerbStore(database)))
        statement = (await review.reader.load_queue()).statements[0].id
        await review.decide(statement, "reject", sources=[SOURCE])
        async with database.transaction() as transaction:
            await transaction.execute("UPDATE herb_batches SET digest = 'an earlier release'")
        assert await load_starter(database, rebuild_layer) is True
        assert (await review.reader.describe(statement))["state"] == "rejected"
