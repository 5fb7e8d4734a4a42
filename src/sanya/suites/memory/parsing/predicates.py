"""Where the verb of a clause stands, what is before it and behind it, and whether it is denied."""

from __future__ import annotations

from typing import NamedTuple

from sanya.suites.memory.parsing.cues import HEDGES, NEGATION_PARTS, NEGATIONS, PLANS
from sanya.suites.memory.parsing.tokens import Word
from sanya.suites.memory.parsing.verbs import AUXILIARIES, THAI_VERBS, VERBS, Kind, kind_of, plain_verb_of, verb_of
from sanya.suites.memory.word_lists import word_set

_BE = word_set("is are was were be been being isn't wasn't aren't weren't remains remained")
_HAVE = frozenset(("has", "have", "had"))
_PAST = word_set("was were did had wasn't weren't didn't hadn't")
_CONTRACTED = {
    "didn't": "did",
    "doesn't": "does",
    "don't": "do",
    "isn't": "is",
    "wasn't": "was",
    "aren't": "are",
    "weren't": "were",
    "hasn't": "has",
    "haven't": "have",
    "hadn't": "had",
    "won't": "will",
    "can't": "can",
    "cannot": "can",
    "couldn't": "could",
    "wouldn't": "would",
    "shouldn't": "should",
}
_DETERMINERS = word_set("the a an his her its their our my your this that these of to for in and")
_SKIPPED = word_set("also still already just then now always often usually even really only ever longer yet")
_THAI_LIGHT = word_set("ได้ จะ เคย กำลัง ถูก ยัง ก็ ได้รับ อาจ คง น่าจะ ต้อง มา")
_THAI_NEGATIONS = word_set("ไม่ มิ มิได้ ไม่ได้ ไม่เคย ไม่มี ไม่ใช่ มิใช่ ยังไม่")
_FRONT_LIMIT = 12
_LIGHT = HEDGES | NEGATION_PARTS


class Predicate(NamedTuple):
    lemma: str
    kind: Kind
    verb: int
    subject: list[int]
    rest: list[int]
    negated: bool = False
    passive: bool = False
    past: bool = False


def find_predicate(words: list[Word]) -> Predicate | None:
    """The first verb that has a subject before it; None where there is none that is known for one."""
    if not words:
        return None
    return _thai(words) if any(word.is_thai for word in words[:_FRONT_LIMIT]) else _english(words)


def _english(words: list[Word]) -> Predicate | None:
    for place in range(len(words)):
        form = words[place].form
        if form in AUXILIARIES or form in _CONTRACTED or form == "be":
            found = _behind_auxiliary(words, place)
            if found is not None:
                return found
        elif place and form not in NEGATIONS:
            found = _inflected(words, place)
            if found is not None:
                return found
    return None


class _Verb(NamedTuple):
    """The verb at its place, and where the words that go with it (not, did, was) begin."""

    lemma: str
    place: int
    first: int
    negated: bool = False
    past: bool = False
    passive: bool = False


def _inflected(words: list[Word], place: int) -> Predicate | None:
    form, before = words[place].form, words[place - 1].form
    denied = before in NEGATIONS and before not in ("failed", "refused", "without")
    lemma = VERBS.get(form) if words[place].is_capitalised else verb_of(form)
    if lemma is None and denied and form.isalpha() and place >= 2:
        lemma = plain_verb_of(form) if plain_verb_of(form) in VERBS.values() else None
    if lemma is None or (before in _DETERMINERS and before != "that"):
        return None
    first = place - 1 if denied else place
    return _made(words, _Verb(lemma, place, first, denied, form.endswith("ed")))


