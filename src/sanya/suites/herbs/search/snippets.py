"""The sentence of a passage that shows best why it was found."""

from __future__ import annotations

from sanya.suites.herbs.facts.fact import Fact
from sanya.suites.herbs.questions.question import Asked
from sanya.suites.herbs.search.index import Searchable
from sanya.suites.herbs.search.ranking import Ranked

_MOST_CHARACTERS = 300


def best_fact(searchable: Searchable, asked: Asked, hit: Ranked) -> Fact:
    """The one that is about most of what the query names, then the one that has most of its words."""
    own = set(searchable.library.reader.words(asked.text))

    def worth(fact: Fact) -> tuple[int, int]:
        named = sum(1 for one in fact.objects if one in asked.named)
        return named, len(own & searchable.words_of(fact.said_in(hit.passage.lang)))

    return max(hit.facts, key=worth)


def snippet(fact: Fact, lang: str) -> str:
    text = fact.said_in(lang)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
