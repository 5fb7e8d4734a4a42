"""Golden results for fixed records, number by number: a change here changes every stored corpus."""

from __future__ import annotations

from sanya.suites.papers.pubmed.xml_reader import parse_record
from tests.suites.papers.golden import MICE, RETRACTED, REVISED, TRIAL
from tests.suites.papers.harness import PapersHarness

UUIDS = {
    "90000001:s0": "d2ef88c4-dc2a-5c23-bf24-b3eda2a42a01",
    "90000001:s1_0": "63051c6a-57c7-5eff-a69d-8ae3e8a890f4",
    "90000001:s1_1": "3da6a0c0-d619-5516-a7ab-4bdacadc3733",
    "90000001:s1_2": "8a7ee3ae-a915-5765-96ad-9ba0db24947b",
    "90000001:s2": "0e68630d-b20c-5cf8-99ce-f5611a0fd49e",
    "90000001:s3": "5a0e2f25-d676-5ab3-ad2a-dd8106553138",
    "90000002:w0": "d523a614-086e-54bf-a287-116ed36bba88",
    "90000003:w0": "137a80d6-c441-5adf-a426-e77d0ed2bc1c",
}
SCORES = {
    "90000001": {
        "words": 0.22466373443603516,
        "meaning": 0.3923377990722656,
        "section": 0.03701972961425781,
        "quality": 0.09255027770996094,
        "recency": 0.03085041046142578,
        "retraction": 0.0,
    },
    "90000002": {
        "words": 0.11655616760253906,
        "meaning": 0.36499977111816406,
        "section": 0.014446258544921875,
        "quality": 0.020638465881347656,
        "recency": 0.0,
        "retraction": 0.0,
    },
    "90000003": {
        "words": 0.39999961853027344,
        "meaning": 0.6000003814697266,
        "section": 0.029999732971191406,
        "quality": 0.0,
        "recency": 0.0,
        "retraction": -2.0,
    },
}
QUALITY = {
    "90000001": {"design": 3, "recency": 2, "journal": 2, "human": 2, "total": 9},
    "90000002": {"design": 1, "recency": 0, "journal": 0, "human": 1, "total": 2},
    "90000003": {"design": 0, "recency": 0, "journal": 0, "human": 0, "total": 0},
}


async def fill(harness: PapersHarness) -> None:
    await harness.put(*map(parse_record, (TRIAL, MICE, RETRACTED)))


async def test_chunks_have_these_ids_and_uuids(harness: PapersHarness) -> None:
    await fill(harness)
    found = await harness.search("made-up drug weight", return_chunks=True, top_k=50)
    assert {f"{document['pmid']}:{document['chunk_id']}": document["uuid"] for document in found} == UUIDS


async def test_quality_is_this(harness: PapersHarness) -> None:
    await fill(harness)
    for pmid, quality in QUALITY.items():
        assert (await harness.call("rag.get", doc_id=f"pmid:{pmid}"))["quality"] == quality


async def test_scores_are_made_of_these_parts_in_this_order(harness: PapersHarness) -> None:
    await fill(harness)
    found = await harness.search("made-up drug against placebo: weight loss")
    assert {document["pmid"]: document["score_parts"] for document in found} == SCORES
    assert [document["pmid"] for document in found] == list(SCORES)


async def test_a_version_rises_with_the_revision_and_with_nothing_else(harness: PapersHarness) -> None:
    for batch, version in (((TRIAL,), 1), ((TRIAL,), 1), ((REVISED,), 2), ((REVISED, TRIAL), 2), ((TRIAL,), 2)):
        await harness.put(*map(parse_record, batch))
        assert (await harness.call("rag.get", doc_id="pmid:90000001"))["version"] == version