def _behind_auxiliary(words: list[Word], place: int) -> Predicate | None:
    if place == 0:
        return None
    base = _CONTRACTED.get(words[place].form, words[place].form)
    verb = place + 1
    while verb < len(words) and _goes_with_auxiliary(words[verb]):
        verb += 1
    between = {word.form for word in words[place:verb]}
    negated = bool(between & NEGATIONS) or words[place - 1].form in ("never", "not")
    past = words[place].form in _PAST or "been" in between
    if base in _BE or between & {"be", "been"}:
        return _copular(words, _Verb("be", verb - 1, place, negated, past))
    if base in _HAVE and (verb >= len(words) or verb_of(words[verb].form) is None):
        return _made(words, _Verb("have", verb - 1, place, negated, base == "had"))
    if verb >= len(words):
        return None
    return _made(words, _Verb(plain_verb_of(words[verb].form), verb, place, negated, past))


def _goes_with_auxiliary(word: Word) -> bool:
    return word.form in NEGATIONS or word.form in ("been", "be") or _skipped(word)


def _copular(words: list[Word], copula: _Verb) -> Predicate | None:
    """Is, or with a participle behind it: is running, was cancelled."""
    place = copula.place + 1
    if place < len(words) and not words[place].is_capitalised and (lemma := _participle(words[place].form)):
        passive = not words[place].form.endswith("ing")
        return _made(words, copula._replace(lemma=lemma, place=place, passive=passive))
    return _made(words, copula)


def _participle(form: str) -> str | None:
    if form.endswith("ing") and len(form) > 5:
        return plain_verb_of(form)
    lemma = verb_of(form)
    return lemma if lemma != "be" else None


def _skipped(word: Word) -> bool:
    return word.form in _SKIPPED or word.is_adverb


def _nobody(words: list[Word]) -> bool:
    return words[0].form in ("no", "none", "nobody", "neither")


_NOT_SUBJECT = word_set("no none neither all every each in on at that and but so")


def _made(words: list[Word], verb: _Verb) -> Predicate | None:
    nobody = _nobody(words)
    subject = [at for at in range(verb.first) if not _skipped(words[at]) and words[at].form not in _LIGHT]
    while subject and words[subject[0]].form in _NOT_SUBJECT:
        subject.pop(0)
    while subject and words[subject[-1]].form in NEGATIONS | PLANS:
        subject.pop()
    if not subject and not nobody:
        return None
    rest = list(range(verb.place + 1, len(words)))
    # It has no doors, there is no doubt, it caused no harm.
    denied = bool(rest) and words[rest[0]].form in ("no", "not") and verb.lemma in ("be", "have", "cause")
    negated = verb.negated or nobody or denied
    return Predicate(verb.lemma, kind_of(verb.lemma), verb.place, subject, rest, negated, verb.passive, verb.past)


def _thai(words: list[Word]) -> Predicate | None:
    for place in range(1, len(words)):
        text = words[place].text
        lemma = THAI_VERBS.get(text)
        if text in _THAI_NEGATIONS and text in ("ไม่มี", "ไม่ใช่", "มิใช่"):
            lemma = "have" if text == "ไม่มี" else "be"
        if lemma is None or (text in _THAI_LIGHT and _goes_on(words, place)):
            continue
        return _thai_made(words, place, lemma)
    return None


def _goes_on(words: list[Word], place: int) -> bool:
    return any(word.text in THAI_VERBS for word in words[place + 1 : place + 3])


def _thai_made(words: list[Word], place: int, lemma: str) -> Predicate | None:
    first = place
    while first > 0 and (words[first - 1].text in _THAI_LIGHT or words[first - 1].form in NEGATIONS | HEDGES | PLANS):
        first -= 1
    between = [words[at].text for at in range(first, place + 1)]
    negated = any(text in _THAI_NEGATIONS for text in between)
    rest = list(range(place + 1, len(words)))
    # "not" may stand behind the first of two verbs: เดินทางไปไม่ได้ is another thing, and left alone.
    while rest and words[rest[0]].text in THAI_VERBS and THAI_VERBS[words[rest[0]].text] == lemma:
        rest.pop(0)
    if lemma == "stay" and not any(words[at].is_thai for at in rest if words[at].text != "ที่"):
        lemma = "be"
    subject = list(range(first))
    return Predicate(lemma, kind_of(lemma), place, subject, rest, negated, "ถูก" in between) if subject else None
