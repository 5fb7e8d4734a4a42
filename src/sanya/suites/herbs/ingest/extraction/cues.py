"""Cues: the words by which a statement is recognised, and the words that deny or weaken it.

The vocabulary is in `cues.toml`. All cues of a page are found in one pass over its search form: an automaton finds the
places where some cue may begin, and regular expressions are tried only there, since a page holds few cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from sanya.suite.text import THAI
from sanya.suites.herbs.pattern_tables import read_pattern_table

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

ClaimKind = Literal["treats", "contains", "contraindicated", "precaution", "interacts", "safe"]
CueOrder = Literal["forward", "backward", "either"]
"""`forward` has the subject before the cue and the object after it, `backward` the other way round."""

_TABLES = read_pattern_table("sanya.suites.herbs.ingest.extraction", "cues.toml")
_CUES: dict[tuple[ClaimKind, CueOrder], str] = {
    (cast(ClaimKind, claim), cast(CueOrder, order)): pattern
    for claim, patterns in _TABLES["cues"].items()
    for order, pattern in patterns.items()
}
# A Latin cue is a whole word. Thai has no blanks between words, so a Thai cue may stand inside a run of letters.
_PATTERNS = tuple(
    (re.compile(rf"(?:{pattern})(?![a-z0-9])"), claim, order) for (claim, order), pattern in _CUES.items()
)
_LEADING_LETTERS = re.compile(rf"(?:\(\?<![^)]*\))*([{THAI}a-z' ]{{2,}})([?])?")
_DENIAL = re.compile(rf"{_TABLES['denial']['thai']}|\b(?:{_TABLES['denial']['english']})\b")
_HEDGE = re.compile(rf"{_TABLES['hedge']['thai']}|\b(?:{_TABLES['hedge']['english']})\b")
_CONDITION = re.compile(r"หาก|ถ้า|\bif\b")
# Denials that follow what they deny: "does not hold", "is not so".
_DENIAL_AFTER = re.compile(
    r"\s?(?:นั้น|ได้)?\s?(?:ไม่ได้|ไม่จริง|ไม่เป็น|ยังไม่|ไม่มีหลักฐาน)|"
    r"\s(?:is|was|are|were|has|have|remains?)\s(?:been\s)?(?:not|never|unproven|unsupported|a myth|false)\b"
)
_PROHIBITION = re.compile(r"ห้าม|ไม่ควร|หลีกเลี่ยง|\b(?:avoid\w*|contra-?indicat\w+)")
_QUESTION = re.compile(r"[?？]|(?:หรือไม่|ไหม|มั้ย|หรือเปล่า)\s*$")


@dataclass(frozen=True, slots=True)
class Cue:
    start: int
    end: int
    claim: ClaimKind
    order: CueOrder


def find_cues(form: str) -> Iterator[Cue]:
    """Yield the cues in the order of the text; of two that begin at one place, the longer."""
    end = 0
    starts = sorted({start for _, start, _ in _build_finder().find_matches_as_indexes(form, overlapping=True)})
    for start in starts:
        is_inside_word = start and _is_latin(form[start - 1]) and _is_latin(form[start])
        if start < end or is_inside_word:
            continue
        matches = [
            (match.end(), index)
            for index, (pattern, _, _) in enumerate(_PATTERNS)
            if (match := pattern.match(form, start))
        ]
        if matches:
            end, index = max(matches)
            yield Cue(start, end, *_PATTERNS[index][1:])


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


@cache
def _build_finder() -> AhoCorasick:
    """Build the automaton that finds where a cue may begin."""
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick(sorted({letters for pattern in _CUES.values() for letters in _list_beginnings(pattern)}))


def _list_beginnings(pattern: str) -> Iterator[str]:
    """Yield the letters that each alternative of a pattern begins with, without a last letter that is optional."""
    for alternative in _split_alternatives(pattern):
        match = _LEADING_LETTERS.match(alternative)
        if match is None:
            raise ValueError(f"cue {alternative!r} in cues.toml does not begin with letters; rewrite it")
        yield match[1][:-1] if match[2] == "?" else match[1]


def _split_alternatives(pattern: str) -> Iterator[str]:
    """Yield the parts of a pattern between the bars outside brackets."""
    depth = start = 0
    for at, sign in enumerate(pattern):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield pattern[start:at]
            start = at + 1
    yield pattern[start:]


def find_denials(form: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _DENIAL.finditer(form, start, end)


def is_denied_after(form: str, offset: int) -> bool:
    return _DENIAL_AFTER.match(form, offset) is not None


def is_forbidden(form: str, start: int, end: int) -> bool:
    return _PROHIBITION.search(form, start, end) is not None


def is_hedged(form: str, start: int, end: int) -> bool:
    return _HEDGE.search(form, start, end) is not None


def is_conditional(form: str, start: int, end: int) -> bool:
    return _CONDITION.search(form, start, end) is not None


def is_question(form: str, start: int, end: int) -> bool:
    return _QUESTION.search(form[start:end].strip()) is not None
