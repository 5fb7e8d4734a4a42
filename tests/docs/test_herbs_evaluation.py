"""The page about evaluation says what the evaluation does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from sanya.suites.herbs.evaluation.contract import MAX_K, MAX_QUESTION_CHARS, MAX_QUESTIONS
from sanya.suites.herbs.evaluation.figures import ALL_METRICS
from sanya.suites.herbs.evaluation.question_set import filter_answerable, load_curated, load_smoke
from sanya.suites.herbs.evaluation.store import KEPT
from sanya.suites.herbs.facts.fact import FactRelation

PAGE = " ".join((Path(__file__).resolve().parents[2] / "docs" / "herbs-evaluation.md").read_text("utf-8").split())


def test_every_metric_and_relation_is_on_the_page() -> None:
    assert tuple(re.findall(r"\| `([\w@]+)` \|", PAGE)) == ALL_METRICS
    assert [relation for relation in get_args(FactRelation) if f"`{relation}`" not in PAGE] == []


def test_the_sizes_of_the_sets_and_their_bounds_are_as_the_page_says() -> None:
    languages = [sum(question.language == lang for question in load_curated()) for lang in ("th", "en")]
    assert f"`smoke`: {len(load_smoke())} development questions" in PAGE
    assert (
        f"{len(load_curated())} questions that come with the package, {languages[0]} in Thai and {languages[1]}" in PAGE
    )
    assert f"{len(filter_answerable(load_curated()))} with an answer in the graph" in PAGE
    assert f"up to {MAX_QUESTIONS} questions of your own" in PAGE
    assert f"1 to {MAX_K}." in PAGE
    assert f"up to {MAX_QUESTION_CHARS:,} characters" in PAGE
    assert f"the newest {KEPT} runs" in PAGE
