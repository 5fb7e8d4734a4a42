"""Cue words: they show whether a sentence is denied, doubted, asked or planned, what caused what, and who states it."""

from __future__ import annotations

from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)

NEGATIONS = _WORDS.read_set("negations")
NEGATION_PARTS = _WORDS.read_set("negation_parts")
ALWAYS_NEGATED = _WORDS.read_set("always_negated")
NO_LONGER = _WORDS.read_phrases("no_longer")
HEDGES = _WORDS.read_set("hedges")
PLANS = _WORDS.read_set("plans")
CONDITIONS = _WORDS.read_set("conditions")
QUESTIONS = _WORDS.read_set("questions")
FORMER = _WORDS.read_set("former")

CAUSE_FOLLOWS = _WORDS.read_phrases("cause_follows")
EFFECT_FOLLOWS = _WORDS.read_phrases("effect_follows")
VERB_CUES = frozenset(_WORDS.read_phrases("verb_cues"))
LATER_FOLLOWS = _WORDS.read_phrases("later_follows")
EARLIER_FOLLOWS = _WORDS.read_phrases("earlier_follows")

REPORTING = _WORDS.read_phrases("reporting")
DENYING = _WORDS.read_phrases("denying")
DOUBTING = frozenset(_WORDS.read_phrases("doubting"))
ACCORDING = _WORDS.read_phrases("according")
DERIVING = frozenset(_WORDS.read_phrases("deriving"))
