"""What a sentence says of cause and order: which part of it is the cause and which the effect, which came first."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suites.memory.parsing.cues import CAUSE_BEHIND, EARLIER_BEHIND, EFFECT_BEHIND, LATER_BEHIND
from sanya.text.spans import Span

LinkKind = Literal["caused", "precedes"]


class Link(NamedTuple):
    """`first` caused, or came before, `second`; both are stretches of the sentence."""

    kind: LinkKind
    first: Span
    second: Span
    cue: str


def _either(words: tuple[str, ...]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in ordered)


_CUES: tuple[tuple[LinkKind, bool, re.Pattern[str]], ...] = (
    # The kind, whether what stands behind the cue came first, the cues.
    ("caused", True, re.compile(_either(CAUSE_BEHIND), re.IGNORECASE)),
    ("caused", False, re.compile(_either(EFFECT_BEHIND), re.IGNORECASE)),
    ("precedes", False, re.compile(_either(LATER_BEHIND), re.IGNORECASE)),
    ("precedes", True, re.compile(_either(EARLIER_BEHIND), re.IGNORECASE)),
)
# A sentence that begins with its cue has both parts behind it: "Because A, B", เนื่องจาก A จึง B, "After A, B".
_PART = re.compile(r",\s|\s?จึง\s?|\s?ทำให้\s?|\s(?=[ก-ฮเ-ไ])")
_DENIED = re.compile(r"(?:\b(?:not|never)|n't|ไม่|ไม่ได้|มิได้)\s*(?:been\s*|be\s*)?$", re.IGNORECASE)
_TRIM = " \t\r\n,.;:!?\"'“”()"
_SHORTEST = 3
_AN_ANSWER = re.compile(r"^\s*(?:\d|(?:the\s)?(?:week|month|year|hour|day|deadline|noon|midnight)s?\b)", re.IGNORECASE)


def links_of(sentence: str) -> list[Link]:
    """At most one of each kind; a negated or asked sentence is the caller's to leave out."""
    found: dict[LinkKind, Link] = {}
    for kind, behind_first, cues in _CUES:
        if kind in found:
            continue
        match = cues.search(sentence)
        while match and kind not in found:
            link = _link(sentence, kind, behind_first, match)
            if link:
                found[kind] = link
            match = cues.search(sentence, match.end())
    return list(found.values())


def _link(sentence: str, kind: LinkKind, behind_first: bool, match: re.Match[str]) -> Link | None:
    if _DENIED.search(sentence, max(0, match.start() - 16), match.start()):
        return None
    before = _trimmed(sentence, 0, match.start())
    behind = _trimmed(sentence, match.end(), len(sentence))
    if before is None and behind is not None:
        parts = _PART.search(sentence, behind.start)
        if parts is None:
            return None
        before = _trimmed(sentence, parts.end(), len(sentence))
        behind = _trimmed(sentence, match.end(), parts.start())
    if before is None or behind is None:
        return None
    if kind == "precedes" and (_AN_ANSWER.match(behind.of(sentence)) or _AN_ANSWER.match(before.of(sentence))):
        return None
    first, second = (behind, before) if behind_first else (before, behind)
    return Link(kind, first, second, match[0].lower())


def _trimmed(sentence: str, start: int, end: int) -> Span | None:
    while start < end and sentence[start] in _TRIM:
        start += 1
    while end > start and sentence[end - 1] in _TRIM:
        end -= 1
    return Span(start, end) if end - start >= _SHORTEST else None
