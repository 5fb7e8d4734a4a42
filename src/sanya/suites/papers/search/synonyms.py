"""Finds synonyms of the concepts that a query names.

The table `synonyms.txt` is kept by hand; the setting `papers_synonyms` names a file that adds to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from sanya.suite.text import fold, has_thai
from sanya.suites.papers.indexing.name_folding import fold_name, fold_name_cached

_EXACTLY = "="
_SHORT = 3
_MOST_WORDS = 8
_MOST_NAMES = 24
_WORD = re.compile(r"[^\s,;:()\[\]\"?!]+")

Concept = tuple[str, ...]


class Synonyms:
    """A table of concepts; each concept is the tuple of its names."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._concepts = list(concepts)
        self._phrases: dict[str, int | None] = {}
        self._exact: dict[str, int | None] = {}
        self._thai: dict[str, int | None] = {}
        self._first_words: set[str] = set()
        for number, concept in enumerate(self._concepts):
            for name in concept:
                self._add_name(name, number)

    def __len__(self) -> int:
        return len(self._concepts)

    def _add_name(self, name: str, number: int) -> None:
        bare = name.removeprefix(_EXACTLY)
        if has_thai(bare):
            table, key = self._thai, fold(bare)
        elif bare != name or len(bare) <= _SHORT:
            table, key = self._exact, bare
        else:
            table, key = self._phrases, fold_name_cached(bare)
            self._first_words.add(key.partition(" ")[0])
        # A name of two concepts is ambiguous and stands for neither.
        table[key] = number if table.get(key, number) == number else None

    def find_other_names(self, query: str) -> tuple[str, ...]:
        """Return names of the query's concepts that are not in the query itself, in the order of the query."""
        other_names: list[str] = []
        folded_query = f" {fold_name(query)} "
        for number in dict.fromkeys(self._find_concepts(query)):
            names = [name.removeprefix(_EXACTLY) for name in self._concepts[number]]
            other_names += [name for name in names if f" {fold_name_cached(name)} " not in folded_query]
        return tuple(dict.fromkeys(other_names))[:_MOST_NAMES]

    def _find_concepts(self, query: str) -> Iterator[int]:
        words = _WORD.findall(query)
        place = 0
        while place < len(words):
            length, number = self._match_longest(words[place : place + _MOST_WORDS])
            if number is not None:
                yield number
            place += length
        if has_thai(query):
            yield from self._find_thai_concepts(fold(query))

    def _match_longest(self, words: list[str]) -> tuple[int, int | None]:
        """Match the longest name at the beginning of the words; return its length in words and its concept."""
        if self._may_begin(fold_name(words[0])):
            parts = [fold_name(word) for word in words]
            for length in range(len(words), 0, -1):
                key = " ".join(filter(None, parts[:length]))
                for form in (key, key.removesuffix("s")):
                    if self._phrases.get(form) is not None:
                        return length, self._phrases[form]
        return 1, self._exact.get(words[0])

    def _may_begin(self, word: str) -> bool:
        """Return whether any name begins with this word; most words of a query begin none."""
        first = word.partition(" ")[0]
        return first in self._first_words or first.removesuffix("s") in self._first_words

    def _find_thai_concepts(self, query: str) -> Iterator[int]:
        """Yield concepts by their Thai names.

        Thai has no blanks between words, so longer names are matched first and removed from the query: ความดันโลหิตสูง
        contains shorter names.
        """
        for name in sorted(self._thai, key=len, reverse=True):
            number = self._thai[name]
            if number is not None and name in query:
                query = query.replace(name, " ")
                yield number


@cache
def load_concepts() -> tuple[Concept, ...]:
    return tuple(read_concepts(files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8")))


def read_concepts(text: str) -> Iterator[Concept]:
    """Yield a concept for each line; `|` separates names. Raises ValueError for a line with a single name."""
    for number, line in enumerate(text.splitlines(), start=1):
        names = tuple(name.strip() for name in line.split("|") if name.strip())
        if not names or line.lstrip().startswith("#"):
            continue
        if len(names) < 2:
            raise ValueError(f"line {number} has a single name; write: preferred name|other name|other name")
        yield names


def merge_concepts(concepts: Iterable[Concept], more: Iterable[Concept]) -> list[Concept]:
    """Merge concepts that have the same preferred name."""
    merged: dict[str, Concept] = {}
    for concept in (*concepts, *more):
        key = fold_name_cached(concept[0])
        merged[key] = tuple(dict.fromkeys((*merged.get(key, ()), *concept)))
    return list(merged.values())
