"""Conflicts of two statements that are laid side by side.

If all else is one value of one kind on each side, and the values differ, they exclude each other: "the ferry is booked
for 9 July" and "for 12 July". So they do if one denies what the other says, or says that it has ended.

Everything here is a pure function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sanya.suite.text import has_thai, stem_english
from sanya.suites.memory.contradictions.alignment import Alignment, align, count_free, count_words, may_share
from sanya.suites.memory.contradictions.fact_terms import MOVABLE
from sanya.suites.memory.contradictions.frames import compare_frames
from sanya.suites.memory.contradictions.locations import find_other_location
from sanya.suites.memory.contradictions.progress import has_happened
from sanya.suites.memory.contradictions.statements import SELF, MemoryStatement
from sanya.suites.memory.contradictions.switches import is_done_by_another, is_replaced, is_switched
from sanya.suites.memory.contradictions.value_comparison import (
    TIMES,
    compare_values,
    find_shared_states,
    has_other_quantity,
    is_contrasted,
    list_states,
)
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_DISTINGUISHING = frozenset(map(stem_english, _WORDS.read_words("distinguishing")))
_PHASES = frozenset(map(stem_english, _WORDS.read_words("phases")))
_SIDES = _WORDS.read_set("sides")
_DEPARTED = frozenset(("left",))
_MIN_SHARED = 2
_MAX_OBJECT = 2
_MAX_LEFT = 2
_THAI_NEGATION = re.compile("(?:ยัง)?ไม่(?:ได้)?")
_MAX_NEGATION = 9


HAPPENED = "one says that what the other awaits has happened"


class StatementConflict(NamedTuple):
    reason: str
    is_announced: bool
    """True if the newer statement says that this is a correction or a change."""


def find_statement_conflict(
    newer: Sequence[MemoryStatement], older: Sequence[MemoryStatement]
) -> StatementConflict | None:
    """Return why two texts exclude each other, or None."""
    for statement in newer:
        for other in older:
            reason = compare_statements(statement, other)
            if reason is not None:
                is_change = statement.corrects or bool(statement.denied) or statement.ends or reason == HAPPENED
                return StatementConflict(reason, is_change)
    return None


def compare_statements(newer: MemoryStatement, older: MemoryStatement) -> str | None:
    """Return why the newer statement excludes the older one, or None."""
    if not may_share(newer, older) or not _is_comparable(newer, older):
        return None
    pair = align(newer, older)
    if not _share_subject(pair) or _is_about_another(newer, older, pair):
        return None
    if _is_denied(newer, older, pair):
        return "one says that the other no longer holds"
    is_same_speaker = bool(newer.speakers & older.speakers)
    if has_happened(newer.progress, older.progress, is_same_speaker=is_same_speaker):
        return HAPPENED
    if _exclude_others(newer, older, pair):
        return "one says that nothing else holds"
    if is_switched(newer, older, pair) or is_replaced(newer, older, pair) or is_done_by_another(newer, older, pair):
        return "they give different values"
    if _is_equal_but_for_negation(newer, older):
        return "one denies what the other says"
    if newer.location and older.location and not older.is_event:
        reason = find_other_location(newer.location, older.location)
        if reason is not None:
            return reason
    if newer.ends != older.ends:
        ended = _is_ended(newer, older, pair) if newer.ends else not newer.announces and _is_ended(older, newer, pair)
        if ended:
            return "one says that the other has ended"
        if not (newer.ends and (find_shared_states(pair) or has_other_quantity(newer, pair))):
            return None
    if newer.negated != older.negated:
        return "one denies what the other says" if _is_denial(newer, older, pair) else None
    return compare_values(newer, older, pair) or compare_frames(newer, older)


def _is_comparable(newer: MemoryStatement, older: MemoryStatement) -> bool:
    if newer.speakers and older.speakers and newer.speakers != older.speakers:
        return False
    if newer.speaker and older.speaker and newer.speaker != older.speaker:
        return False
    if (older.is_past and not newer.is_past) or newer.adds or older.adds:
        return False
    return newer.announces or not (newer.is_plan or older.is_plan)


def _is_about_another(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether one side has a word that makes another thing of the same: "the test server", "Emma's husband"."""
    # "Renamed from master to main"
    words = pair.other if newer.denied & older.terms else pair.own | pair.other
    if not (newer.location and newer.location.is_moved):
        words |= pair.agent
    if pair.shared & MOVABLE or (newer.location and older.location):
        words -= _SIDES
    if newer.denied:
        words -= _DEPARTED
    return any(term in _DISTINGUISHING and term not in newer.denied for term in words)


