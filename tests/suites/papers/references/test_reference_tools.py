"""Cite, resolve and relate papers through the kernel, on each engine."""

from __future__ import annotations

from typing import Any

from sanya.suites.papers.pubmed.record import Author, PublicationLink
from tests.suites.papers.harness import PapersHarness, record

GINGER = record(
    101,
    "Ginger for nausea and vomiting in early pregnancy: a randomized trial.",
    "Ginger reduced nausea against placebo.",
    mesh=["Humans", "Nausea", "Zingiber officinale", "Pregnancy Complications"],
    authors=(Author("Smith", "Anna", "A"),),
    journal="The journal of herbs",
    journal_abbreviation="J Herbs",
    volume="3",
    pages="1-9",
    pdat="2019-03",
    doi="10.1000/Ginger.1",
    pmcid="PMC55",
)
REPLY = record(
    102,
    "Ginger for nausea and vomiting in early pregnancy: a reply.",
    "We reply.",
    links=(PublicationLink("comment_on", "101", "J Herbs. 2019;3:1."),),
    pdat="2020",
)
MOTION = record(
    103,
    "Zingiber officinale and motion sickness in sailors.",
    "Nausea at sea was less with ginger.",
    mesh=["Humans", "Nausea", "Zingiber officinale"],
)
STROKE = record(104, "Blood pressure after stroke.", "Pressure was measured.", mesh=["Humans", "Stroke"])


async def fill(harness: PapersHarness) -> None:
    await harness.put(GINGER, REPLY, MOTION, STROKE)


async def resolve(harness: PapersHarness, *references: str, **more: Any) -> list[dict[str, Any]]:
    answer = await harness.call("papers.resolve", references=list(references), **more)
    resolutions: list[dict[str, Any]] = answer["resolutions"]
    return resolutions


def list_ids(resolution: dict[str, Any]) -> list[str]:
    return [paper["doc_id"] for paper in resolution["papers"]]


async def test_identifiers_lead_to_the_paper_in_any_case(harness: PapersHarness) -> None:
    await fill(harness)
    for resolution in await resolve(
        harness, "101", "doi:10.1000/GINGER.1", "PMC55", "https://doi.org/10.1000/ginger.1"
    ):
        assert (resolution["status"], list_ids(resolution)) == ("found", ["pmid:101"])
        assert resolution["papers"][0]["certainty"] == 1


async def test_an_identifier_that_is_not_here_is_not_guessed_from_the_words(harness: PapersHarness) -> None:
    await fill(harness)
    text = "Ginger for nausea and vomiting in early pregnancy: a randomized trial. PMID: 999"
    (resolution,) = await resolve(harness, text)
    assert (resolution["status"], resolution["papers"]) == ("not_found", [])
    assert "pubmed.fetch with pmid:999" in resolution["advice"]


async def test_a_pasted_reference_leads_to_its_paper_and_not_to_the_reply(harness: PapersHarness) -> None:
    await fill(harness)
    pasted = "Smith A. Ginger for nausea and vomiting in early pregnancy: a randomised trial. J Herbs. 2019 Mar;3:1-9."
    (resolution,) = await resolve(harness, pasted)
    assert (resolution["status"], list_ids(resolution)) == ("found", ["pmid:101"])
    assert resolution["papers"][0]["matched_by"] == "text"


async def test_a_retracted_paper_is_found_by_its_title_among_many_like_it(harness: PapersHarness) -> None:
    notice = PublicationLink("retraction_in", "900", "J Herbs. 2021;4:1.")
    retracted = record(300, "Ginger cures nausea in sailors at sea.", "Ginger was given.", links=(notice,))
    others = [record(301 + at, f"Ginger against nausea in sailors, part {at}.", "Nausea at sea.") for at in range(15)]
    await harness.put(retracted, *others)
    (resolution,) = await resolve(harness, "Ginger cures nausea in sailors at sea.")
    assert (resolution["status"], list_ids(resolution)) == ("found", ["pmid:300"])
    assert resolution["papers"][0]["retracted"] is True


async def test_half_a_title_that_fits_two_papers_is_ambiguous(harness: PapersHarness) -> None:
    await fill(harness)
    (resolution,) = await resolve(harness, "ginger for nausea and vomiting in early pregnancy")
    assert resolution["status"] == "ambiguous"
    assert set(list_ids(resolution)) == {"pmid:101", "pmid:102"}


async def test_a_title_that_is_not_here_finds_nothing(harness: PapersHarness) -> None:
    await fill(harness)
    (resolution,) = await resolve(harness, "Turmeric for knee pain in older adults")
    assert (resolution["status"], resolution["papers"]) == ("not_found", [])
    assert "rag.search" in resolution["advice"]


async def test_a_checkpoint_resolves_what_it_holds(harness: PapersHarness) -> None:
    await harness.put(STROKE)
    checkpoint = (await harness.call("corpus.checkpoint.create", name="Before"))["checkpoint_id"]
    await harness.put(GINGER)
    (before,) = await resolve(harness, "doi:10.1000/ginger.1", checkpoint_id=checkpoint)
    (now,) = await resolve(harness, "doi:10.1000/ginger.1")
    assert (before["status"], now["status"]) == ("not_found", "found")


