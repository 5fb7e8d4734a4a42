"""Puts back the mark of a single name or word of warning on a page that is sound otherwise: "แพจ้มูก" for "แพ้จมูก".

A page where most marks stand behind the next consonant is repaired when it is read, by the dictionary. One such word
among sound ones gives no sign of that, and the half of a name is often a word. But a name of the graph with its marks
behind the next consonant is a name of nothing, so its exact letters tell it. Nothing else is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from sanya.suite.text import has_thai, load_general_words, load_known_words, normalise
from sanya.suites.herbs.pattern_tables import read_pattern_table

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_MARK = re.compile("([\u0e47-\u0e4c])([\u0e01-\u0e2e])")
_MIN_LENGTH = 5
_MAX_MARKS = 3
_WORDS = read_pattern_table("sanya.suites.herbs.ingest.extraction", "misplaced_marks.toml")


class MarkRestorer:
    """The names of a graph and the words of warnings, by their letters with misplaced marks."""

    def __init__(self, names: Iterable[str]) -> None:
        from ahocorasick_rs import AhoCorasick, MatchKind

        sound = {normalise(name) for name in names if has_thai(name)}
        words = [*sound, *_WORDS["warnings"]["words"].split("|")]
        known = sound | load_general_words() | load_known_words()
        self._names = {form: word for word in words for form in list_misplaced(word) if form not in known}
        self._forms = sorted(self._names)
        self._finder: AhoCorasick = AhoCorasick(self._forms, matchkind=MatchKind.LeftmostLongest)

    def restore(self, text: str) -> str:
        """Return the text with the marks of these names put back."""
        pieces, at = [], 0
        for index, start, end in self._finder.find_matches_as_indexes(text):
            pieces += [text[at:start], self._names[self._forms[index]]]
            at = end
        return "".join((*pieces, text[at:])) if pieces else text


def list_misplaced(word: str) -> Iterator[str]:
    """Yield the letters of a word with some of its marks behind the next consonant. A short word has too few letters to
    be told by them."""
    marks = list(_MARK.finditer(word))
    if len(word) < _MIN_LENGTH or not marks:
        return
    counts = range(1, len(marks) + 1) if len(marks) <= _MAX_MARKS else (1, len(marks))
    for count in counts:
        for moved in combinations(marks, count):
            yield _move(word, moved)


def _move(word: str, moved: Iterable[re.Match[str]]) -> str:
    letters = list(word)
    for match in moved:
        letters[match.start()], letters[match.start() + 1] = match[2], match[1]
    return normalise("".join(letters))  # a tone and a vowel on one letter have an order
