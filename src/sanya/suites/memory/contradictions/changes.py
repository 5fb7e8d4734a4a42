"""Corrections and changes: the words that announce them, and the clause without them."""

from __future__ import annotations

import re

from sanya.suite.text import has_thai
from sanya.suites.memory.contradictions.fact_terms import has_attribute
from sanya.suites.memory.word_lists import build_alternation, open_word_file

_WORDS = open_word_file(__file__)


def _compile(section: str) -> re.Pattern[str]:
    return re.compile("|".join(_WORDS.read_lines(section)), re.IGNORECASE)


_AROUND = _compile("around_changes")
SAME_AS_IS = _compile("same_as_is")
CORRECTIONS = re.compile(rf"^\s*(?:{'|'.join(_WORDS.read_lines('corrections'))})", re.IGNORECASE)
_CHANGES = _compile("english_changes")
_THING_AFTER_VERB = [re.compile(line, re.IGNORECASE) for line in _WORDS.read_lines("thing_after_verb")]
_ROLE_TAKERS = [re.compile(line) for line in _WORDS.read_lines("role_takers")]
REPLACED = _compile("replaced_values")
ENDINGS = re.compile(build_alternation(_WORDS.read_phrases("endings")), re.IGNORECASE)


def normalise_change(clause: str) -> str:
    """Return "the deadline is 12 May" for "the deadline was moved to 12 May"."""
    clause = _AROUND.sub("", clause)
    for pattern in _THING_AFTER_VERB:
        if match := pattern.match(clause):
            link = " คือ " if has_thai(clause) else " is "
            more = match.groupdict().get("more") or ""
            return f"{_name_owner(match)}{more}{link}{match['value'].strip()}"
    for pattern in _ROLE_TAKERS:
        if (match := pattern.match(clause)) and has_attribute(match["what"]):
            link = " คือ " if has_thai(clause) else " is "
            return f"{match['what'].strip()}{link}{match['value'].strip()}"
    if (match := _MOVED.match(clause)) and not has_attribute(match["who"]):
        return f"{match['who']} lives in {match['where']}"
    if (match := _THAI_MOVED.match(clause)) and not has_attribute(match["who"]):
        return f"{match['who']}อยู่{match['where']}"
    return _CHANGES.sub("is", clause)


_MOVED = re.compile(
    r"^(?P<who>.{2,40}?) (?:has |have )?(?:moved|relocated) "
    r"(?:from .{2,30} )?(?:back )?(?:to|into) (?P<where>[^,;]{2,40})$"
)
_THAI_MOVED = re.compile(r"^(?P<who>.{2,30}?)ย้าย(?:บ้าน)?(?:ไปอยู่|ไป|มาอยู่)(?P<where>[^\s]{2,30}?)(?:แล้ว)?$")

_POSSESSIVE = re.compile(r"^(?:its|their|his|her|a new) ", re.IGNORECASE)


def _name_owner(match: re.Match[str]) -> str:
    """Return "the gym's membership" for "the gym put its membership up"."""
    agent, what = match.groupdict().get("agent"), match["what"].strip()
    return _POSSESSIVE.sub(f"{agent}'s ", what) if agent else what
