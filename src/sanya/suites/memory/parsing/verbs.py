"""The verbs that the parser knows, by lemma, and the kind of statement that each makes (see `verbs.txt`)."""

from __future__ import annotations

from typing import Literal, get_args

from sanya.suite.text import stem_english
from sanya.suites.memory.word_lists import open_word_file

VerbKind = Literal["once", "state", "presence", "move", "copula", "other"]

_WORDS = open_word_file(__file__)
VERB_KINDS: dict[str, VerbKind] = {}
"""The kind of each lemma."""


def _load_verbs(language: str) -> dict[str, str]:
    """Return the lemma of each form, and note the kind of each lemma. The first entry of a form or a lemma counts."""
    lemmas: dict[str, str] = {}
    for kind in get_args(VerbKind):
        for lemma, forms in _WORDS.read_table(f"{language}_{kind}").items():
            for form in forms:
                lemmas.setdefault(form, lemma)
            VERB_KINDS.setdefault(lemma, kind)
    return lemmas


VERBS = _load_verbs("english")
THAI_VERBS = _load_verbs("thai")
AUXILIARIES = _WORDS.read_set("auxiliaries")
_NOT_PAST = _WORDS.read_set("not_past")
# A plain form counts as a verb only where no noun can stand: "did not travel", "to travel", "will start".
_STEMS = {stem_english(form): lemma for form, lemma in VERBS.items() if lemma != "be"}
_STEMS |= {stem_english(lemma): lemma for lemma in VERB_KINDS}


def find_verb(form: str) -> str | None:
    """Return the lemma of an inflected English verb, or None for a word that is no verb or may well be a noun."""
    if form in VERBS:
        return VERBS[form]
    if form.endswith("ed") and len(form) > 4 and form not in _NOT_PAST:
        return stem_english(form)
    return None


def find_plain_verb(form: str) -> str:
    """Return the lemma of a word that stands where only a verb can stand."""
    return VERBS.get(form) or _STEMS.get(stem_english(form)) or stem_english(form)


def get_verb_kind(verb: str) -> VerbKind:
    return VERB_KINDS.get(verb, "other")
