"""Translations of words and phrases between Thai and English: names that a caller adds, and a general lexicon made from
two WordNets (LEXICON-LICENSE.txt). Thai phrases are found by the words they are segmented into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from isal import igzip

from sanya.text.english import extract_english_words
from sanya.text.normalisation import to_search_form

_MOST_WORDS = 4
_MOST_TRANSLATIONS = 10
_NAME_WEIGHT = 3.0
# Prefixes that turn a verb or an adjective into a noun; the translation of the stem serves the noun as well.
_NOUN_PREFIXES = ("การ", "ความ")

Translation = tuple[str, float]


class _Packed(Mapping[str, tuple[Translation, ...]]):
    """Entries of a file that is read at the first lookup, as questions in one language need one of the two. An entry is
    parsed when it is looked up: of tens of thousands, a query needs a few."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _lines(self) -> dict[str, str]:
        packed = (files("sanya.retrieval") / self._name).read_bytes()
        text = igzip.decompress(packed).decode("utf-8")  # type: ignore[no-untyped-call]
        entries = (line.partition("\t") for line in text.split("\n") if line)
        return {word: pairs for word, _, pairs in entries}

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


class _Named(Mapping[str, tuple[Translation, ...]]):
    """Names over another mapping, which is neither copied nor changed. Translations are ranked when looked up."""

    def __init__(self, names: Mapping[str, Sequence[str]], lower: Entries) -> None:
        self._names = names
        self._lower = lower
        self._ranked: dict[str, tuple[Translation, ...]] = {}

    def __getitem__(self, key: str) -> tuple[Translation, ...]:
        if key not in self._names:
            return self._lower[key]
        if key not in self._ranked:
            self._ranked[key] = self._rank(key)
        return self._ranked[key]

    def _rank(self, key: str) -> tuple[Translation, ...]:
        ranked = self._lower.get(key, ())
        for name in self._names[key]:
            ranked = _rank_translations([(name, _NAME_WEIGHT), *ranked])
        return ranked

    def __contains__(self, key: object) -> bool:
        return key in self._names or key in self._lower

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._lower), **dict.fromkeys(self._names)})

    def __len__(self) -> int:
        return len(self._lower) + sum(key not in self._lower for key in self._names)


@dataclass(frozen=True)
class Lexicon:
    """Maps a normalised word or phrase to its translations, best first; the best has weight 1."""

    thai: Entries
    english: Entries
    """Keyed by stems joined with blanks."""

    def extend(self, names: Iterable[tuple[str, str]]) -> Lexicon:
        """Return a lexicon that also knows these pairs of a Thai and an English name; this one does not change."""
        thai: dict[str, list[str]] = {}
        english: dict[str, list[str]] = {}
        # A node with five Thai and twenty foreign names gives a hundred pairs, so each name is read once.
        write_thai, write_english = cache(_write_thai), cache(to_search_form)
        stem = cache(stem_phrase)
        for thai_name, english_name in names:
            written, spoken = write_thai(thai_name), write_english(english_name)
            thai.setdefault(written, []).append(spoken)
            english.setdefault(stem(spoken), []).append(written)
        return Lexicon(_Named(thai, self.thai), _Named(english, self.english))

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


def _write_thai(name: str) -> str:
    return to_search_form(name).replace(" ", "")


def stem_phrase(english: str) -> str:
    return " ".join(extract_english_words(english))


@cache
def load_general_lexicon() -> Lexicon:
    """Return the general lexicon. The English side is the Thai one inverted, by stems."""
    return Lexicon(_Packed("lexicon.tsv.gz"), _Packed("lexicon_english.tsv.gz"))


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
