"""Sentences of English and Thai. No cut falls inside a number, a quantity, an abbreviation, a bracket or an address."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sanya.text.quantities import quantity_spans
from sanya.text.spans import Span, spans_between
from sanya.text.thai_sentences import ends_with_abbreviation, thai_cuts

# What is changed here is changed in `usual_cuts.pyx` as well.
_CLOSERS = "\"'”’»)\\]"
_PARAGRAPH = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_LIST_ITEM = re.compile(r"\n[ \t]*(?=(?:[-*•·]|[0-9]{1,2}[.)]|\([0-9a-z]{1,2}\))\s)")
# A closing sign, perhaps a citation's number right behind it, then a blank and something that can begin a sentence.
_CITED = r"(?:\[[0-9][0-9,;–\- ]{0,30}\]|(?<=[^\W\d_][.!?])[0-9]{1,3}(?:[,–-][0-9]{1,3}){0,5}(?![0-9]))?"
# A pattern that begins with single characters passes over all others in one step.
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
# To look for addresses takes longer than for all the others, and few texts have one.
_UNBROKEN_WITH_ADDRESSES = re.compile(
    rf"{_BRACKETS_AND_LINKS}|(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,4}}"
)

_ABBREVIATIONS = """
    e.g i.e vs cf viz fig figs eq eqs ref refs no nos vol vols pp p ca approx dr prof mr mrs ms st sr jr al sp spp var
    subsp ssp cv resp incl max min temp conc suppl tab sec ch ed eds dept univ art gen col lt sgt capt rev hon gov est
    ver i.v i.p i.m s.c p.o a.m p.m u.s u.k ph.d m.d b.sc m.sc d.c n.b q.v op cit ibid et
"""
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
# "vitamin C." may end a sentence, "A. paniculata" and "J. Smith" go on.
_KIND_LETTER = re.compile(
    r"(?:vitamin|hepatitis|type|group|grade|class|factor|protein|influenza|phase|arm|panel|figure|table|coenzyme|"
    r"cyclosporine?|plan|part|appendix|stage|cohort|site|strain|serotype)s?\s+(?:[A-Z]\s+and\s+)?[A-Z]$",
    re.IGNORECASE,
)


def sentence_spans(text: str, quantities: Sequence[Span] | None = None) -> list[Span]:
    """The sentences: they cover the text exactly; blanks between two belong to the first. Who has looked for the
    quantities already gives them along."""
    unbroken = _Unbroken(text, quantity_spans(text) if quantities is None else quantities)
    cuts = {match.end() for pattern in (_PARAGRAPH, _LIST_ITEM) for match in pattern.finditer(text)}
    cuts.update(cut for cut in _english_cuts(text) if not unbroken.holds(cut))
    cuts.update(cut for cut in thai_cuts(text, sorted(cuts)) if not unbroken.holds(cut))
    return spans_between(_behind_letters(text, sorted(cuts)), len(text))


class _Unbroken:
    """The stretches that no cut may part."""

    def __init__(self, text: str, quantities: Sequence[Span]) -> None:
        pattern = _UNBROKEN_WITH_ADDRESSES if "@" in text else _UNBROKEN
        spans = sorted([*(Span(*match.span()) for match in pattern.finditer(text)), *quantities])
        self._starts = [span.start for span in spans]
        self._reach = list(accumulate((span.end for span in spans), max))

    def holds(self, cut: int) -> bool:
        before = bisect_right(self._starts, cut - 1) - 1
        return before >= 0 and self._reach[before] > cut


def _behind_letters(text: str, cuts: list[int]) -> list[int]:
    """The cuts without those behind signs and digits alone ("2. "), which belong to what follows."""
    kept = []
    scanned = 0
    for cut in cuts:
        if _LETTER.search(text, scanned, cut):
            kept.append(cut)
        scanned = cut
    return kept


def _english_cuts(text: str) -> list[int]:
    cuts = [match.end() + len(match[1]) for match in _WIDE_TERMINAL.finditer(text)]
    for match in _TERMINAL.finditer(text):
        if _BEGINNING.match(match[3]) and not (match[1] == "." and is_abbreviation(text, match.start(1))):
            cuts.append(match.end() + len(match[2]))
    return cuts


def is_abbreviation(text: str, dot: int) -> bool:
    """Whether the dot shortens a word instead of ending a sentence."""
    before = text[max(0, dot - 40) : dot]
    word = _BEFORE_WORD.split(before)[-1]
    ahead = before.removesuffix(word).rstrip(" \t")
    if word in ("min", "max") and ahead[-1:].isdigit():
        return False
    if len(word) == 1 and word.isupper():
        return _KIND_LETTER.search(before) is None
    # "1. Introduction": a number that begins its line counts, it does not end a sentence.
    counts = word.isdigit() and len(word) <= 2 and ahead[-1:] in ("", "\n")
    return counts or word.lower() in ABBREVIATIONS or ends_with_abbreviation(f"{before}.")
