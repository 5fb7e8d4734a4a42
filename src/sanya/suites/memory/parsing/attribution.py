"""Attribution: whom a sentence names as its source. "The log reports that …", "… according to customs", รายงานว่า."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suite.text import Span
from sanya.suites.memory.parsing.cues import ACCORDING, DENYING, DERIVING, DOUBTING, REPORTING
from sanya.suites.memory.word_lists import build_alternation

AttributionKind = Literal["reports", "denies", "doubts", "derives"]


class Attribution(NamedTuple):
    source: str
    """As written, without an article."""
    kind: AttributionKind
    span: Span
    """The part of the sentence that names the source; the rest is what the source says."""


_NAME = r"[^\n,;.!?|()]{1,80}?"
_SAYS = re.compile(
    rf"^\s*(?P<source>{_NAME})\s?(?P<cue>{build_alternation((*REPORTING, *DENYING))})"
    r"(?:\s?(?:that|us that|ว่า))?[\s:,]+(?=\S)",
    re.IGNORECASE,
)
_THAI_CUES = tuple(phrase for phrase in (*REPORTING, *DENYING) if not phrase.isascii())
_SAYS_THAI = re.compile(rf"^\s*(?P<source>{_NAME})\s?(?P<cue>{build_alternation(_THAI_CUES)})\s?")
_SOURCE_FIRST = re.compile(
    rf"^\s*(?P<cue>{build_alternation(ACCORDING)})\s?(?P<source>{_NAME})\s?[,:]\s?", re.IGNORECASE
)
_SOURCE_LAST = re.compile(
    rf"[\s,(]*(?P<cue>{build_alternation(ACCORDING)})\s?(?P<source>{_NAME})"
    r"(?=\s(?:on|in|at|dated|เมื่อ|ในวันที่)\s|\s?เมื่อ|[,.;)]|\s*$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|our|his|her|their|this|that)\s+", re.IGNORECASE)
# After one of these the cue is a noun: "the records", "of claims".
_BEFORE_NOUN = re.compile(
    r"(?:^|\s)(?:the|a|an|of|his|her|their|our|these|those|was|were|is|are|been)\s*$", re.IGNORECASE
)
_MAX_SOURCE_WORDS = 8


def find_attribution(sentence: str) -> Attribution | None:
    """Return the source that a sentence names, with positions relative to the sentence."""
    for pattern in (_SOURCE_FIRST, _SOURCE_LAST):
        match = pattern.search(sentence)
        if match and (source := _clean_source(match["source"])):
            kind: AttributionKind = "derives" if match["cue"].lower() in DERIVING else "reports"
            return Attribution(source, kind, Span(*match.span()))
    match = _SAYS_THAI.match(sentence) or _SAYS.match(sentence)
    if match is None or not (source := _clean_source(match["source"])) or _BEFORE_NOUN.search(match["source"]):
        return None
    cue = match["cue"].lower()
    kind = "denies" if cue in DENYING else "doubts" if cue in DOUBTING else "reports"
    return Attribution(source, kind, Span(*match.span()))


def _clean_source(written: str) -> str | None:
    name = _ARTICLE.sub("", written.strip(" \t,:"))
    return name if name and len(name.split()) <= _MAX_SOURCE_WORDS else None
