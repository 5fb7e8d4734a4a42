"""Answers phrased by a model: given where the citations support them, else withheld."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import sanya.app
from sanya.app import App
from sanya.kernel.calls.call import OWNER, Context, ignore_progress
from sanya.settings import BadSetting
from sanya.sources.chat import Endpoint
from sanya.sources.phrasing import open_phraser
from sanya.suites.herbs.answers.contract import RagAnswer, RagAnswerInput
from sanya.suites.herbs.answers.question_service import QuestionService
from sanya.suites.herbs.answers.tools import DEFAULT_CONFIDENCE
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.tools import SafetyTools
from sanya.suites.herbs.search.index import SearchIndex
from tests.sources.chat import Chat, Say, saying, served

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONTEXT = Context("call", OWNER, datetime(2026, 1, 5, tzinfo=UTC), 7, ignore_progress, "")


async def phrased(app: App, question: str, say: Say) -> RagAnswer:
    store = HerbStore(app.database)
    async with served(Chat(say)) as url, open_phraser(Endpoint(url, "some-model")) as phraser:
        service = QuestionService(
            SearchIndex(store, app.library), SafetyTools(store, app.cursors), DEFAULT_CONFIDENCE, phraser
        )
        return await service.answer(RagAnswerInput(question=question), CONTEXT)


def repeating(request: dict[str, Any]) -> tuple[int, bytes]:
    """Repeat the statements, each followed by its mark."""
    statements = request["messages"][1]["content"].partition("Statements:\n")[2].splitlines()
    said = " ".join(f"{line.partition('] ')[2]} {line.partition(' ')[0]}" for line in statements)
    return saying(said)(request)


async def test_what_its_citations_bear_out_is_given(sqlite_app: App) -> None:
    body = await phrased(sqlite_app, "What is green chiretta used for?", repeating)
    assert body.phrased
    assert body.withheld is None
    assert "common cold" in body.answer


@pytest.mark.parametrize(
    "lie", ["Green chiretta is used for the common cold [1]. It cures cancer [1].", "Yes, it is safe [1].", "No idea."]
)
async def test_what_they_do_not_bear_out_is_withheld(sqlite_app: App, lie: str) -> None:
    body = await phrased(sqlite_app, "What is green chiretta used for?", saying(lie))
    assert body.answer == ""
    assert body.withheld is not None
    assert body.withheld.tests == ["support"]
    assert body.citations


async def test_a_warning_that_the_model_softens_is_withheld_and_the_safety_note_stays(sqlite_app: App) -> None:
    body = await phrased(
        sqlite_app, "Is turmeric safe with warfarin?", saying("Turmeric with warfarin is safe, strength low [1].")
    )
    assert body.answer == ""
    assert body.safety is not None
    assert body.safety.results[0].strength == "high"


async def test_without_its_help_sentences_are_quoted(sqlite_app: App) -> None:
    body = await phrased(sqlite_app, "What is green chiretta used for?", lambda _: (503, b""))
    assert not body.phrased
    assert body.answer.splitlines()[0].endswith("[1]")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"phrasing_url": "http://127.0.0.1:1/v1"}, "phrasing_model"),
        ({"phrasing_url": "gopher://x", "phrasing_model": "m"}, "phrasing_url"),
        ({"answer_confidence": 1.5}, "answer_confidence"),
    ],
)
async def test_a_bad_setting_is_named_at_the_start(
    tmp_path_factory: pytest.TempPathFactory, settings: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadSetting, match=reason):
        async with sanya.app.open(tmp_path_factory.mktemp("bad"), **settings):
            pass