async def test_a_bibliography_keeps_the_order_and_names_what_is_not_here(harness: PapersHarness) -> None:
    await fill(harness)
    answer = await harness.call("papers.cite", doc_ids=["pmid:104", "pmid:101", "pmid:7"])
    assert answer["not_found"] == ["pmid:7"]
    assert [citation["doc_id"] for citation in answer["citations"]] == ["pmid:104", "pmid:101"]
    assert answer["text"].splitlines()[1] == (
        "2. Smith A. Ginger for nausea and vomiting in early pregnancy: a randomized trial. J Herbs. 2019 Mar;3:1-9. "
        "doi: 10.1000/Ginger.1. PMID: 101. PMCID: PMC55."
    )
    assert answer["citations"][0]["missing"] == ["author", "journal", "volume", "pages"]


async def test_citing_only_unknown_papers_says_how_to_bring_them(harness: PapersHarness) -> None:
    error = await harness.refusal("papers.cite", {"doc_ids": ["pmid:7"]})
    assert error["code"] == "NOT_FOUND"
    assert "pubmed.sync.incremental" in error["message"]


async def test_related_papers_come_with_their_reasons(harness: PapersHarness) -> None:
    await fill(harness)
    documents = (await harness.call("papers.related", doc_id="pmid:101"))["documents"]
    by_id = {document["doc_id"]: document for document in documents}
    assert "pmid:101" not in by_id
    mesh = [relation for relation in by_id["pmid:103"]["relations"] if relation["kind"] == "mesh"]
    assert mesh[0]["values"] == ["Nausea", "Zingiber officinale"]
    assert all(
        abs(document["score"] - sum(relation["score"] for relation in document["relations"])) < 1e-9
        for document in documents
    )
    reasons = {relation["kind"] for relation in by_id.get("pmid:104", {"relations": []})["relations"]}
    assert "mesh" not in reasons, "both are about humans, which relates nothing"


async def test_a_comment_leads_to_the_paper_it_is_about_first(harness: PapersHarness) -> None:
    await fill(harness)
    documents = (await harness.call("papers.related", doc_id="pmid:102"))["documents"]
    assert documents[0]["doc_id"] == "pmid:101"
    assert documents[0]["relations"][0] == {"kind": "link", "values": ["comment_on"], "score": 1.0}


def find_relation(document: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(relation for relation in document["relations"] if relation["kind"] == kind)


async def test_papers_that_cite_the_same_works_are_related_with_the_works_named(harness: PapersHarness) -> None:
    shared = ("pmid:7", "doi:10.1/x")
    await harness.put(
        record(201, "Aspirin and fever.", "One.", references=("pmid:6", *shared)),
        record(202, "Rats in mazes.", "Two.", references=(*shared, "pmid:9")),
        record(203, "Snow on roofs.", "Three.", references=("pmid:201",)),
        record(204, "Wind on hills.", "Four.", references=("pmid:9",)),
    )
    documents = (await harness.call("papers.related", doc_id="pmid:201"))["documents"]
    found = {document["doc_id"]: document for document in documents}
    assert found["pmid:202"]["shared_references"] == list(shared)
    assert find_relation(found["pmid:202"], "link")["values"] == ["shared_references"]
    assert find_relation(found["pmid:203"], "link")["values"] == ["cited_by"]
    assert "pmid:204" not in found or not found["pmid:204"]["shared_references"]
    for document in documents:
        assert round(sum(relation["score"] for relation in document["relations"]), 6) == document["score"]
    back = (await harness.call("papers.related", doc_id="pmid:203"))["documents"]
    assert next(item for item in back if item["doc_id"] == "pmid:201")["relations"][0]["values"] == ["cites"]


async def test_references_follow_a_revision_and_a_checkpoint_keeps_the_earlier_ones(harness: PapersHarness) -> None:
    await harness.put(
        record(201, "Aspirin and fever.", "One.", references=("pmid:7",), lr="2024-01-01T00:00:00Z"),
        record(202, "Rats in mazes.", "Two.", references=("pmid:7",)),
    )
    checkpoint = (await harness.call("corpus.checkpoint.create", name="Before"))["checkpoint_id"]
    await harness.put(record(201, "Aspirin and fever.", "One.", references=("pmid:8",), lr="2025-01-01T00:00:00Z"))

    async def list_shared(**more: Any) -> list[str]:
        answer = await harness.call("papers.related", doc_id="pmid:202", **more)
        return [work for document in answer["documents"] for work in document["shared_references"]]

    assert await list_shared() == []
    await harness.put(record(203, "Snow on roofs.", "Three.", references=("pmid:7",)))
    assert await list_shared() == ["pmid:7"]
    assert await list_shared(checkpoint_id=checkpoint) == []
