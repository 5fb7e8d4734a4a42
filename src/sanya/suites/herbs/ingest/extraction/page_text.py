"""The text of a page: wrapped lines joined, spelling repaired, personal data redacted, and its aligned search form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sanya.suite.text import (
    THAI_CONSONANTS,
    THAI_LEADING_VOWELS,
    has_thai,
    normalise,
    redact_personal,
    to_search_form,
)
from sanya.suites.herbs.ingest.documents import ReadPage
from sanya.suites.herbs.ingest.extraction.misplaced_marks import MarkRestorer

_LIGATURES = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_LINE_END = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
# A line at least this long, as a share of the longest, was wrapped at the edge of the paper.
_WRAPPED_LINE_SHARE = 0.75
_MIN_WRAPPED_LENGTH = 30
_LIST_ITEM = re.compile(r"\s*(?:[-*•·–]|[0-9๐-๙]{1,2}[.)]|\([0-9a-zก-ฮ]{1,2}\))\s")
# Characters whose search form is one character. Nearly all pages consist of them alone.
_SAME_LENGTH_FORM = re.compile(
    "[\x00-\xde\xe0-\u017e\u0e00-\u0e7f\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u23ff\uff01-\uff5e]*"
)
_THAI_START = re.compile(f"[{THAI_LEADING_VOWELS}{THAI_CONSONANTS}]")


@dataclass(frozen=True, slots=True)
class PageText:
    """`text` is stored. `form`, its search form, has the same length, so an offset in one is an offset in the other."""

    page: ReadPage
    text: str
    form: str
    redacted: int


def normalise_page(page: ReadPage, marks: MarkRestorer | None = None) -> PageText:
    """Return the text of a page as it is stored. `marks` puts back the misplaced marks of the names that it knows."""
    text = normalise_stored_text(page.text)
    redacted = redact_personal(marks.restore(text) if marks else text)
    return PageText(page, redacted.text, fold_aligned(redacted.text), sum(redacted.found.values()))


def normalise_stored_text(text: str) -> str:
    """Return the text as it is stored: ligatures as letters, wrapped lines joined, Thai spelling normalised."""
    if _LIGATURE.search(text):
        text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
    return normalise(_join_wrapped_lines(_LINE_END.sub("\n", text)))


def fold_aligned(text: str) -> str:
    """Return the search form character for character. A character whose form has another length stays as it is."""
    if _SAME_LENGTH_FORM.fullmatch(text) and len(form := to_search_form(text)) == len(text):
        return form
    return "".join(map(_fold_character, text))


@lru_cache(maxsize=10_000)
def _fold_character(character: str) -> str:
    form = to_search_form(character)
    return form if len(form) == 1 else character


def _join_wrapped_lines(text: str) -> str:
    lines = text.split("\n")
    if len(lines) < 2:
        return text
    wrapped_length = max(_WRAPPED_LINE_SHARE * max(map(len, lines)), _MIN_WRAPPED_LENGTH)
    pieces = [lines[0]]
    for before, line in pairwise(lines):
        is_wrapped = len(before) >= wrapped_length and line.strip() and not _LIST_ITEM.match(line)
        pieces += [_choose_joint(before, line) if is_wrapped else "\n", line]
    return "".join(pieces)


def _choose_joint(before: str, line: str) -> str:
    """Return what joins two lines: nothing between Thai letters or after a hyphen, else a blank."""
    if before[-1:].isspace() or line[:1].isspace():
        return " "
    if has_thai(before[-1:]) and _THAI_START.match(line):
        return ""
    return "" if before.endswith("-") and line[:1].islower() else " "
