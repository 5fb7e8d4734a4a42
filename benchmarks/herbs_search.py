"""Recall@10 of the herb search on the curated questions, against the same search without segmentation.

Without segmentation, words are split at spaces only and no name is found inside Thai text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sanya.app
from benchmarks.result import Result, judge_ratio
from sanya.assembly.search.embedders import open_embedders
from sanya.engines.embedders.cache import CachedEmbedder
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.store import IndexStore
from sanya.retrieval.documents import DocumentText
from sanya.retrieval.index import JoinedTerms, WeightedTerms
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import SearchLanguage, TermReader
from sanya.suites.herbs.evaluation.measures import compute_mean, compute_recall
from sanya.suites.herbs.evaluation.question_set import EvaluationQuestion, filter_answerable, load_curated
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.mentions import Gazetteer, NameMention
from sanya.suites.herbs.questions.question import parse_question
from sanya.suites.herbs.search.index import IndexedGraph, SearchIndex
from sanya.suites.herbs.search.ranking import HitFilter, search
from sanya.text.normalisation import to_search_form
from sanya.text.segmentation import get_default_segmenter

LEAST_RECALL, LEAST_GAIN = 0.90, 0.25
DEPTH = 10


def run() -> Result:
    """Compare recall@10 with its goal: 0.90, and 0.25 above the search without segmentation."""
    figures = asyncio.run(measure())
    needed = max(LEAST_RECALL, figures["unsegmented"]["all"] + LEAST_GAIN)
    return judge_ratio("herbs_search", figures["ours"]["all"], needed, (">=", 1.0))


async def measure() -> dict[str, dict[str, float]]:
    with TemporaryDirectory() as home:
        async with sanya.app.open(home) as app:
            ours = await SearchIndex(HerbStore(app.database), app.library).prepare()
            figures = {"ours": await measure_recalls(ours)}
            async with open_embedders(app.settings) as embedders:
                store = IndexStore(app.database)
                cached = {space: CachedEmbedder(embedder, store) for space, embedder in embedders.items()}
                reader = Unsegmented(get_default_segmenter(), load_general_lexicon())
                async with open_embedded(app.database, Path(home) / "unsegmented", reader.read_document) as index:
                    figures["unsegmented"] = await measure_recalls(
                        replace(ours, library=Library(index, reader, cached), gazetteer=Nameless(ours.graph.names))
                    )
    print(f"{'R@10':14}" + "".join(f"{part:>22}" for part in figures["ours"]))
    for name, recalls in figures.items():
        print(f"{name:14}" + "".join(f"{value:>22.3f}" for value in recalls.values()), flush=True)
    return figures


async def measure_recalls(indexed: IndexedGraph) -> dict[str, float]:
    found = [(question, await measure_recall(indexed, question)) for question in filter_answerable(load_curated())]
    parts: dict[str, Any] = {
        "all": lambda question: True,
        "Thai": lambda question: question.language == "th",
        "English": lambda question: question.language == "en",
        "development": lambda question: question.split == "development",
        "held out": lambda question: question.split == "held_out",
    }
    return {
        name: compute_mean(value for question, value in found if belongs(question)) for name, belongs in parts.items()
    }


async def measure_recall(indexed: IndexedGraph, question: EvaluationQuestion) -> float:
    asked = parse_question(question.text, "auto", indexed.graph, indexed.gazetteer)
    hits = await search(indexed, asked, HitFilter(), DEPTH)
    return compute_recall([hit.unit for hit in hits], question.relevant, DEPTH)


class Unsegmented(TermReader):
    """Term reader that splits text at spaces only."""

    def split_words(self, text: str) -> list[str]:
        return to_search_form(text).split()

    def read_document(self, texts: Sequence[DocumentText], language: str) -> dict[str, JoinedTerms]:
        words = [f" {word}" for text in texts for word in self.split_words(text.value) * text.weight]
        return {"words": JoinedTerms("".join(words), len(words))}

    def read_query(self, query: str, documents: SearchLanguage, also: Sequence[str] = ()) -> WeightedTerms:
        return {"words": dict.fromkeys(self.split_words(query), 1.0)}


class Nameless(Gazetteer):
    """Gazetteer that finds no names, because it knows no word boundaries."""

    def find(self, text: str) -> list[NameMention]:
        return []


if __name__ == "__main__":
    print(run())
