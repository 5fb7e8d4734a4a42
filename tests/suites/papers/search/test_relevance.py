"""Papers that do not fit the question are told from those that do, with the models that Sanya brings along."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.engines.embedders.offline import create_offline_embedders
from sanya.kernel.calls.call import Answered, Call, ignore_progress
from sanya.kernel.storage.database import Database
from sanya.retrieval.terms import TermReader
from sanya.suites.papers.fulltext.file_import import import_article_file, read_article_files
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.pubmed.record import PaperRecord
from tests.suites.papers.fulltext.articles import make_article
from tests.suites.papers.harness import PapersHarness, open_harness, record

OFF_TOPIC: dict[str, list[str]] = json.loads(Path(__file__).with_name("off_topic.json").read_text(encoding="utf-8"))
ON_TOPIC = ["weekly injection against placebo for weight loss", "สมุนไพร ไข้หวัด"]


@pytest.fixture
async def app(home: Path) -> AsyncIterator[App]:
    async with sanya.open(home) as opened:
        yield opened


async def ask(app: App, query: str, **arguments: Any) -> Answered:
    outcome = await app.kernel.call(Call("rag.search", {"query": query, **arguments}))
    assert isinstance(outcome, Answered), outcome
    return outcome


async def test_questions_about_something_else_get_no_papers_or_papers_marked_as_weak(app: App) -> None:
    levels = {}
    for question in [*OFF_TOPIC["en"], *OFF_TOPIC["th"]]:
        answered = await ask(app, question)
        note = answered.notes["search"]
        levels[question] = note["fit"]
        if note["fit"] != "good":
            assert str(note["documents"]) in note["message"] and "pubmed_sync_incremental" in note["message"]
            assert all(document["relevance"] <= note["relevance"] for document in answered.body["documents"])
        if note["fit"] == "none":
            assert answered.body["documents"] == []
    good = [question for question, level in levels.items() if level == "good"]
    assert len(good) <= len(levels) // 10, good


async def test_questions_that_a_paper_answers_get_it_without_a_warning(app: App) -> None:
    for question in ON_TOPIC:
        answered = await ask(app, question)
        assert answered.notes["search"]["fit"] == "good", question
        assert "message" not in answered.notes["search"]
        assert answered.body["documents"][0]["relevance"] > 0.2


@pytest.mark.parametrize("query", ["?", "the of and", "😀", "what is it"])
async def test_a_query_without_words_is_called_that(app: App, query: str) -> None:
    note = (await ask(app, query)).notes["search"]
    assert note["fit"] != "good"
    assert "no word to search for" in note["message"]
    assert "pubmed_sync" not in note["message"], "more papers would not help"


async def test_a_thai_query_without_words_is_called_that_in_thai(app: App) -> None:
    assert "ไม่มีคำที่ใช้ค้นได้" in (await ask(app, "ฯ")).notes["search"]["message"]


@pytest.mark.parametrize("query", ["32312261", "PMID: 32312261", "๓๒๓๑๒๒๖๑", "10.1056/NEJMoa1715274", "PMC3166277"])
async def test_a_query_that_names_a_paper_by_its_id_is_sent_to_the_tool_for_that(app: App, query: str) -> None:
    message = (await ask(app, query)).notes["search"]["message"]
    assert "papers_resolve" in message
    assert "32312261" in message or "10.1056/nejmoa1715274" in message or "PMC3166277" in message


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("weight loss 2019-2021", "2019", "2021"),
        ("weight loss between 2019 and 2021", "2019", "2021"),
        ("weight loss since 2020", "2020", None),
        ("weight loss after 2020", "2021", None),
        ("weight loss before 2020", None, "2019"),
        ("weight loss until 2020", None, "2020"),
        ("weight loss in the last 5 years", "5 years", None),
        ("ลดน้ำหนัก ตั้งแต่ปี 2563", "2020", None),
        ("ลดน้ำหนัก พ.ศ. ๒๕๖๒ ถึง ๒๕๖๔", "2019", "2021"),
        ("ลดน้ำหนัก ย้อนหลัง 5 ปี", "5 years", None),
        ("ลดน้ำหนัก ก่อน พ.ศ. 2563", None, "2019"),
    ],
)
async def test_years_in_the_words_of_a_query_are_said_not_to_filter(
    app: App, query: str, first: str | None, last: str | None
) -> None:
    message = (await ask(app, query)).notes["search"]["message"]
    if first == "5 years":
        first = str(datetime.now(UTC).year - 5)
    assert ("filters.date_from" in message) == (first is not None)
    assert ("filters.date_to" in message) == (last is not None)
    assert all(year in message for year in (first, last) if year)
    with_filters = await ask(app, query, filters={"date_from": "2000"})
    assert "filters.date_" not in with_filters.notes["search"].get("message", "")


@pytest.mark.parametrize(
    "query", ["weight loss in 60-69 year olds", "weight 1200-1500 kcal", "five year survival", "1918 influenza"]
)
async def test_other_numbers_are_not_taken_for_years(app: App, query: str) -> None:
    assert "filters.date_" not in (await ask(app, query)).notes["search"].get("message", "")


async def test_a_question_to_full_texts_about_something_else_gets_no_passages(app: App, tmp_path: Path) -> None:
    path = tmp_path / "article.nxml"
    path.write_text(make_article())
    texts = FullTextStore(app.database, app.library)
    for file in read_article_files(path):
        await import_article_file(texts, file, datetime(2026, 1, 1, tzinfo=UTC))
    await texts.finish(ignore_progress)
    answers = []
    for query in ("how to bake sourdough bread", "what sample size was calculated?"):
        outcome = await app.kernel.call(Call("papers.fulltext.search", {"query": query}))
        assert isinstance(outcome, Answered), outcome
        answers.append(outcome.body)
    assert answers[0]["passages"] == [] and "1 full texts were searched" in answers[0]["advice"]
    assert answers[1]["passages"] and answers[1]["advice"] is None


async def test_a_text_that_merely_is_the_nearest_makes_no_related_paper(
    database: Database, home: Path, reader: TermReader
) -> None:
    async with open_harness(database, home, reader, create_offline_embedders()) as harness:
        await harness.put(
            record(31, "Ginger for nausea in pregnancy", "Ginger capsules reduced nausea and vomiting of pregnancy."),
            record(32, "Ginger against vomiting", "Powdered ginger against nausea and vomiting in early pregnancy."),
            record(33, "Carbon imaging", "Proton magnetic resonance imaging of the distribution of carbon 13."),
        )
        nearest = [(await harness.call("papers.related", doc_id=f"pmid:{pmid}"))["documents"] for pmid in ("31", "33")]
    assert [[document["doc_id"] for document in documents] for documents in nearest] == [["pmid:32"], []]


async def test_without_vectors_a_text_that_shares_few_words_makes_no_related_paper(
    database: Database, home: Path, reader: TermReader
) -> None:
    farmers = (
        "Thyroid-stimulating hormone, thyroxine and antithyroid peroxidase were measured in serum of male farmers."
    )
    officers = "Interviews were held with health and education officers; male participation in planning was reported."
    async with open_harness(database, home, reader, create_offline_embedders()) as harness:
        await add_unembedded(
            harness,
            record(41, "Occupational pesticide exposure and subclinical hypothyroidism among applicators.", farmers),
            record(42, "Collaboration among stakeholders in implementing sexuality education in Zambia.", officers),
            record(43, "Pesticide exposure and thyroxine in serum", "Pesticides lowered thyroxine in male farmers."),
        )
        found = (await harness.call("papers.related", doc_id="pmid:41"))["documents"]
    assert [document["doc_id"] for document in found] == ["pmid:43"]


async def test_a_text_without_a_vector_makes_no_related_paper_by_single_words(
    database: Database, home: Path, reader: TermReader
) -> None:
    async with open_harness(database, home, reader, create_offline_embedders()) as harness:
        await harness.put(
            record(31, "Timing of lysis in bacteriophages", "The timing of lysis by phages varied between cells."),
            record(32, "Lysis of cells by phages", "The timing of lysis by phages varied with the holin protein."),
        )
        play = "The relationship between time spent playing and day phases varied; timing was studied in adolescents."
        await add_unembedded(harness, record(33, "What matters is when you play: online video games", play))
        found = (await harness.call("papers.related", doc_id="pmid:31"))["documents"]
    assert [document["doc_id"] for document in found] == ["pmid:32"]


async def test_the_advice_names_the_filters_where_there_are_some(harness: PapersHarness) -> None:
    await harness.put(record(21, "Salt and blood pressure", "Salt raises blood pressure.", pdat="1999"))
    note = await harness.read_note("salt", filters={"date_from": "2020"})
    assert note["fit"] == "none"
    assert "1 papers were searched" in note["message"] and "without the filters" in note["message"]


async def add_unembedded(harness: PapersHarness, *records: PaperRecord) -> None:
    await harness.index.prepare()
    async with harness.database.transaction() as transaction:
        await harness.store.upsert_pubmed_docs(records, transaction)
    await harness.index.refresh()


async def test_meaning_without_vectors_is_answered_by_words_with_the_reason(harness: PapersHarness) -> None:
    await add_unembedded(harness, record(21, "Salt and blood pressure", "Salt raises blood pressure."))
    found = await harness.search("salt blood pressure", search_mode="semantic")
    assert [document["pmid"] for document in found] == ["21"]
    note = await harness.read_note("salt blood pressure", search_mode="semantic")
    assert (note["searched_by"], note["awaiting_vectors"], note["seconds_left"]) == ("words", 1, None)
    assert note["message"].startswith("No chunk has a vector yet")
    assert "searched_by" not in await harness.read_note("salt blood pressure")
    assert await harness.search("aardvark", search_mode="semantic") == []


async def test_a_checkpoint_does_not_wait_for_vectors_and_keeps_its_answers(harness: PapersHarness) -> None:
    await add_unembedded(harness, record(21, "Salt and blood pressure", "Salt raises blood pressure."))
    made = await harness.call("corpus.checkpoint.create", name="early")
    assert await harness.index.count_unembedded() == 1
    before = await harness.search("salt pressure", checkpoint_id=made["checkpoint_id"])
    assert await harness.index.embed_missing() == 1
    assert await harness.search("salt pressure", checkpoint_id=made["checkpoint_id"]) == before
    assert (await harness.search("salt pressure"))[0]["sim"] > before[0]["sim"] == 0
