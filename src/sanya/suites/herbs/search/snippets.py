"""The sentence of a hit that best shows why it was found."""

from __future__ import annotations

from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.questions.question import ParsedQuestion
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import RankedHit

_MAX_CHARACTERS = 300


def choose_fact(indexed: IndexedGraph, question: ParsedQuestion, hit: RankedHit) -> HerbFact:
    """Return the fact that names most of what the question names, then the one that shares most of its words."""
    question_words = set(indexed.library.reader.extract_words(question.text))

    def score_fact(fact: HerbFact) -> tuple[int, int]:
        named = sum(1 for node_id in fact.objects if node_id in question.named)
        return named, len(question_words & indexed.tokenize(fact.get_sentence(hit.passage.lang)))

    about = indexed.facts.by_subject.get(hit.passage.about, ())
    named = [fact for fact in about if not question.named.keys().isdisjoint(fact.objects)]
    return max((*hit.facts, *named), key=score_fact)


def format_snippet(fact: HerbFact, lang: str) -> str:
    text = fact.get_sentence(lang)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"
