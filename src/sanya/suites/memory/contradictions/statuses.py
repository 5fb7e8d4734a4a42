"""Statuses: married or single, paid or unpaid, in hospital or discharged. Of one kind, one value holds at a time.

A status is said in so many ways that the words of two statements seldom agree: "the invoice is unpaid", "I paid the
invoice". The ways are data (`statuses.txt`). What remains of the clause when the status is taken out is its subject.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from sanya.suite.text import Span
from sanya.suites.memory.contradictions.fact_terms import NEGATIONS, is_typed, make_term
from sanya.suites.memory.contradictions.stated_fact import StatedFact, make_fact_key
from sanya.suites.memory.parsing.claims import mask_spans
from sanya.suites.memory.parsing.mentions import find_mentions
from sanya.suites.memory.parsing.times import find_times
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.word_lists import build_alternation, open_word_file

_WORDS = open_word_file(__file__)
_MAX_SUBJECT_TERMS = 6


def _load_statuses() -> dict[str, tuple[str, str]]:
    """Return the kind and the value of each phrase."""
    statuses: dict[str, tuple[str, str]] = {}
    for key, phrases in _WORDS.read_phrase_table("statuses").items():
        kind, value = key.split()
        statuses |= dict.fromkeys(phrases, (kind, value))
    return statuses


_STATUSES = _load_statuses()
_EVENTS = frozenset(_WORDS.read_phrases("events"))
_PERSONAL = _WORDS.read_set("personal")
_IGNORED = _WORDS.read_set("ignored")
# "Passed to" and "free of" are no status.
_CONTINUED = re.compile(r"\s(?:to|on to|of|from|by|for)\b(?! (?:now|good))", re.IGNORECASE)
_PHRASE = re.compile(build_alternation(_STATUSES), re.IGNORECASE)
_THAI_NEGATION = re.compile(r"(?:ไม่|ไม่ได้|ยังไม่|ยังไม่ได้|มิได้)$")


class StatusPhrase(NamedTuple):
    span: Span
    kind: str
    value: str


def find_status_phrases(text: str) -> list[StatusPhrase]:
    """Return the statuses that a text names, in order. One that is negated is left out."""
    return [
        StatusPhrase(Span(*match.span()), *_STATUSES[match[0].lower()])
        for match in _PHRASE.finditer(text)
        if not _is_negated(text, match) and not _CONTINUED.match(text, match.end())
    ]


def find_status(clause: str, stated_on: date | None) -> list[StatedFact]:
    """Return the status that a clause states: under all words that it speaks of, and under its subject alone."""
    match = _PHRASE.search(clause)
    if match is None or _is_negated(clause, match):
        return []
    phrase = match[0].lower()
    kind, value = _STATUSES[phrase]
    times = find_times(clause, stated_on)
    when = None if not times or phrase in _EVENTS else times[0].when
    masked = mask_spans(clause, [time.span for time in times])
    before, after = _list_terms(masked[: match.start()]), _list_terms(masked[match.end() :])
    if phrase in _EVENTS:
        before, after = ({term for term in part if not term.startswith("day:")} for part in (before, after))
    subjects = [before | after]
    if kind in _PERSONAL and before and after and not any(map(is_typed, after)):
        subjects.append(before)
    return [
        StatedFact(make_fact_key(f"status:{kind}", subject, (), when), terms=frozenset((f"status:{value}",)))
        for subject in subjects
        if 0 < len(subject) <= _MAX_SUBJECT_TERMS
    ]


def _is_negated(clause: str, match: re.Match[str]) -> bool:
    """Tell whether a negation stands before the status. What it denies is left to the comparison of words."""
    before = clause[: match.start()].rstrip()
    words = before.lower().split()[-2:]
    return bool(_THAI_NEGATION.search(before)) or bool(NEGATIONS & set(words))


def _list_terms(text: str) -> set[str]:
    mentions = find_mentions(text)
    terms = {make_term(word, mentions) for word in tokenize(text) if word.form not in _IGNORED}
    return {term.removeprefix("@") for term in terms if term}
