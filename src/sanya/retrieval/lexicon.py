"""Translations of words and phrases between Thai and English: names that a caller adds, and a general lexicon made from
two WordNets (LEXICON-LICENSE.txt). Thai phrases are found by the words they are segmented into."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sanya.text.english import extract_english_words
from sanya.text.normalisation import to_search_form

_MOST_WORDS = 4
_MOST_TRANSLATIONS = 10
_NAME_WEIGHT = 3.0
# Prefixes that turn a verb or an adjective into a noun; the translation of the stem serves the noun as well.
_NOUN_PREFIXES = ("การ", "ความ")

Translation = tuple[str, float]


class _Packed(Mapping[str, tuple[Translation, ...]]):
    """Entries that are parsed only when looked up: of tens of thousands, a query needs a few."""

    def __init__(self, lines: dict[str, str]) -> None:
        self._lines = lines

    def __getitem__(self, key: str) -> tuple[Translation, ...]:
        pairs = (pair.partition("|") for pair in self._lines[key].split("\t"))
        return _rank_translations((text, float(weight)) for text, _, weight in pairs)

    def __contains__(self, key: object) -> bool:
        return key in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


Entries = Mapping[str, tuple[Translation, ...]]


class _Layered(Mapping[str, tuple[Translation, ...]]):
    """A mapping over another one, which is neither copied nor changed."""

    def __init__(self, upper: Entries, lower: Entries) -> None:
        self._upper = upper
        self._lower = lower

    def __getitem__(self, key: str) -> tuple[Translation, ...]:
        return self._upper[key] if key in self._upper else self._lower[key]

    def __contains__(self, key: object) -> bool:
        return key in self._upper or key in self._lower

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._lower), **dict.fromkeys(self._upper)})

    def __len__(self) -> int:
        return len(self._lower) + sum(key not in self._lower for key in self._upper)


@dataclass(frozen=True)
class Lexicon:
    """Maps a normalised word or phrase to its translations, best first; the best has weight 1."""

    thai: Entries
    english: Entries
    """Keyed by stems joined with blanks."""

    def extend(self, names: Iterable[tuple[str, str]]) -> Lexicon:
        """Return a lexicon that also knows these pairs of a Thai and an English name; this one does not change."""
        thai: dict[str, tuple[Translation, ...]] = {}
        english: dict[str, tuple[Translation, ...]] = {}
        for thai_name, english_name in names:
            written, spoken = to_search_form(thai_name).replace(" ", ""), to_search_form(english_name)
            thai[written] = _rank_translations(
                [(spoken, _NAME_WEIGHT), *(thai.get(written) or self.thai.get(written, ()))]
            )
            stems = stem_phrase(spoken)
            english[stems] = _rank_translations(
                [(written, _NAME_WEIGHT), *(english.get(stems) or self.english.get(stems, ()))]
            )
        return Lexicon(_Layered(thai, self.thai), _Layered(english, self.english))

    def find_thai_phrases(self, words: Sequence[str]) -> list[str]:
        """Join neighbouring words wherever the lexicon knows the phrase, longest match first."""
        return _match_longest(words, "", self.thai)

    def find_english_phrases(self, stems: Sequence[str]) -> list[str]:
        return _match_longest(stems, " ", self.english)

    def translate_thai(self, phrase: str) -> tuple[Translation, ...]:
        translations = self.thai.get(phrase)
        for prefix in _NOUN_PREFIXES:
            if translations is None and phrase.startswith(prefix):
                translations = self.thai.get(phrase.removeprefix(prefix))
        return translations or ()

    def translate_english(self, stems: str) -> tuple[Translation, ...]:
        return self.english.get(stems, ())


def stem_phrase(english: str) -> str:
    return " ".join(extract_english_words(english))


@cache
def load_general_lexicon() -> Lexicon:
    """Load the general lexicon, once: it takes a tenth of a second. The English side is the Thai one inverted, by
    stems."""
    return Lexicon(_load_packed("lexicon.tsv.gz"), _load_packed("lexicon_english.tsv.gz"))


def _load_packed(name: str) -> _Packed:
    text = gzip.decompress((files("sanya.retrieval") / name).read_bytes()).decode("utf-8")
    entries = (line.partition("\t") for line in text.split("\n") if line)
    return _Packed({word: pairs for word, _, pairs in entries})


def _rank_translations(translations: Iterable[Translation]) -> tuple[Translation, ...]:
    best = sorted(translations, key=lambda translation: (-translation[1], translation[0]))[:_MOST_TRANSLATIONS]
    return tuple((text, weight / best[0][1]) for text, weight in best)


def _match_longest(words: Sequence[str], joiner: str, known: Entries) -> list[str]:
    phrases: list[str] = []
    at = 0
    while at < len(words):
        length = next((n for n in range(_MOST_WORDS, 1, -1) if joiner.join(words[at : at + n]) in known), 1)
        phrases.append(joiner.join(words[at : at + length]))
        at += length
    return phrases
