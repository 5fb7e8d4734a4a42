"""What a decision changes for every reader of the graph, and what it takes to make one."""

from __future__ import annotations

import pytest

from sanya.kernel.faults import InvalidArgument, NotFound
from tests.suites.herbs.graph_harness import PATHS
from tests.suites.herbs.review.conftest import REVIEWER, SOURCE, ReviewHarness


async def test_an_accepted_statement_is_reviewed_and_says_by_whom(review: ReviewHarness) -> None:
    await review.decide("ix-1", "accept", sources=[SOURCE])
    statement = await review.read_statement("ix-1")
    assert (statement["severity"], statement["review"], statement["note"]) == ("moderate", "reviewed", None)
    assert statement["decision"] == {
        "verdict": "accept",
        "reviewer": REVIEWER,
        "date": "2026-01-05",
        "reason": None,
        "outdated": False,
    }


async def test_the_source_of_a_decision_is_cited_with_its_address(review: ReviewHarness) -> None:
    decision = await review.decide("ix-1", "accept", sources=[SOURCE])
    body = await review.check("drug:warfarin")
    reference = next(item for item in body["references"] if item["id"] == f"review:{decision.id}:1")
    assert (reference["title"], reference["url"]) == (SOURCE["title"], SOURCE["url"])


async def test_a_correction_changes_severity_evidence_and_management_everywhere(review: ReviewHarness) -> None:
    changes = {"severity": "major", "evidence": "trial", "management_en": "Measure the INR.", "management_th": "วัด INR"}
    await review.decide("ix-1", "correct", changes=changes)
    statement = await review.read_statement("ix-1")
    assert (statement["severity"], statement["strength"], statement["basis"]) == ("major", "high", "review")
    assert (statement["evidence_kind"], statement["management"]) == ("trial", "Measure the INR.")
    body = await review.check("drug:aspirin")
    assert body["pairs"][0]["severity"] == "major"
    node = await review.graph.read("kg://drug/drug:aspirin")
    shown = next(item for item in node["statements"] if item["details"]["effect_en"] == "Effect of ix-1")
    assert (shown["strength"], shown["details"]["severity"], shown["review"]) == ("high", "major", "reviewed")
    paths = await review.graph.call(PATHS, start={"type": "herb", "id": "ginger"}, filters={"min_strength": "high"})
    shown_edges = {(item["to"], item["strength"], item["severity"]) for item in paths["edges"]}
    assert ("drug:aspirin", "high", "major") in shown_edges


async def test_a_text_corrected_in_one_language_replaces_both(review: ReviewHarness) -> None:
    await review.decide("ix-1", "correct", changes={"management_th": "วัด INR ทุกสัปดาห์"})
    assert (await review.read_statement("ix-1"))["management"] == "วัด INR ทุกสัปดาห์"


async def test_a_lowered_contraindication_is_no_longer_called_one(review: ReviewHarness) -> None:
    await review.decide("ix-3", "correct", changes={"severity": "minor"}, reason="doses of food are safe")
    assert (await review.read_statement("ix-3"))["kind"] == "precaution"


async def test_a_rejected_statement_does_not_warn_but_is_shown_as_rejected(review: ReviewHarness) -> None:
    await review.decide("ix-1", "reject", reason="another species")
    body = await review.check("drug:aspirin")
    ids = [statement["id"] for result in body["results"] for statement in result["statements"]]
    assert ids == ["ix-4"]
    assert body["pairs"][0]["severity"] == "minor"
    node = await review.graph.read("kg://drug/drug:aspirin")
    rejected = [item for item in node["statements"] if item["decision"]]
    assert [(item["decision"]["verdict"], item["decision"]["reason"]) for item in rejected] == [
        ("reject", "another species")
    ]
    herb = await review.graph.read("kg://herb/ginger")
    assert herb["warnings"] == 3
    assert "ix-1" not in {item["id"] for item in herb["statements"]}
    assert {(item["id"], item["decision"]["reviewer"]) for item in herb["rejected"]} == {("ix-1", REVIEWER)}


async def test_paths_do_not_take_a_rejected_statement(review: ReviewHarness) -> None:
    await review.decide("ix-3", "reject", reason="another species")
    body = await review.graph.call(PATHS, start={"type": "herb", "id": "ginger"}, max_depth=1)
    assert "condition:pregnancy" not in {node["id"] for path in body["paths"] for node in path}
    assert "condition:pregnancy" not in {item["to"] for item in body["edges"]}


