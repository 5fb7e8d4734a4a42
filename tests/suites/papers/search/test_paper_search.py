"""Searches on each engine: order, parts of scores, filters, chunks, whole papers."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.suites.papers.indexing.chunks import make_chunk_uuid
from tests.suites.papers.harness import PapersHarness, pmids, record

RCT = ("Randomized Controlled Trial",)
PARTS = ["words", "meaning", "section", "quality", "recency", "retraction"]
LONG = "Turmeric was given for 12 weeks at 500 mg a day and pain fell by 3.2 points in 70 of 140 patients. "


async def fill(harness: PapersHarness) -> None:
    await harness.put(
        record(11, "Turmeric for knee pain", "Turmeric eased pain of the knee.", pub_types=RCT, mesh=("Humans",)),
        record(12, "Turmeric for knee pain", "Turmeric eased pain of the knee."),
        record(13, "Rice in the valley", {"BACKGROUND": "Rice is grown.", "RESULTS": "Yield was 3 t/ha."}),
        record(14, "Myocardial infarction and statins", "Statins after myocardial infarction.", pdat="2009-03"),
        record(15, "A longer story", {"METHODS": LONG * 30, "RESULTS": "Less pain.", "CONCLUSIONS": "It may help."}),
    )


async def test_the_parts_of_a_score_add_up_to_it_exactly(harness: PapersHarness) -> None:
    await fill(harness)
    for mode, alpha in product(("hybrid", "semantic", "bm25"), (0.0, 0.4, 1.0)):
        found = await harness.search("turmeric pain of the knee", search_mode=mode, alpha=alpha)
        assert found
        for document in found:
            parts = document["score_parts"]
            assert list(parts) == PARTS
            assert sum(parts.values()) == document["score"] == sum(reversed(parts.values()))
        order = [(-document["score"], int(document["pmid"])) for document in found]
        assert order == sorted(order)


async def test_modes_leave_out_what_they_do_not_use(harness: PapersHarness) -> None:
    await fill(harness)
    by_words = await harness.search("turmeric", search_mode="bm25")
    assert {document["score_parts"]["meaning"] for document in by_words} == {0.0}
    by_meaning = await harness.search("turmeric", search_mode="semantic")
    assert {document["score_parts"]["words"] for document in by_meaning} == {0.0}


async def test_the_better_study_stands_first_unless_that_is_not_wanted(harness: PapersHarness) -> None:
    await fill(harness)
    ranked, plain = [await harness.search("turmeric knee", rerank_by_quality=wish) for wish in (True, False)]
    assert pmids(ranked)[:2] == ["11", "12"]
    assert ranked[0]["quality"] == 7
    assert {document["score_parts"]["quality"] for document in plain} == {0.0}
    assert {document["score_parts"]["recency"] for document in plain} == {0.0}
    assert plain[0]["score"] == plain[1]["score"]


async def test_a_retracted_paper_is_marked_and_last(harness: PapersHarness) -> None:
    await fill(harness)
    fraud = record(
        10, "Turmeric for knee pain", "Turmeric eased pain of the knee.", pub_types=("Retracted Publication",)
    )
    await harness.put(fraud)
    for wish in (True, False):
        found = await harness.search("turmeric knee pain", rerank_by_quality=wish)
        assert (found[-1]["pmid"], found[-1]["retracted"]) == ("10", True)
        assert found[-1]["score"] < 0 < found[-2]["score"]
        assert [document["retracted"] for document in found[:-1]] == [False] * (len(found) - 1)


async def test_other_names_are_looked_for_unless_that_is_not_wanted(harness: PapersHarness) -> None:
    await fill(harness)
    body = await harness.call("rag.search", query="heart attack", search_mode="bm25")
    assert pmids(body["documents"]) == ["14"]
    assert body["performance"]["enhanced_query"] is True
    body = await harness.call("rag.search", query="heart attack", search_mode="bm25", enhance_query=False)
    assert body["documents"] == []
    assert body["performance"]["enhanced_query"] is False


async def test_a_name_that_repeats_words_of_the_question_raises_no_paper(harness: PapersHarness) -> None:
    said, otherwise = "Vitamin D deficiency and birth.", "Hypovitaminosis D, deficiency of vitamin D, and birth."
    await harness.put(record(31, "Said as asked", said), record(32, "Said in another way", otherwise))
    asked = "vitamin D deficiency at birth"
    with_names, plain = [await harness.search(asked, enhance_query=wish, search_mode="bm25") for wish in (True, False)]
    assert with_names == plain
    assert {"31", "32"} == set(pmids(plain))


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({"date_from": "2024-01-01"}, {"21", "22"}),
    ({"date_to": "2023-12-31"}, {"23"}),
    ({"date_from": "2024-05-12"}, {"22"}),
    ({"date_from": "2024-11-30", "date_to": "2024-12-31"}, {"22"}),
    ({"date_from": "2024", "date_to": "2024"}, {"21", "22"}),
    ({"journals": ["NEJM"]}, {"21"}),
    ({"journals": ["n engl j med", "Lancet"]}, {"21", "22"}),
    ({"journals": ["The Journal of Odd Things"], "date_to": "2020-01-01"}, {"23"}),
    ({"journals": ["Nowhere"]}, set()),
    ({"journals": []}, {"21", "22", "23", "24"}),
]


async def test_filters_know_half_known_dates_and_every_name_of_a_journal(harness: PapersHarness) -> None:
    text = "Salt and blood pressure."
    await harness.put(
        record(21, "Salt", text, journal="The New England journal of medicine", pdat="2024-05-11"),
        record(22, "Salt", text, journal="Lancet (London, England)", journal_abbreviation="Lancet", pdat="2024"),
        record(23, "Salt", text, journal="Journal of odd things.", pdat="1999-02"),
        record(24, "Salt", text, journal=None, pdat=None),
    )
    for (filters, found), mode in product(FILTERS, ("hybrid", "semantic", "bm25")):
        assert set(pmids(await harness.search("salt", filters=filters, search_mode=mode))) == found, filters


async def test_a_paper_is_put_together_from_its_chunks(harness: PapersHarness) -> None:
    await fill(harness)
    (found,) = [document for document in await harness.search("turmeric 500 mg a day") if document["pmid"] == "15"]
    stored = await harness.call("rag.get", doc_id="pmid:15")
    assert found["abstract"] == stored["abstract"]
    assert found["title"] == stored["title"] == "A longer story"
    assert found["chunk_count"] == 5
    assert found["sections_found"] == ["methods", "results", "conclusions"]
    assert found["source_url"] == "https://pubmed.ncbi.nlm.nih.gov/15/"
    assert found["doc_id"] == "pmid:15"


async def test_chunks_come_one_by_one_under_their_uuids(harness: PapersHarness) -> None:
    await fill(harness)
    found = await harness.search("turmeric 500 mg a day", return_chunks=True, top_k=50)
    of_paper = {document["chunk_id"]: document for document in found if document["pmid"] == "15"}
    assert set(of_paper) == {"s0_0", "s0_1", "s0_2", "s1", "s2"}
    for chunk_id, document in of_paper.items():
        assert document["uuid"] == make_chunk_uuid(harness.index.namespace, "15", chunk_id)
        assert document["sections_found"] == [document["section"]]
    assert of_paper["s1"]["abstract"] == "RESULTS: Less pain."


async def test_as_many_papers_are_found_as_there_are(harness: PapersHarness) -> None:
    """Many chunks of one paper do not crowd out the others."""
    await harness.put(
        record(31, "Ginger tea", {f"PART {number}": "Ginger tea, ginger tea." for number in range(40)}),
        *(record(number, "Tea", "Some ginger in the tea.") for number in range(32, 38)),
    )
    assert len(await harness.search("ginger tea", top_k=5)) == 5
    assert len(await harness.search("ginger tea", top_k=50)) == 7


async def test_results_and_conclusions_stand_before_background(harness: PapersHarness) -> None:
    await harness.put(record(41, "Title", {"BACKGROUND": "Ginger helps.", "RESULTS": "Ginger helps."}))
    found = await harness.search("ginger helps", return_chunks=True, search_mode="bm25")
    assert [document["section"] for document in found] == ["results", "background"]
    assert found[0]["score_parts"]["section"] > found[1]["score_parts"]["section"] == 0.0


async def test_a_new_version_replaces_every_chunk_of_the_old_one(harness: PapersHarness) -> None:
    await harness.put(
        record(51, "Old", {"METHODS": "Saffron.", "RESULTS": "Saffron again."}, lr="2026-01-01T00:00:00Z")
    )
    await harness.put(record(51, "New", "Cinnamon only.", lr="2026-01-02T00:00:00Z"))
    assert await harness.search("saffron", search_mode="bm25") == []
    (found,) = await harness.search("cinnamon", search_mode="bm25")
    assert (found["chunk_id"], found["chunk_count"], found["title"]) == ("w0", 1, "New")
    assert (await harness.call("rag.get", doc_id="pmid:51"))["version"] == 2


async def test_a_deleted_paper_is_gone(harness: PapersHarness) -> None:
    await fill(harness)
    await harness.delete("11", "15")
    assert not {"11", "15"} & set(pmids(await harness.search("turmeric", top_k=50)))
    assert (await harness.refusal("rag.get", {"doc_id": "pmid:11"}))["code"] == "NOT_FOUND"


async def test_age_is_counted_from_the_newest_record(harness: PapersHarness) -> None:
    await harness.put(record(61, "Salt", "Salt.", pdat="2010-06-01", edat="2014-01-01T00:00:00Z"))
    assert (await harness.call("rag.get", doc_id="pmid:61"))["quality"]["recency"] == 2
    await harness.put(record(62, "Pepper", "Pepper.", pdat="2019-01-01", edat="2019-01-02T00:00:00Z"))
    assert (await harness.call("rag.get", doc_id="pmid:61"))["quality"]["recency"] == 1
    (found,) = await harness.search("salt", search_mode="bm25")
    assert found["quality"] == 1


async def test_the_resource_is_the_paper(harness: PapersHarness) -> None:
    await fill(harness)
    outcome = await harness.kernel.read(Call("resource://pubmed/paper/11", {}))
    assert isinstance(outcome, Answered)
    assert outcome.body == await harness.call("rag.get", doc_id="pmid:11")
    for uri in ("resource://pubmed/paper/999", "resource://pubmed/paper/x1"):
        refused = await harness.kernel.read(Call(uri, {}))
        assert isinstance(refused, Refused)
        assert refused.error["code"] == "NOT_FOUND"


@given(query=st.text(min_size=1, max_size=200).filter(lambda text: "\0" not in text))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_may_be_asked(harness: PapersHarness, query: str) -> None:
    for document in await harness.search(query):
        assert sum(document["score_parts"].values()) == document["score"]


@pytest.mark.parametrize("written", ["2567", "2567-05", "2567-05-11", "พ.ศ. 2567", "พ.ค. 2567", "May 2024", "๒๕๖๗"])
async def test_buddhist_years_and_written_months_filter_as_their_common_date(
    harness: PapersHarness, written: str
) -> None:
    await harness.put(record(21, "Salt", "Salt.", pdat="2024-05-11"), record(22, "Salt", "Salt.", pdat="2019-05-11"))
    filters = {"date_from": written, "date_to": written}
    assert pmids(await harness.search("salt", filters=filters)) == ["21"]


@pytest.mark.parametrize("written", ["05/06/2024", "2024-13", "2024-02-30", "last year", "", "2567-02-30"])
async def test_a_date_that_cannot_be_understood_is_refused(harness: PapersHarness, written: str) -> None:
    error = await harness.refusal("rag.search", {"query": "salt", "filters": {"date_to": written}})
    assert error["code"] == "VALIDATION" and "2567-05-31" in error["message"]


async def test_alpha_is_the_weight_of_meaning_and_the_measured_one_where_none_is_given(harness: PapersHarness) -> None:
    await harness.put(record(21, "Salt", "Salt and pressure."), record(22, "Sugar", "Sugar and weight."))

    async def read_weights(**alpha: float) -> tuple[float, float]:
        found = await harness.search("salt and pressure", rerank_by_quality=False, **alpha)
        parts = [document["score_parts"] for document in found]
        return max(part["words"] for part in parts), max(part["meaning"] for part in parts)

    assert await read_weights(alpha=0.5) == (0.5, 0.5)
    assert await read_weights(alpha=0.25) == (0.75, 0.25)
    words, meaning = await read_weights()
    assert (round(words, 3), round(meaning, 3)) == (0.4, 0.6)


async def test_a_search_answers_from_what_is_indexed_while_other_papers_are_being_indexed(
    harness: PapersHarness,
) -> None:
    await fill(harness)
    library = await harness.index.prepare()
    refresher = library._index._refresher  # type: ignore[attr-defined]
    async with refresher.idle():  # no refresh can start in here, as while a long one runs
        async with harness.database.transaction() as transaction:
            await harness.store.upsert_pubmed_docs([record(16, "Turmeric for the elbow", "Elbow pain.")], transaction)
        assert pmids(await harness.search("turmeric for knee pain", search_mode="bm25"))[0] == "11"
        note = await harness.read_note("turmeric for knee pain", search_mode="bm25")
        assert note["unindexed"] == 1 and "still being indexed" in note["message"]
    await library.refresh()
    assert "16" in pmids(await harness.search("turmeric for the elbow", search_mode="bm25"))


async def test_the_newest_and_best_of_a_batch_are_embedded_first(harness: PapersHarness) -> None:
    await harness.index.prepare()
    papers = [
        record(21, "Newest and best", pdat="2025-01", pub_types=RCT, mesh=("Humans",)),
        record(22, "Oldest", pdat="1990-01", pub_types=RCT),
        record(23, "Newest", pdat="2025-02"),
    ]
    async with harness.database.transaction() as transaction:
        await harness.store.upsert_pubmed_docs(papers, transaction)
    library = await harness.index.prepare()
    claimed = await library._index.claim_unembedded("papers", 10)
    assert [row.document.fields["pmid"] for row in claimed] == ["21", "23", "22"]
    await library._index.release_unembedded("papers", claimed)
