"""Replacements: somebody uses, drives or takes something, until a text names it as what was given up.

Many things can be used at once, so "the team uses Jira" says nothing against Slack; "the team switched from Slack to
Teams" does. Both statements get one key, of who and what; giving it up denies having it.
"""

from __future__ import annotations

import re

from sanya.suites.memory.contradictions.fact_terms import make_term
from sanya.suites.memory.contradictions.stated_fact import StatedFact
from sanya.suites.memory.parsing.mentions import find_mentions
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_HOLDING, _GIVING_UP = (
    [re.compile(line, re.IGNORECASE) for line in _WORDS.read_lines(section)] for section in ("holding", "giving_up")
)


def find_replacement(clause: str) -> list[StatedFact]:
    """Return who has what, or who has given it up: under all words of the thing, and under its last name alone."""
    for pattern in _GIVING_UP:
        if match := pattern.match(clause):
            return [StatedFact(key, negated=True, replaces=True) for key in _make_keys(match["who"], match["old"])]
    match = next((match for pattern in _HOLDING if (match := pattern.match(clause))), None)
    return [StatedFact(key) for key in _make_keys(match["who"], match["what"])] if match else []


def _make_keys(holder: str, thing: str) -> list[str]:
    owner, things = " ".join(sorted(set(_list_terms(holder)))), _list_terms(thing)
    parts = {" ".join(sorted(set(part))) for part in (things, things[-1:]) if part}
    return sorted(f"holds {owner} / {part}" for part in parts)


def _list_terms(text: str) -> list[str]:
    mentions = find_mentions(text)
    terms = (make_term(word, mentions) for word in tokenize(text))
    return [part for term in terms if term for part in term.removeprefix("@").split()]
