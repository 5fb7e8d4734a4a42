"""Who a sentence says it from: "the log reports that …", "… according to customs", รายงานว่า, อ้างจาก."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suites.memory.parsing.cues import ACCORDING, DENYING, DERIVING, DOUBTING, REPORTING
from sanya.text.spans import Span

How = Literal["reports", "denies", "doubts", "derives"]


class Attribution(NamedTuple):
    source: str
    """As written, without article."""
    how: How
    span: Span
    """What of the sentence names the source; the rest is what the source says."""


def _either(words: tuple[str, ...]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in ordered)


_NAME = r"[^\n,;.!?|()]{1,80}?"
_SAYS = re.compile(
    rf"^\s*(?P<source>{_NAME})\s?(?P<cue>{_either((*REPORTING, *DENYING))})(?:\s?(?:that|us that|ว่า))?[\s:,]+(?=\S)",
    re.IGNORECASE,
)
_THAI_CUES = tuple(word for word in (*REPORTING, *DENYING) if not word.isascii())
_SAYS_THAI = re.compile(rf"^\s*(?P<source>{_NAME})\s?(?P<cue>{_either(_THAI_CUES)})\s?")
_FIRST = re.compile(rf"^\s*(?P<cue>{_either(ACCORDING)})\s?(?P<source>{_NAME})\s?[,:]\s?", re.IGNORECASE)
_BEHIND = re.compile(
    rf"[\s,(]*(?P<cue>{_either(ACCORDING)})\s?(?P<source>{_NAME})(?=\s(?:on|in|at|dated|เมื่อ|ในวันที่)\s|\s?เมื่อ|[,.;)]|\s*$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|our|his|her|their|this|that)\s+", re.IGNORECASE)
# Behind one of these the cue is a noun: "the records", "of claims".
_NOUN_AHEAD = re.compile(
    r"(?:^|\s)(?:the|a|an|of|his|her|their|our|these|those|was|were|is|are|been)\s*$", re.IGNORECASE
)
# "The company reported revenue": behind a reporting verb without "that" must come something that is itself a sentence.
_MOST_WORDS = 8


def attribution_of(sentence: str) -> Attribution | None:
    """The source that a sentence names; places count from the sentence's own beginning."""
    for pattern in (_FIRST, _BEHIND):
        match = pattern.search(sentence)
        if match and (source := _source(match["source"])):
            how: How = "derives" if match["cue"].lower() in DERIVING else "reports"
            return Attribution(source, how, Span(*match.span()))
    match = _SAYS_THAI.match(sentence) or _SAYS.match(sentence)
    if match is None or not (source := _source(match["source"])) or _NOUN_AHEAD.search(match["source"]):
        return None
    cue = match["cue"].lower()
    how = "denies" if cue in DENYING else "doubts" if cue in DOUBTING else "reports"
    return Attribution(source, how, Span(*match.span()))


def _source(written: str) -> str | None:
    name = _ARTICLE.sub("", written.strip(" \t,:"))
    return name if name and len(name.split()) <= _MOST_WORDS else None
