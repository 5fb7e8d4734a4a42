"""The trial set for embedding models: the curated questions about herbs and the pages of the herbs they ask about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sanya.retrieval.embedding import Embedder, Matrix
from sanya.suites.herbs.evaluation.measures import compute_mean, compute_ndcg
from sanya.suites.herbs.evaluation.question_set import filter_answerable, load_curated
from sanya.suites.herbs.facts.fact import derive_facts
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.search.passages import build_passages

_DEPTH = 10


@dataclass(frozen=True, slots=True)
class TrialSet:
    """Pages in two languages, in the order of `ids`, and questions with the ids that answer them."""

    ids: Sequence[str]
    pages: Mapping[str, Sequence[str]]
    questions: Mapping[str, Sequence[str]]
    relevant: Mapping[str, Sequence[frozenset[str]]]

    async def measure(self, embedder: Embedder, pages: Matrix, lang: str) -> float:
        """Return the mean nDCG@10 of the questions in a language over embedded pages."""
        scores = []
        for question, relevant in zip(self.questions[lang], self.relevant[lang], strict=True):
            cosines = pages @ (await embedder.embed([question]))[0]
            ranked = [self.ids[row] for row in np.argsort(-cosines, kind="stable")[:_DEPTH]]
            scores.append(compute_ndcg(ranked, relevant, _DEPTH))
        return round(compute_mean(scores), 3)


def build_trial(graph: HerbGraph) -> TrialSet:
    """Build the set from the graph of a home: every page that a curated question asks for."""
    questions = [question for question in filter_answerable(load_curated()) if question.relevant]
    passages = build_passages(graph, derive_facts(graph))
    wanted = sorted({node for question in questions for node in question.relevant})
    ids = [node for node in wanted if f"{node}@en" in passages and f"{node}@th" in passages]
    asked = {
        lang: [question for question in questions if question.language == lang and question.relevant <= set(ids)]
        for lang in ("en", "th")
    }
    return TrialSet(
        ids,
        {lang: [passages[f"{node}@{lang}"].document.text for node in ids] for lang in ("en", "th")},
        {lang: [question.text for question in found] for lang, found in asked.items()},
        {lang: [question.relevant for question in found] for lang, found in asked.items()},
    )
