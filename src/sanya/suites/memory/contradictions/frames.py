"""Two statements in the same words but for one value: "tokens expire after 15 minutes", "after 60 minutes".

Nothing but the value tells them apart, so no word that one of them lacks can make them speak of two things. A number,
a time or a date then excludes the other, unless the statement tells what happened, which may happen again. A name or a
plain word does so only behind what gives its subject one value at a time (`frames.txt`): "runs on", "licensed under",
"is called". Of "uses", "speaks" or "has", both may hold.

Everything here is a pure function.
"""

from __future__ import annotations

from sanya.suite.text import has_thai, stem_english
from sanya.suites.memory.contradictions.fact_terms import MOVABLE, PREDICATES, SINGLE, TIMED
from sanya.suites.memory.contradictions.statements import MemoryStatement
from sanya.suites.memory.contradictions.typed_values import TypedValue, is_other_name, is_other_value
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_LEADS = frozenset(tuple(phrase.split()) for phrase in _WORDS.read_phrases("leads"))
_LONGEST_LEAD = max(map(len, _LEADS))
_PAST = frozenset(("was", "were", "had"))
_TIMED = _WORDS.read_set("timed")
_ARTICLES = _WORDS.read_set("articles")
_NOT_A_VALUE = _WORDS.read_set("not_a_value")
_PROFESSIONS = tuple(_WORDS.read_words("profession_endings"))
_QUANTITIES = ("amount", "clock", "date", "version", "ratio", "frequency", "grade")
_LYING = _WORDS.read_set("lying")
_PREPOSITIONS = _WORDS.read_set("prepositions")
_MAX_VALUE_WORDS = 5


def compare_frames(newer: MemoryStatement, older: MemoryStatement) -> str | None:
    """Return why the newer statement excludes the older one if one value is all that differs, or None."""
    if newer.is_event or older.is_event or newer.negated or newer.is_plan or older.is_plan:
        return None
    own, other = _list_quantities(newer), _list_quantities(older)
    if newer.sequence == older.sequence:
        return "they give different values" if _is_other_quantity(newer, older, own, other) else None
    if own != other or newer.is_past != older.is_past or newer.is_one_of_many:
        return None
    return "they give different values" if _is_other_word(newer.sequence, older.sequence) else None


def _list_quantities(statement: MemoryStatement) -> set[TypedValue]:
    return {value for value in statement.values if value.kind.startswith(_QUANTITIES)}


def _is_other_quantity(
    newer: MemoryStatement, older: MemoryStatement, own: set[TypedValue], other: set[TypedValue]
) -> bool:
    mine, theirs = own - other, other - own
    if _PAST & set(newer.sequence):
        return False
    if len(mine) != 1 or len(theirs) != 1 or set(newer.values) - own != set(older.values) - other:
        return False
    value, known = next(iter(mine)), next(iter(theirs))
    is_time = value.kind in ("clock", "date")
    if is_time and (newer.is_indefinite or not is_single_event(newer)):
        return False
    return is_other_value(value, known)


def is_single_event(statement: MemoryStatement) -> bool:
    """Tell whether a statement gives something its time: it opens, expires, is due. Who calls at 9 may call again."""
    keys = {PREDICATES.get(stem_english(verb)) for verb in statement.verbs} - {"name"}
    return "be" in statement.verbs or bool(keys & (TIMED | SINGLE)) or bool(_TIMED & set(statement.sequence))


def _is_other_word(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    start = _count_shared(words, others)
    end = _count_shared(words[:start:-1], others[:start:-1])
    mine, theirs = words[start : len(words) - end], others[start : len(others) - end]
    if not (0 < len(mine) <= _MAX_VALUE_WORDS and 0 < len(theirs) <= _MAX_VALUE_WORDS):
        return False
    if _NOT_A_VALUE & {*mine, *theirs}:
        return False
    before = words[:start]
    is_value = _has_lead(before) or _is_profession_pair(before, mine, theirs) or _is_place_pair(before, mine, theirs)
    return is_value and _is_other_text(mine, theirs)


def _is_other_text(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Tell whether two values in words are surely two: not a town and its country, not a name and its short form."""
    if has_thai(mine[0]) != has_thai(theirs[0]):
        return False
    if has_thai(mine[0]):
        text, other = "".join(mine).removeprefix("ที่"), "".join(theirs).removeprefix("ที่")
        return text not in other and other not in text
    return is_other_name(" ".join(mine), " ".join(theirs))


def _count_shared(words: tuple[str, ...], others: tuple[str, ...]) -> int:
    pairs = zip(words, others, strict=False)
    return next((count for count, (word, other) in enumerate(pairs) if word != other), min(len(words), len(others)))


def _has_lead(words: tuple[str, ...]) -> bool:
    """Tell whether the words end with "runs on" or "runs on the", with a subject before it."""
    while words and words[-1] in _ARTICLES:
        words = words[:-1]
    return any(words[-length:] in _LEADS for length in range(1, min(_LONGEST_LEAD, len(words) - 1) + 1))


def _is_place_pair(words: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Tell whether a thing that is carried about lies in two places: "is in the drawer", "is on Eva's desk"."""
    is_thing = any(stem_english(word) in MOVABLE for word in words)
    return is_thing and words[-1] in _LYING and mine[0] in _PREPOSITIONS and theirs[0] in _PREPOSITIONS


def _is_profession_pair(words: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Tell whether two people's trades differ: nobody is both a dermatologist and a cardiologist."""
    is_copula = words[-2:] in (("is", "a"), ("is", "an")) or words[-1:] == ("is",)
    heads = [part[-1] for part in (mine, theirs)]
    return is_copula and all(head.endswith(_PROFESSIONS) for head in heads)
