"""Sentence splitting for English and Thai. No cut falls inside a quantity, an abbreviation, a bracket or an address."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sanya.text.quantities import find_quantities
from sanya.text.spans import Span, build_spans
from sanya.text.thai_sentences import find_thai_cuts, has_final_abbreviation

# `fast_cuts.pyx` implements the same rules: change both.
_CLOSERS = "\"'”’»)\\]"
_PARAGRAPH = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_LIST_ITEM = re.compile(r"\n[ \t]*(?=(?:[-*•·]|[0-9]{1,2}[.)]|\([0-9a-z]{1,2}\))\s)")
# A final stop, perhaps a citation number right behind it, then a blank and a character that can begin a sentence.
_CITED = r"(?:\[[0-9][0-9,;–\- ]{0,30}\]|(?<=[^\W\d_][.!?])[0-9]{1,3}(?:[,–-][0-9]{1,3}){0,5}(?![0-9]))?"
# The pattern begins with a set of single characters, so the engine skips all others in one step.
_TERMINAL = re.compile(rf"([.!?…][.!?…]*)[{_CLOSERS}]*{_CITED}(?=(\s+)(\S))")
_WIDE_TERMINAL = re.compile(r"[。！？][。！？]*(?=(\s*)\S)")
_BEGINNING = re.compile(r"[^\Wa-z_]|[\"'“‘«(\[<>≤≥±~+\-–•*#]")
_LETTER = re.compile(r"[^\W\d_]")
_BEFORE_WORD = re.compile(r"[\s(\[\"“‘]")
_BRACKETS_AND_LINKS = (
    r"\((?:[^()\n]|\([^()\n]{0,100}\)){0,400}\)|\[[^\[\]\n]{0,200}\]|“[^”\n]{0,300}”"
    r"|https?://\S+|www\.\S+|doi:\s?\S+"
)
_UNBROKEN = re.compile(_BRACKETS_AND_LINKS)
# Searching for e-mail addresses takes longer than for all the others together, and few texts have one.
_UNBROKEN_WITH_ADDRESSES = re.compile(
    rf"{_BRACKETS_AND_LINKS}|(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,4}}"
)

_ABBREVIATIONS = """
    e.g i.e vs cf viz fig figs eq eqs ref refs no nos vol vols pp p ca approx dr prof mr mrs ms st sr jr al sp spp var
    subsp ssp cv resp incl max min temp conc suppl tab sec ch ed eds dept univ art gen col lt sgt capt rev hon gov est
    ver i.v i.p i.m s.c p.o a.m p.m u.s u.k ph.d m.d b.sc m.sc d.c n.b q.v op cit ibid et
"""
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
# "vitamin C." may end a sentence; "A. paniculata" and "J. Smith" do not.
_KIND_LETTER = re.compile(
    r"(?:vitamin|hepatitis|type|group|grade|class|factor|protein|influenza|phase|arm|panel|figure|table|coenzyme|"
    r"cyclosporine?|plan|part|appendix|stage|cohort|site|strain|serotype)s?\s+(?:[A-Z]\s+and\s+)?[A-Z]$",
    re.IGNORECASE,
)


def split_sentences(text: str, quantities: Sequence[Span] | None = None) -> list[Span]:
    """Return the sentences. They cover the text exactly; a blank between two belongs to the first. A caller that knows
    the quantities passes them in."""
    unbroken = _Unbroken(text, find_quantities(text) if quantities is None else quantities)
    cuts = {match.end() for pattern in (_PARAGRAPH, _LIST_ITEM) for match in pattern.finditer(text)}
    cuts.update(cut for cut in _find_english_cuts(text) if not unbroken.is_inside(cut))
    cuts.update(cut for cut in find_thai_cuts(text, sorted(cuts)) if not unbroken.is_inside(cut))
    return build_spans(_drop_cuts_without_letters(text, sorted(cuts)), len(text))


class _Unbroken:
    """The spans inside which no cut may fall."""

    def __init__(self, text: str, quantities: Sequence[Span]) -> None:
        pattern = _UNBROKEN_WITH_ADDRESSES if "@" in text else _UNBROKEN
        spans = sorted([*(Span(*match.span()) for match in pattern.finditer(text)), *quantities])
        self._starts = [span.start for span in spans]
        self._reach = list(accumulate((span.end for span in spans), max))

    def is_inside(self, cut: int) -> bool:
        before = bisect_right(self._starts, cut - 1) - 1
        return before >= 0 and self._reach[before] > cut


def _drop_cuts_without_letters(text: str, cuts: list[int]) -> list[int]:
    """Drop cuts behind signs and digits alone ("2. "), which belong to what follows."""
    kept = []
    scanned = 0
    for cut in cuts:
        if _LETTER.search(text, scanned, cut):
            kept.append(cut)
        scanned = cut
    return kept


def _find_english_cuts(text: str) -> list[int]:
    cuts = [match.end() + len(match[1]) for match in _WIDE_TERMINAL.finditer(text)]
    for match in _TERMINAL.finditer(text):
        if _BEGINNING.match(match[3]) and not (match[1] == "." and is_abbreviation(text, match.start(1))):
            cuts.append(match.end() + len(match[2]))
    return cuts


def is_abbreviation(text: str, dot: int) -> bool:
    """Return whether the dot belongs to an abbreviation instead of ending a sentence."""
    before = text[max(0, dot - 40) : dot]
    word = _BEFORE_WORD.split(before)[-1]
    ahead = before.removesuffix(word).rstrip(" \t")
    if word in ("min", "max") and ahead[-1:].isdigit():
        return False
    if len(word) == 1 and word.isupper():
        return _KIND_LETTER.search(before) is None
    # "1. Introduction": a number at the beginning of a line numbers an item and ends no sentence.
    is_item_number = word.isdigit() and len(word) <= 2 and ahead[-1:] in ("", "\n")
    return is_item_number or word.lower() in ABBREVIATIONS or has_final_abbreviation(f"{before}.")
