"""Translations of words and phrases between Thai and English: names that a caller adds, and a general lexicon made from
two WordNets (LEXICON-LICENSE.txt). Thai phrases are found by the words they are segmented into."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple

from isal import igzip

from sanya.text.english import extract_english_words
from sanya.text.normalisation import to_search_form

_MOST_WORDS = 4
_MOST_TRANSLATIONS = 10
_NAME_WEIGHT = 3.0
# Prefixes that turn a verb or an adjective into a noun; the translation of the stem serves the noun as well.
_NOUN_PREFIXES = ("การ", "ความ")

_COLUMN_END = "\f"
_ENCODING = "cp874"
"""Thai in one byte a letter, which packs a sixth smaller than UTF-8. Other letters are written as \\uXXXX."""
_OTHER_LETTER = re.compile("[^\\x00-\\x7f\u0e01-\u0e3a\u0e3f-\u0e5b]")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")

Translation = tuple[str, float]


class _Packed(Mapping[str, tuple[Translation, ...]]):
    """Entries of a file that is read at the first lookup, as questions in one language need one of the two. A line of
    translations is parsed when its word is looked up: of tens of thousands, a query needs a few."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _lines(self) -> dict[str, str]:
        return read_packed((files("sanya.retrieval") / self._name).read_bytes())

    def __getitem__(self, key: str) -> tuple[Translation, ...]:
        pairs = (pair.partition("|") for pair in self._lines[key].split("\t"))
        return _rank_translations((text, float(weight)) for text, _, weight in pairs)

    def __contains__(self, key: object) -> bool:
        return key in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def pack_lines(lines: Mapping[str, str]) -> bytes:
    """Pack all words, a line each, then their translations, a line each."""
    text = "\n".join(lines) + _COLUMN_END + "\n".join(lines.values())
    escaped = _OTHER_LETTER.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return gzip.compress(escaped.encode(_ENCODING), mtime=0)


def read_packed(packed: bytes) -> dict[str, str]:
    """Return the line of translations of each word."""
    text = igzip.decompress(packed).decode(_ENCODING)  # type: ignore[no-untyped-call]
    words, _, translations = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text).partition(_COLUMN_END)
    return dict(zip(words.split("\n"), translations.split("\n"), strict=True))


Entries = Mapping[str, tuple[Translation, ...]]


class _Forms(NamedTuple):
    """Functions that write the names of one direction: those that are looked up, and their translations."""

    write_key: Callable[[str], str]
    write_translation: Callable[[str], str]


class _Named(Mapping[str, tuple[Translation, ...]]):
    """Names over another mapping, which is neither copied nor changed. `pairs` are the names to look up, each with a
    translation. Nothing is read before the first lookup: a question in one language needs one direction of the two.
    Translations are written as they are searched, and ranked, when they are looked up."""

    def __init__(self, pairs: Sequence[tuple[str, str]], lower: Entries, forms: _Forms) -> None:
        self._pairs = pairs
        self._lower = lower
        self._forms = forms
        self._ranked: dict[str, tuple[Translation, ...]] = {}

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        # A node with five Thai and twenty foreign names gives a hundred pairs, so each name is read once.
        write_key = cache(self._forms.write_key)
        names: dict[str, list[str]] = {}
        for name, translation in self._pairs:
            names.setdefault(write_key(name), []).append(translation)
        return names

    def __getitem__(self, key: str) -> tuple[Translation, ...]:
        if key not in self._names:
            return self._lower[key]
        if key not in self._ranked:
            self._ranked[key] = self._rank(key)
        return self._ranked[key]

    def _rank(self, key: str) -> tuple[Translation, ...]:
        ranked = self._lower.get(key, ())
        for name in self._names[key]:
            ranked = _rank_translations([(self._forms.write_translation(name), _NAME_WEIGHT), *ranked])
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
        pairs = list(names)
        inverted = [(english, thai) for thai, english in pairs]
        return Lexicon(
            _Named(pairs, self.thai, _Forms(_write_thai, to_search_form)),
            _Named(inverted, self.english, _Forms(_stem_name, _write_thai)),
        )

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


def _stem_name(english: str) -> str:
    return stem_phrase(to_search_form(english))


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
