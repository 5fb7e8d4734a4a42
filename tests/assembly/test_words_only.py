"""A home without an embedding model answers from words, says so, and finds by meaning once a model is there."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.assembly.search.embedders import find_words_only
from sanya.assembly.search.health import check_embedders, check_embedding
from sanya.engines.embedders.offline import PACKAGES
from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.faults import Unavailable
from sanya.settings import Settings

ASKED = "May a patient on warfarin take turmeric?"


@pytest.fixture
async def app(begun_home: Path) -> AsyncIterator[App]:
    async with sanya.open(begun_home, embedder="none") as opened:
        yield opened


async def call(app: App, tool: str, arguments: dict[str, Any]) -> Answered:
    outcome = await app.kernel.call(Call(tool, arguments))
    assert isinstance(outcome, Answered), outcome
    return outcome


async def test_every_search_answers_by_words_and_says_what_would_add_meaning(app: App) -> None:
    await call(app, "send_memory", {"content": "Khun Malee takes warfarin.", "agent_id": "test"})
    remembered = await call(app, "get_memory", {"query": "Which medicine does Malee take?"})
    assert remembered.body["memories"][0]["content"] == "Khun Malee takes warfarin."
    answered = await call(app, "tool.rag_answer", {"question": ASKED})
    assert "warfarin" in answered.body["answer"] and answered.body["safety"]["total"]
    herbs = await call(app, "tool.hybrid_search", {"query": "ขมิ้นชัน"})
    assert herbs.body["hits"][0]["id"] == "curcuma-longa"
    papers = await call(app, "rag.search", {"query": "exercise in older adults", "search_mode": "semantic"})
    assert papers.body["total_results"]
    for outcome in (remembered, answered, herbs, papers):
        assert outcome.notes["search"]["searched_by"] == "words"
    assert "sanya settings set embedder offline" in papers.notes["search"]["message"]
    assert "ค้นด้วยคำเท่านั้น" in herbs.notes["search"]["message"], "told in the language of the query"


async def test_nothing_is_said_where_words_were_asked_for(app: App) -> None:
    papers = await call(app, "rag.search", {"query": "exercise in older adults", "search_mode": "bm25"})
    assert "searched_by" not in papers.notes["search"]


async def test_documents_get_their_vectors_once_there_is_a_model(begun_home: Path) -> None:
    searched = {"query": "exercise in older adults"}
    async with sanya.open(begun_home, embedder="none") as app:
        await call(app, "rag.search", searched)
        with pytest.raises(Unavailable, match="sanya settings set embedder offline"):
            await app.library.reembed("papers", lambda _: None)
        assert await check_embedding(app.settings, app.database) == [], "they await a model, no command helps"
    async with sanya.open(begun_home) as app:
        await call(app, "rag.search", searched)
        assert await app.library.reembed("papers", lambda _: None) == 47
        found = await call(app, "rag.search", searched)
    assert "searched_by" not in found.notes["search"]
    assert found.body["documents"][0]["sim"] > 0


async def test_a_home_with_vectors_of_another_model_keeps_them(begun_home: Path) -> None:
    """Words alone search it meanwhile; nothing is declared over what is there."""
    from sanya.engines.index.store import IndexStore
    from sanya.retrieval.embedding import Model
    from sanya.retrieval.language_search import MULTILINGUAL

    former = Model("former", 3, "other")
    async with sanya.open(begun_home, embedder="none") as app:
        store = IndexStore(app.database)
        await store.declare("papers", {MULTILINGUAL: former})
        assert (await call(app, "rag.search", {"query": "exercise in older adults"})).body["total_results"]
        assert await store.read_spaces("papers") == {MULTILINGUAL: former}


@pytest.mark.parametrize("missing", PACKAGES)
async def test_one_missing_package_is_enough_to_search_by_words(
    home: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "sanya.engines.embedders.offline.find_spec", lambda name: None if name == missing else find(name)
    )
    words_only = find_words_only(Settings(home=home))
    assert words_only and "pip install 'sanya[embeddings]'" in words_only.describe()
    (fact,) = await check_embedders(Settings(home=home), None)
    assert (fact.level, fact.found) == ("note", words_only.reason)
    chosen = Settings(home=home, embedder="huggingface", embedder_model="x")
    assert find_words_only(chosen) is None, "who names a model is told if it cannot be opened"
