"""A checkpoint holds: an answer as of it stays the same byte for byte, whatever is stored, changed or deleted later."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import Answered, Call
from sanya.suites.papers.pubmed.record import PaperRecord
from tests.suites.papers.harness import PapersHarness, record

WORDS = ["ginger", "salt", "statin", "placebo", "pressure", "weight", "ไข้หวัด", "ฟ้าทะลายโจร", "trial", "mice"]
QUERIES: list[dict[str, Any]] = [
    {"query": "ginger and salt against placebo"},
    {"query": "weight trial", "search_mode": "bm25", "return_chunks": True, "top_k": 50},
    {"query": "blood pressure", "search_mode": "semantic", "filters": {"date_from": "2015"}},
    {"query": "ไข้หวัด ginger", "alpha": 0.2},
]


def drawn(pmid: int, words: list[str], year: int, revision: int) -> PaperRecord:
    """Return a record made of a few words; the later of two revisions replaces the other."""
    half = len(words) // 2
    abstract = {"METHODS": " ".join(words[:half]), "RESULTS": " ".join(words[half:])} if half else " ".join(words)
    lr = f"2026-01-{revision:02d}T00:00:00Z"
    return record(pmid, " ".join(words[:3]), abstract, pdat=str(year), edat=f"{year}-06-01T00:00:00Z", lr=lr)


CHANGES = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.lists(
                st.tuples(
                    st.integers(1, 12),
                    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
                    st.integers(2005, 2026),
                ),
                min_size=1,
                max_size=4,
            ),
        ),
        st.tuples(st.just("delete"), st.lists(st.integers(1, 12), min_size=1, max_size=3)),
    ),
    min_size=1,
    max_size=4,
)


async def change(harness: PapersHarness, changes: list[Any], revision: int) -> None:
    for kind, rows in changes:
        if kind == "put":
            await harness.put(*(drawn(pmid, words, year, revision) for pmid, words, year in rows))
        else:
            await harness.delete(*map(str, rows))


async def answers(harness: PapersHarness, checkpoint_id: str) -> list[bytes]:
    """Return answers as of a checkpoint, without their times."""
    found = []
    for query in QUERIES:
        outcome = await harness.kernel.call(Call("rag.search", {**query, "checkpoint_id": checkpoint_id}))
        assert isinstance(outcome, Answered)
        found.append(orjson.dumps({**outcome.body, "performance": None}))
    for pmid in range(1, 13):
        outcome = await harness.kernel.call(Call("rag.get", {"doc_id": f"pmid:{pmid}", "checkpoint_id": checkpoint_id}))
        found.append(orjson.dumps(outcome.body))
    return found


@given(before=CHANGES, after=CHANGES, later=CHANGES)
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
async def test_nothing_that_comes_later_changes_what_a_checkpoint_answers(
    harness: PapersHarness, before: list[Any], after: list[Any], later: list[Any]
) -> None:
    await change(harness, before, 1)
    first = (await harness.call("corpus.checkpoint.create", name="first"))["checkpoint_id"]
    as_first = await answers(harness, first)
    await change(harness, after, 2)
    second = (await harness.call("corpus.checkpoint.create", name="second"))["checkpoint_id"]
    as_second = await answers(harness, second)
    assert await answers(harness, first) == as_first
    await change(harness, later, 3)
    assert await answers(harness, first) == as_first
    assert await answers(harness, second) == as_second


async def test_a_checkpoint_answers_as_the_corpus_did_then(harness: PapersHarness) -> None:
    await harness.put(*(drawn(number, WORDS[:number], 2010 + number, 1) for number in range(1, 9)))
    then = [await harness.search(**query) for query in QUERIES]
    made = await harness.call("corpus.checkpoint.create", name="Then", description="d", primary_queries=["ginger"])
    await harness.put(*(drawn(number, WORDS[::-1][:number], 2026, 2) for number in range(4, 20)))
    await harness.delete("1", "2")
    checkpoint = {"checkpoint_id": made["checkpoint_id"]}
    assert [await harness.search(**query, **checkpoint) for query in QUERIES] == then
    assert [await harness.search(**query) for query in QUERIES] != then
    assert (await harness.call("rag.get", doc_id="pmid:5", **checkpoint))["version"] == 1
    assert (await harness.call("rag.get", doc_id="pmid:5"))["version"] == 2
    assert (await harness.refusal("rag.get", {"doc_id": "pmid:19", **checkpoint}))["code"] == "NOT_FOUND"
    assert await harness.call("corpus.checkpoint.get", **checkpoint) == made
    assert (made["name"], made["description"], made["primary_queries"]) == ("Then", "d", ["ginger"])
    assert made["created_at"] == "2026-03-02T10:00:00.000Z"


async def test_its_clock_is_that_of_the_corpus_then(harness: PapersHarness) -> None:
    await harness.put(drawn(1, ["salt"], 2010, 1))
    made = await harness.call("corpus.checkpoint.create", name="2010")
    await harness.put(drawn(2, ["pepper"], 2026, 1))
    then = await harness.call("rag.get", doc_id="pmid:1", checkpoint_id=made["checkpoint_id"])
    assert then["quality"]["recency"] == 2
    assert (await harness.call("rag.get", doc_id="pmid:1"))["quality"]["recency"] == 0


async def test_a_checkpoint_that_is_none_is_not_found(harness: PapersHarness) -> None:
    calls = {"rag.search": {"query": "x"}, "rag.get": {"doc_id": "pmid:1"}, "corpus.checkpoint.get": {}}
    for tool, arguments in calls.items():
        error = await harness.refusal(tool, {**arguments, "checkpoint_id": "cp_nowhere"})
        assert error["code"] == "NOT_FOUND"
        assert error["details"] == {"checkpoint_id": "cp_nowhere"}
        assert "sanya papers checkpoint list" in error["message"]
