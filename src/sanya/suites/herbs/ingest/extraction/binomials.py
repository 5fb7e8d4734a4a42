"""Latin plant names by their form: a genus, a species, and perhaps the author.

The gazetteer finds names that the graph knows. This module finds those that it does not know yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sanya.suite.text import ENGLISH_STOP_WORDS, Span
from sanya.suites.herbs.questions.mentions import is_english_word
from sanya.suites.herbs.questions.unknown_names import is_ordinary

_BINOMIAL = re.compile(r"(?<![A-Za-z.])([A-Z][a-z]{3,20})\s([a-z]{3,20}(?:-[a-z]{2,15})?)(?![A-Za-z-])")
_EPITHET_ENDING = re.compile(r"(?:a|um|us|is|e|i|ii|ae|ens|ans|or|on|es|oides|x|men|rum)$")
# An author is in brackets, abbreviated, or one of those whose names are mostly written in full.
_AUTHOR_NAME = (
    r"(?:[A-Z][\w'’-]*\.(?:\s?f\.)?"
    r"|(?:Roscoe|Linn|Blume|Wall|Baker|Valeton|Craib|Merrill|Nees|Miers|Kurz|Pierre|Ridley)(?![a-z]))"
)
_AUTHOR = re.compile(
    rf"\s+(?:\((?:[A-Z][\w.'’&\s-]{{0,40}})\)\s*(?:{_AUTHOR_NAME})?|(?:{_AUTHOR_NAME}))"
    rf"(?:\s?(?:&|ex|et)\s?{_AUTHOR_NAME})*",
    re.UNICODE,
)
# An author in full: "Linnaeus", "(Linnaeus) Mansfeld", "Wallich ex Nees", "Hooker f. & Thomson", "de Candolle".
_FULL_NAME = r"(?:(?:de|van|von|da)\s)?(?:[A-Z]\.\s?)*[A-Z][a-zà-ÿ'’-]{2,20}(?:\s(?:f\.|fil\.|bis))?"
_FULL_AUTHOR = re.compile(
    rf"\s+(?:\([A-Z][\w.'’&\s-]{{0,40}}\)\s*)?(?:{_AUTHOR_NAME}|({_FULL_NAME}))"
    rf"(?:\s?(?:&|ex|et)\s?(?:{_AUTHOR_NAME}(?!\s[A-Z])|{_FULL_NAME}))*",
    re.UNICODE,
)
_INTRODUCTION = re.compile(r"(?:ชื่อวิทยาศาสตร์|ชื่อพฤกษศาสตร์|(?i:scientific name|botanical name))[\s:(]*$")
_OPENING_BRACKET = re.compile(r"[(（]\s*$")
_CONTEXT_BEFORE = 30


@dataclass(frozen=True, slots=True)
class Binomial:
    span: Span
    """Without the author, as the graph stores names."""
    end: int
    """The end of the author."""
    is_certain: bool
    """True where an author or the words "scientific name" stand beside it."""

    def read_from(self, text: str) -> str:
        return self.span.slice(text)


def find_binomials(text: str) -> Iterator[Binomial]:
    for match in _BINOMIAL.finditer(text):
        genus, species = match.groups()
        if genus.lower() in ENGLISH_STOP_WORDS or not _EPITHET_ENDING.search(species):
            continue
        before = text[max(0, match.start() - _CONTEXT_BEFORE) : match.start()]
        author = _match_author(text, match.end())
        # Genus names have become English words; species names hardly ever have, unless an author stands behind them.
        if author is None and is_english_word(species):
            continue
        is_certain = author is not None or _INTRODUCTION.search(before) is not None
        if is_certain or _OPENING_BRACKET.search(before):
            yield Binomial(Span(*match.span()), author.end() if author else match.end(), is_certain)


def _match_author(text: str, at: int) -> re.Match[str] | None:
    """Return the author that stands at an offset. An everyday word is none: "Curcuma longa Extract"."""
    full = _FULL_AUTHOR.match(text, at)
    if full is not None and full[1] and is_ordinary(full[1].lower()):
        full = None
    found = [match for match in (full, _AUTHOR.match(text, at)) if match is not None]
    return max(found, key=lambda match: match.end(), default=None)