def _share_subject(pair: Alignment) -> bool:
    """Tell whether the two speak of one thing. That something begins, opens or ends says nothing of what."""
    words = {term for term in pair.shared if not term.startswith(SELF)}
    if any(value.kind in ("code", "name") for value in pair.shared_values) or words - _PHASES:
        return True
    if words and len(words) < len(pair.shared):
        return True
    return bool(pair.shared) and any(value.kind == "address" for value in pair.own_values)


def _is_denied(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """ "Not hall 4", "from Jenkins to Actions", "Anchalee resigned": what the older one alone has is what is denied."""
    if not newer.denied:
        return False
    left = {term for term in pair.other if not any(term in word or word in term for word in newer.denied)}
    texts = {value.text for value in older.values} | older.terms
    is_named = bool(texts & newer.denied) or any(has_thai(word) and word in older.text for word in newer.denied)
    free = count_free(newer, pair)
    if _is_naming_old_value(newer, older) and _has_other_topic(newer, pair):
        free = max(free, _MAX_LEFT)
    return is_named and len(left) <= free and not is_contrasted(pair, newer.denied)


def _is_equal_but_for_negation(newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell whether two Thai texts are equal but for a negation. In one of them its words may be cut in another way."""
    if newer.is_event or older.is_event or len(newer.text) == len(older.text) or not has_thai(newer.text):
        return False
    short, long = sorted((newer.text, older.text), key=len)
    return len(long) - len(short) <= _MAX_NEGATION and any(
        long[: match.start()] + long[match.end() :] == short for match in _THAI_NEGATION.finditer(long)
    )


def _is_naming_old_value(newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell whether the newer one denies a name or a word of the older one, and not "Dana" of "Dana's assistant"."""
    named = newer.denied & ({value.text for value in older.values} | older.terms)
    return any(not re.search(rf"{re.escape(word.replace(' ', ''))}['’]s", older.text) for word in named)


def _has_other_topic(newer: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the two share more than what is denied."""
    names = {value.text for value in pair.shared_values if value.kind in ("code", "name")}
    return bool((pair.shared | names) - newer.denied)


def _exclude_others(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether one says "cards only" and the other names something else in its place."""
    if newer.is_exclusive == older.is_exclusive or newer.negated or older.negated or newer.is_event or older.is_event:
        return False
    values = (*pair.own_values, *pair.other_values)
    if any(value.kind != "name" for value in values) or len(newer.verbs & older.verbs) < _MIN_SHARED:
        return False
    counts = len(pair.own) + len(pair.own_values), len(pair.other) + len(pair.other_values)
    return _share_subject(pair) and all(0 < count <= _MAX_OBJECT for count in counts)


def _is_ended(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    if older.negated or older.is_event:
        return False
    kinds = {value.kind for value in pair.other_values}
    if any(value.kind in ("code", "name") for value in (*pair.own_values, *pair.other_values)):
        return False
    if pair.extra and list_states(pair.own_values, set()) and list_states(pair.other_values, set()):
        return False  # "is under warranty", "has been repaired and does not leak any more"
    if {value.kind for value in pair.own_values} & TIMES and not kinds & TIMES:
        return False  # "closed on Mondays"
    if pair.own and pair.other:
        return False
    return pair.extra <= count_free(newer, pair)


def _is_denial(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the denial covers what the other says, which may only add how much, when and how often."""
    denial, stated = (newer, older) if newer.negated else (older, newer)
    if stated.denied or (denial.denied and not any(word in stated.text for word in denial.denied)):
        return False  # what it denies was taken out of its words
    denial_words = pair.own if newer.negated else pair.other
    denial_values = pair.own_values if newer.negated else pair.other_values
    stated_values = pair.other_values if newer.negated else pair.own_values
    if denial_words:
        return False
    if any(not value.kind.startswith("state:") or value.kind.startswith("state:word") for value in denial_values):
        return False
    if any(value.kind in ("code", "name") for value in stated_values):
        return False
    if denial.is_universal and count_words(pair) and any(value.kind == "name" for value in pair.shared_values):
        return True
    free = count_free(newer, pair) if newer.announces else 0
    return pair.extra <= free and count_words(pair) + len(pair.shared_values) > 1 and bool(count_words(pair))
