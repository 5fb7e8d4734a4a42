"""The evaluation on the starter graph: the quality that the documentation promises."""

from __future__ import annotations

import pytest

from sanya.app import App
from sanya.suites.herbs.answers.tools import DEFAULT_CONFIDENCE
from sanya.suites.herbs.evaluation.figures import EvaluationFigures
from sanya.suites.herbs.evaluation.judgement import judge
from sanya.suites.herbs.evaluation.question_set import load_curated, read_question
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.search.index import SearchIndex

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_curated_questions_reach_what_is_promised(sqlite_app: App) -> None:
    indexed = await SearchIndex(HerbStore(sqlite_app.database), sqlite_app.library).prepare()
    judged = [await judge(indexed, question) for question in load_curated()]
    for split in ("development", "held_out"):
        judgements = [judgement for judgement in judged if judgement.question.split == split]
        metrics = EvaluationFigures(tuple(judgements), 10, DEFAULT_CONFIDENCE, 1).metrics
        assert metrics["R@10"].value >= 0.90
        assert metrics["factuality"].value == 1.0
        assert metrics["answers_right"].value >= 0.80
        assert metrics["ECE"].value <= 0.15
    outside = [judgement for judgement in judged if judgement.question.kind == "outside"]
    assert sum(judgement.is_withheld(DEFAULT_CONFIDENCE) for judgement in outside) >= 0.9 * len(outside)


async def test_a_reference_in_words_is_judged_where_everything_is_warned(sqlite_app: App) -> None:
    indexed = await SearchIndex(HerbStore(sqlite_app.database), sqlite_app.library).prepare()
    row = {
        "id": "custom",
        "split": "custom",
        "lang": "en",
        "kind": "recommend_under",
        "question": "which herb for insomnia with warfarin?",
        "relevant": [],
        "facts": [["*", "assessed", "lucid dreams"]],
        "under": ["drug:warfarin"],
    }
    assert (await judge(indexed, read_question(row))).right
