"""Latin names by their form: a genus, a species, perhaps who described it. A known one is found by its letters; this is
for those that the graph does not know yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sanya.suites.herbs.questions.mentions import is_english
from sanya.text.english import STOP_WORDS
from sanya.text.spans import Span

_BINOMIAL = re.compile(r"(?<![A-Za-z.])([A-Z][a-z]{3,20})\s([a-z]{3,20}(?:-[a-z]{2,15})?)(?![A-Za-z-])")
_LATIN_END = re.compile(
    r"(?:a|um|us|is|e|i|ii|ae|ens|ans|or|on|es|oides|x|men|rum)$"  # how epithets end
)
# Who described it: in brackets, shortened, or one of those whose names are mostly written out.
_ONE = (
    r"(?:[A-Z][\w'’-]*\.(?:\s?f\.)?|Roscoe|Linn|Blume|Wall|Baker|Valeton|Craib|Merrill|Nees|Miers|Kurz|Pierre|Ridley)"
)
_AUTHOR = re.compile(
    rf"\s+(?:\((?:[A-Z][\w.'’&\s-]{{0,40}})\)\s*(?:{_ONE})?|(?:{_ONE}))(?:\s?(?:&|ex|et)\s?{_ONE})*", re.UNICODE
)
_INTRODUCED = re.compile(r"(?:ชื่อวิทยาศาสตร์|ชื่อพฤกษศาสตร์|(?i:scientific name|botanical name))[\s:(]*$")
_BRACKET = re.compile(r"[(（]\s*$")
_BEFORE = 30


@dataclass(frozen=True, slots=True)
class Binomial:
    span: Span
    """Without the author, as names are kept."""
    end: int
    """Behind the author."""
    is_sure: bool
    """An author or the word "scientific name" stands by it."""

    def of(self, text: str) -> str:
        return self.span.of(text)


def binomials(text: str) -> Iterator[Binomial]:
    for match in _BINOMIAL.finditer(text):
        genus, species = match.groups()
        # Names of genera have become English words; those of species hardly ever have.
        if genus.lower() in STOP_WORDS or not _LATIN_END.search(species) or is_english(species):
            continue
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        author = _AUTHOR.match(text, match.end())
        is_sure = author is not None or _INTRODUCED.search(before) is not None
        if is_sure or _BRACKET.search(before):
            yield Binomial(Span(*match.span()), author.end() if author else match.end(), is_sure)
