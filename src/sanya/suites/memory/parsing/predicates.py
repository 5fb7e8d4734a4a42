"""Predicates: the verb of a clause, its subject, its complement, and whether the verb is negated."""

from __future__ import annotations

from typing import NamedTuple

from sanya.suites.memory.parsing.cues import HEDGES, NEGATION_PARTS, NEGATIONS, PLANS
from sanya.suites.memory.parsing.tokens import WordToken
from sanya.suites.memory.parsing.verbs import (
    AUXILIARIES,
    THAI_VERBS,
    VERBS,
    VerbKind,
    find_plain_verb,
    find_verb,
    get_verb_kind,
)
from sanya.suites.memory.word_lists import invert_table, open_word_file

_WORDS = open_word_file(__file__)
_BE = _WORDS.read_set("be")
_HAVE = frozenset(("has", "have", "had"))
_PAST = _WORDS.read_set("past")
_CONTRACTIONS = invert_table(_WORDS.read_table("contractions"))
_DETERMINERS = _WORDS.read_set("determiners")
_SKIPPED = _WORDS.read_set("skipped")
_NOT_SUBJECT = _WORDS.read_set("not_subject")
_THAI_AUXILIARIES = _WORDS.read_set("thai_auxiliaries")
_THAI_NEGATIONS = _WORDS.read_set("thai_negations")
# A clause is Thai if one of its first words is; this many are looked at.
_LANGUAGE_WORDS = 12
_NOT_IN_SUBJECT = HEDGES | NEGATION_PARTS


class Predicate(NamedTuple):
    """`verb`, `subject` and `complement` are positions in the list of words."""

    lemma: str
    kind: VerbKind
    verb: int
    subject: list[int]
    complement: list[int]
    negated: bool = False
    passive: bool = False
    past: bool = False


def find_predicate(words: list[WordToken]) -> Predicate | None:
    """Return the first known verb with a subject before it, or None."""
    if not words:
        return None
    return _find_thai(words) if any(word.is_thai for word in words[:_LANGUAGE_WORDS]) else _find_english(words)


def _find_english(words: list[WordToken]) -> Predicate | None:
    for position in range(len(words)):
        form = words[position].form
        if form in AUXILIARIES or form in _CONTRACTIONS or form == "be":
            predicate = _match_auxiliary(words, position)
            if predicate is not None:
                return predicate
        elif position and form not in NEGATIONS:
            predicate = _match_inflected(words, position)
            if predicate is not None:
                return predicate
    return None


class _Verb(NamedTuple):
    """A verb, its position, and the position of the first word that belongs to it (not, did, was)."""

    lemma: str
    position: int
    first: int
    negated: bool = False
    past: bool = False
    passive: bool = False


def _match_inflected(words: list[WordToken], position: int) -> Predicate | None:
    form, before = words[position].form, words[position - 1].form
    denied = before in NEGATIONS and before not in ("failed", "refused", "without")
    lemma = VERBS.get(form) if words[position].is_capitalised else find_verb(form)
    if lemma is None and denied and form.isalpha() and position >= 2:
        lemma = find_plain_verb(form) if find_plain_verb(form) in VERBS.values() else None
    if lemma is None or (before in _DETERMINERS and before != "that"):
        return None
    first = position - 1 if denied else position
    return _build_predicate(words, _Verb(lemma, position, first, denied, form.endswith("ed")))


def _match_auxiliary(words: list[WordToken], position: int) -> Predicate | None:
    if position == 0:
        return None
    base = _CONTRACTIONS.get(words[position].form, words[position].form)
    verb = position + 1
    while verb < len(words) and _is_auxiliary_modifier(words[verb]):
        verb += 1
    between = {word.form for word in words[position:verb]}
    negated = bool(between & NEGATIONS) or words[position - 1].form in ("never", "not")
    past = words[position].form in _PAST or "been" in between
    if base in _BE or between & {"be", "been"}:
        return _match_copula(words, _Verb("be", verb - 1, position, negated, past))
    if base in _HAVE and (verb >= len(words) or find_verb(words[verb].form) is None):
        return _build_predicate(words, _Verb("have", verb - 1, position, negated, base == "had"))
    if verb >= len(words):
        return None
    return _build_predicate(words, _Verb(find_plain_verb(words[verb].form), verb, position, negated, past))


