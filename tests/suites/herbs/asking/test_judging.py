"""The evaluation on the starter graph: what it measures, and the measures that are promised."""

from __future__ import annotations

import pytest

from sanya.app import App
from sanya.suites.herbs.evaluation.judging import answer_measures, judge, retrieval_measures
from sanya.suites.herbs.evaluation.question_set import curated
from sanya.suites.herbs.search_index import SearchIndex
from sanya.suites.herbs.search_tools import DEFAULT_CONFIDENCE
from sanya.suites.herbs.store import HerbStore

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_curated_questions_reach_what_is_promised(sqlite_app: App) -> None:
    searchable = await SearchIndex(HerbStore(sqlite_app.database), sqlite_app.library).ready()
    judged = [await judge(searchable, question) for question in curated()]
    for split in ("development", "held_out"):
        some = [one for one in judged if one.question.split == split]
        assert retrieval_measures(some)["R@10"] >= 0.90
        answers = answer_measures(some, DEFAULT_CONFIDENCE)
        assert answers["factuality"] == 1.0
        assert answers["answers_right"] >= 0.80
        assert answers["ECE"] <= 0.15
    outside = [one for one in judged if one.question.kind == "outside"]
    assert sum(one.is_withheld(DEFAULT_CONFIDENCE) for one in outside) >= 0.9 * len(outside)
