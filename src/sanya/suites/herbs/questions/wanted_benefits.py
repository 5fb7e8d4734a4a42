"""Tells a benefit that nobody knows: "does roselle help hair loss" names no complaint on record, though its words are
ordinary, and the uses of roselle would answer something else."""

from __future__ import annotations

import re

from sanya.suite.text import ENGLISH_STOP_WORDS, to_search_form
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.question import FRAME_WORDS, ParsedQuestion

_WORDS = read_pattern_table("sanya.suites.herbs.questions", "role_words.toml")["benefits"]
_BENEFIT = re.compile(rf"\b(?:{_WORDS['verbs']})(?: (?:{_WORDS['between']}))* ([a-z][a-z'-]+)")
_NO_COMPLAINTS = frozenset(_WORDS["no_complaints"].split("|"))


def is_for_unknown_benefit(question: ParsedQuestion) -> bool:
    """Return whether what follows a verb of benefit is a word that neither names anything nor asks."""
    form = to_search_form(question.text)
    for found in _BENEFIT.finditer(form):
        is_named = any(mention.start <= found.start(1) < mention.end for mention in question.mentions)
        if not is_named and found[1] not in ENGLISH_STOP_WORDS | FRAME_WORDS | _NO_COMPLAINTS:
            return True
    return False