def _is_auxiliary_modifier(word: WordToken) -> bool:
    return word.form in NEGATIONS or word.form in ("been", "be") or _is_skipped(word)


def _match_copula(words: list[WordToken], copula: _Verb) -> Predicate | None:
    """Match "is", or with a participle after it "is running" and "was cancelled"."""
    position = copula.position + 1
    if (
        position < len(words)
        and not words[position].is_capitalised
        and (lemma := _find_participle(words[position].form))
    ):
        passive = not words[position].form.endswith("ing")
        return _build_predicate(words, copula._replace(lemma=lemma, position=position, passive=passive))
    return _build_predicate(words, copula)


def _find_participle(form: str) -> str | None:
    if form.endswith("ing") and len(form) > 5:
        return find_plain_verb(form)
    lemma = find_verb(form)
    return lemma if lemma != "be" else None


def _is_skipped(word: WordToken) -> bool:
    return word.form in _SKIPPED or word.is_adverb


def _has_negative_subject(words: list[WordToken]) -> bool:
    return words[0].form in ("no", "none", "nobody", "neither")


def _build_predicate(words: list[WordToken], verb: _Verb) -> Predicate | None:
    is_negative = _has_negative_subject(words)
    subject = [at for at in range(verb.first) if not _is_skipped(words[at]) and words[at].form not in _NOT_IN_SUBJECT]
    while subject and words[subject[0]].form in _NOT_SUBJECT:
        subject.pop(0)
    while subject and words[subject[-1]].form in NEGATIONS | PLANS:
        subject.pop()
    if not subject and not is_negative:
        return None
    rest = list(range(verb.position + 1, len(words)))
    # "It has no doors", "there is no doubt", "it caused no harm".
    denied = bool(rest) and words[rest[0]].form in ("no", "not") and verb.lemma in ("be", "have", "cause")
    negated = verb.negated or is_negative or denied
    return Predicate(
        verb.lemma, get_verb_kind(verb.lemma), verb.position, subject, rest, negated, verb.passive, verb.past
    )


def _find_thai(words: list[WordToken]) -> Predicate | None:
    for position in range(1, len(words)):
        text = words[position].text
        lemma = THAI_VERBS.get(text)
        if text in _THAI_NEGATIONS and text in ("ไม่มี", "ไม่ใช่", "มิใช่"):
            lemma = "have" if text == "ไม่มี" else "be"
        if lemma is None or (text in _THAI_AUXILIARIES and _has_verb_after(words, position)):
            continue
        return _build_thai_predicate(words, position, lemma)
    return None


def _has_verb_after(words: list[WordToken], position: int) -> bool:
    return any(word.text in THAI_VERBS for word in words[position + 1 : position + 3])


def _build_thai_predicate(words: list[WordToken], position: int, lemma: str) -> Predicate | None:
    first = position
    while first > 0 and (
        words[first - 1].text in _THAI_AUXILIARIES or words[first - 1].form in NEGATIONS | HEDGES | PLANS
    ):
        first -= 1
    between = [words[at].text for at in range(first, position + 1)]
    negated = any(text in _THAI_NEGATIONS for text in between)
    rest = list(range(position + 1, len(words)))
    # A negation after the first of two verbs (เดินทางไปไม่ได้) means "cannot", and is not read as "did not".
    while rest and words[rest[0]].text in THAI_VERBS and THAI_VERBS[words[rest[0]].text] == lemma:
        rest.pop(0)
    if lemma == "stay" and not any(words[at].is_thai for at in rest if words[at].text != "ที่"):
        lemma = "be"
    subject = list(range(first))
    return (
        Predicate(lemma, get_verb_kind(lemma), position, subject, rest, negated, "ถูก" in between) if subject else None
    )
