"""Papers that do not fit the question are told from those that do, with the models that Sanya brings along."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.kernel.call import Answered, Call
from sanya.suites.papers.pubmed.record import PaperRecord
from tests.suites.papers.harness import PapersHarness, record

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