async def test_rejecting_keeps_the_shipped_rows(review: ReviewHarness) -> None:
    before = await review.graph.store.database.fetch("SELECT * FROM herb_edges ORDER BY id")
    await review.decide("ix-1", "reject", reason="another species")
    await review.decide("ix-3", "correct", changes={"severity": "minor"}, reason="food")
    assert await review.graph.store.database.fetch("SELECT * FROM herb_edges ORDER BY id") == before


async def test_undoing_brings_back_what_was_before(review: ReviewHarness) -> None:
    before = await review.check()
    await review.decide("ix-1", "correct", changes={"severity": "major"})
    corrected = await review.check()
    await review.decide("ix-1", "reject", reason="another species")
    await review.desk.undo("ix-1", REVIEWER)
    assert await review.check() == corrected
    await review.desk.undo("ix-1", REVIEWER, "by mistake")
    assert await review.check() == before
    card = await review.reader.describe("ix-1")
    assert [made["undone"]["reason"] for made in card["history"]] == ["by mistake", None]


async def test_undoing_without_a_decision_is_refused(review: ReviewHarness) -> None:
    with pytest.raises(NotFound, match="no decision about 'ix-1'"):
        await review.desk.undo("ix-1", REVIEWER)


async def test_every_decision_advances_the_revision_so_that_a_replay_notices(review: ReviewHarness) -> None:
    store = review.graph.store
    revisions = [await store.read_revision()]
    await review.decide("ix-1", "accept")
    revisions.append(await store.read_revision())
    await review.desk.undo("ix-1", REVIEWER)
    revisions.append(await store.read_revision())
    assert revisions == [0, 1, 2]


@pytest.mark.parametrize(
    ("statement", "verdict", "fields", "field", "message"),
    [
        ("ix-2+sa-9", "reject", {"reason": "no"}, "sources", "official warning"),
        ("ix-2+sa-9", "correct", {"changes": {"severity": "minor"}, "reason": "no"}, "sources", "official warning"),
        ("ix-2+sa-9", "correct", {"changes": {"evidence": "animal"}, "reason": "no"}, "sources", "official warning"),
        ("ix-3", "correct", {"changes": {"severity": "minor"}}, "reason", "needs a reason or a source"),
        ("ix-3", "reject", {}, "reason", "needs a reason or a source"),
        ("ix-3", "correct", {}, "changes", "must change something"),
        ("ix-3", "accept", {"changes": {"severity": "minor"}}, "changes", "only a correction"),
        ("ix-3", "accept", {"reviewer": "  "}, "reviewer", "who decided"),
        ("ix-3", "accept", {"date": "2026-02-30"}, "date", "must be a day"),
        ("ix-3", "accept", {"date": "2999-01-01"}, "date", "in the future"),
        ("ix-3", "accept", {"date": "yesterday"}, "date", "must match"),
        ("ix-3", "accept", {"sources": [{"title": "x", "url": "javascript:alert(1)"}]}, "sources[0].url", "must match"),
        ("ix-3", "correct", {"changes": {"severity": "huge"}}, "changes.severity", "must be one of"),
    ],
)
async def test_a_decision_without_grounds_is_refused_and_writes_nothing(
    review: ReviewHarness, statement: str, verdict: str, fields: dict[str, object], field: str, message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message) as refused:
        await review.decide(statement, verdict, **fields)
    assert refused.value.field == field
    assert await review.graph.store.read_revision() == 0
    assert await review.graph.store.load_decided() == {}


async def test_an_official_warning_is_lowered_with_a_source(review: ReviewHarness) -> None:
    await review.decide("ix-2+sa-9", "correct", changes={"severity": "moderate"}, sources=[SOURCE])
    assert (await review.read_statement("ix-2+sa-9"))["severity"] == "moderate"


async def test_an_official_warning_is_raised_without_a_source(review: ReviewHarness) -> None:
    await review.decide("ix-2+sa-9", "correct", changes={"severity": "contraindicated"})
    assert (await review.read_statement("ix-2+sa-9"))["severity"] == "contraindicated"


async def test_an_unknown_statement_is_refused(review: ReviewHarness) -> None:
    with pytest.raises(NotFound, match="ix-99"):
        await review.decide("ix-99", "accept")
