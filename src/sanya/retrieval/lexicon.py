"""Words of one language in the other: the names that a caller brings, and a general lexicon made from two WordNets
(LEXICON-LICENSE.txt). Thai phrases are found by the words they are segmented into."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sanya.text.english import english_words
from sanya.text.normalisation import search_form

_MOST_WORDS = 4
_MOST_TRANSLATIONS = 10
_NAME_WEIGHT = 3.0
# Prefixes that make nouns; a verb's or adjective's translation serves the noun as well.
_NOUN_PREFIXES = ("การ", "ความ")

Translation = tuple[str, float]


@dataclass(frozen=True)
class Lexicon:
    """From a normalised word or phrase to its translations, best first, the best with weight 1."""

    thai: dict[str, tuple[Translation, ...]]
    english: dict[str, tuple[Translation, ...]]
    """Keyed by stems, joined by blanks."""

    def extended(self, names: Iterable[tuple[str, str]]) -> Lexicon:
        """A lexicon that also knows pairs of a Thai and an English name; this one stays as it is."""
        thai, english = dict(self.thai), dict(self.english)
        for thai_name, english_name in names:
            written, spoken = search_form(thai_name).replace(" ", ""), search_form(english_name)
            thai[written] = _ranked([(spoken, _NAME_WEIGHT), *thai.get(written, ())])
            stems = stem_phrase(spoken)
            english[stems] = _ranked([(written, _NAME_WEIGHT), *english.get(stems, ())])
        return Lexicon(thai, english)

    def thai_phrases(self, words: Sequence[str]) -> list[str]:
        """Neighbouring words joined wherever the lexicon knows them together, the longest first."""
        return _longest(words, "", self.thai)

    def english_phrases(self, stems: Sequence[str]) -> list[str]:
        return _longest(stems, " ", self.english)

    def from_thai(self, phrase: str) -> tuple[Translation, ...]:
        found = self.thai.get(phrase)
        for prefix in _NOUN_PREFIXES:
            if found is None and phrase.startswith(prefix):
                found = self.thai.get(phrase.removeprefix(prefix))
        return found or ()

    def from_english(self, stems: str) -> tuple[Translation, ...]:
        return self.english.get(stems, ())


def stem_phrase(english: str) -> str:
    return " ".join(english_words(english))


@cache
def general_lexicon() -> Lexicon:
    """Read when first needed: about half a second, once."""
    thai: dict[str, tuple[Translation, ...]] = {}
    english: dict[str, dict[str, float]] = {}
    packed = (files("sanya.retrieval") / "lexicon.tsv.gz").read_bytes()
    for line in gzip.decompress(packed).decode("utf-8").splitlines():
        word, *pairs = line.split("\t")
        translations = [(text, float(weight)) for text, _, weight in (pair.partition("|") for pair in pairs)]
        thai[word] = _ranked(translations)
        for text, weight in translations:
            known = english.setdefault(text, {})
            known[word] = max(weight, known.get(word, 0.0))
    return Lexicon(thai, _by_stem(english))


def _by_stem(english: dict[str, dict[str, float]]) -> dict[str, tuple[Translation, ...]]:
    stemmed: dict[str, dict[str, float]] = {}
    for text, words in english.items():
        known = stemmed.setdefault(stem_phrase(text), {})
        for word, weight in words.items():
            known[word] = max(weight, known.get(word, 0.0))
    return {stems: _ranked(words.items()) for stems, words in stemmed.items() if stems}


def _ranked(translations: Iterable[Translation]) -> tuple[Translation, ...]:
    best = sorted(translations, key=lambda one: (-one[1], one[0]))[:_MOST_TRANSLATIONS]
    return tuple((text, weight / best[0][1]) for text, weight in best)


def _longest(words: Sequence[str], joiner: str, known: dict[str, tuple[Translation, ...]]) -> list[str]:
    phrases: list[str] = []
    at = 0
    while at < len(words):
        length = next((n for n in range(_MOST_WORDS, 1, -1) if joiner.join(words[at : at + n]) in known), 1)
        phrases.append(joiner.join(words[at : at + length]))
        at += length
    return phrases
