"""A page as it is understood and kept: its lines joined where the paper's edge broke them, its spelling repaired, no
personal data in it; and the form of it in which names and words are looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sanya.suites.herbs.ingest.documents import ReadPage
from sanya.text.characters import CONSONANTS, LEADING_VOWELS, has_thai
from sanya.text.normalisation import normalise, search_form
from sanya.text.personal import redact_personal

_LIGATURES = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_LINE_END = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
# A line that ends this far to the right went on because the paper did not.
_FULL_LINE = 0.75
_LEAST_FULL = 30
_ITEM = re.compile(r"\s*(?:[-*•·–]|[0-9๐-๙]{1,2}[.)]|\([0-9a-zก-ฮ]{1,2}\))\s")
# Every one of these is one character when folded: nearly all pages consist of them.
_EVENLY_FOLDED = re.compile(
    "[\x00-\xde\xe0-\u017e\u0e00-\u0e7f\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u23ff\uff01-\uff5e]*"
)
_THAI_START = re.compile(f"[{LEADING_VOWELS}{CONSONANTS}]")


@dataclass(frozen=True, slots=True)
class PageText:
    """`text` is kept; `form` is as long, character for character, so a place in one is a place in the other."""

    page: ReadPage
    text: str
    form: str
    redacted: int


def page_text(page: ReadPage) -> PageText:
    redacted = redact_personal(stored_form(page.text))
    return PageText(page, redacted.text, aligned_form(redacted.text), sum(redacted.found.values()))


def stored_form(text: str) -> str:
    """As a reader would write it down: ligatures are letters, lines that were only wrapped are one."""
    if _LIGATURE.search(text):
        text = _LIGATURE.sub(lambda sign: _LIGATURES[sign[0]], text)
    return normalise(_unwrapped(_LINE_END.sub("\n", text)))


def aligned_form(text: str) -> str:
    """The search form, character for character; where folding would change the length, the character stays."""
    if _EVENLY_FOLDED.fullmatch(text) and len(form := search_form(text)) == len(text):
        return form
    return "".join(map(_folded, text))


@lru_cache(maxsize=10_000)
def _folded(character: str) -> str:
    form = search_form(character)
    return form if len(form) == 1 else character


def _unwrapped(text: str) -> str:
    lines = text.split("\n")
    if len(lines) < 2:
        return text
    full = _FULL_LINE * max(map(len, lines))
    kept = [lines[0]]
    for before, line in pairwise(lines):
        wraps = len(before) >= max(full, _LEAST_FULL) and line.strip() and not _ITEM.match(line)
        kept += [_joint(before, line) if wraps else "\n", line]
    return "".join(kept)


def _joint(before: str, line: str) -> str:
    """Thai words stand together unless a blank is written; a hyphen at the end holds a Latin word together."""
    if before[-1:].isspace() or line[:1].isspace():
        return " "
    if has_thai(before[-1:]) and _THAI_START.match(line):
        return ""
    return "" if before.endswith("-") and line[:1].islower() else " "
