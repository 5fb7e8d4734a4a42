"""Links between events: which part of a sentence is the cause, the effect, the earlier or the later event."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suite.text import Span
from sanya.suites.memory.parsing.cues import CAUSE_FOLLOWS, EARLIER_FOLLOWS, EFFECT_FOLLOWS, LATER_FOLLOWS
from sanya.suites.memory.word_lists import build_alternation

LinkKind = Literal["caused", "precedes"]


class EventLink(NamedTuple):
    """`first` caused, or came before, `second`. Both are parts of the sentence."""

    kind: LinkKind
    first: Span
    second: Span
    cue: str


_CUES: tuple[tuple[LinkKind, bool, re.Pattern[str]], ...] = (
    # The kind, whether the part after the cue came first, the cues.
    ("caused", True, re.compile(build_alternation(CAUSE_FOLLOWS), re.IGNORECASE)),
    ("caused", False, re.compile(build_alternation(EFFECT_FOLLOWS), re.IGNORECASE)),
    ("precedes", False, re.compile(build_alternation(LATER_FOLLOWS), re.IGNORECASE)),
    ("precedes", True, re.compile(build_alternation(EARLIER_FOLLOWS), re.IGNORECASE)),
)
# A sentence that begins with its cue has both parts after it: "Because A, B", เนื่องจาก A จึง B, "After A, B".
_PART_BREAK = re.compile(r",\s|\s?จึง\s?|\s?ทำให้\s?|\s(?=[ก-ฮเ-ไ])")
_DENIAL = re.compile(r"(?:\b(?:not|never)|n't|ไม่|ไม่ได้|มิได้)\s*(?:been\s*|be\s*)?$", re.IGNORECASE)
_TRIMMED_CHARS = " \t\r\n,.;:!?\"'“”()"
_MIN_PART_CHARS = 3
# "before noon" orders no events.
_TIME_EXPRESSION = re.compile(
    r"^\s*(?:\d|(?:the\s)?(?:week|month|year|hour|day|deadline|noon|midnight)s?\b)", re.IGNORECASE
)


def find_links(sentence: str) -> list[EventLink]:
    """Return at most one link of each kind. The caller leaves out sentences that deny or ask."""
    links: dict[LinkKind, EventLink] = {}
    for kind, first_follows, cues in _CUES:
        if kind in links:
            continue
        match = cues.search(sentence)
        while match and kind not in links:
            link = _build_link(sentence, kind, first_follows, match)
            if link:
                links[kind] = link
            match = cues.search(sentence, match.end())
    return list(links.values())


def _build_link(sentence: str, kind: LinkKind, first_follows: bool, cue: re.Match[str]) -> EventLink | None:
    if _DENIAL.search(sentence, max(0, cue.start() - 16), cue.start()):
        return None
    before = _trim_span(sentence, 0, cue.start())
    after = _trim_span(sentence, cue.end(), len(sentence))
    if before is None and after is not None:
        part_break = _PART_BREAK.search(sentence, after.start)
        if part_break is None:
            return None
        before = _trim_span(sentence, part_break.end(), len(sentence))
        after = _trim_span(sentence, cue.end(), part_break.start())
    if before is None or after is None:
        return None
    if kind == "precedes" and (
        _TIME_EXPRESSION.match(after.slice(sentence)) or _TIME_EXPRESSION.match(before.slice(sentence))
    ):
        return None
    first, second = (after, before) if first_follows else (before, after)
    return EventLink(kind, first, second, cue[0].lower())


def _trim_span(sentence: str, start: int, end: int) -> Span | None:
    while start < end and sentence[start] in _TRIMMED_CHARS:
        start += 1
    while end > start and sentence[end - 1] in _TRIMMED_CHARS:
        end -= 1
    return Span(start, end) if end - start >= _MIN_PART_CHARS else None
