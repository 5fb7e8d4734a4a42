"""Conflicts of two statements that are laid side by side: what they share, and what only one of them has.

Two statements of one thing share its words. If all else is one value of one kind on each side, and the values differ,
they exclude each other: "the ferry is booked for 9 July" and "for 12 July". Every other word that only one of them has
makes it likelier that they speak of different things, so without a sign of change none is allowed. A statement that
announces a change ("rebooked the ferry to 12 July", "not hall 4", เลื่อนเป็น) may bring a few words of its own, fewer
than it shares.

Everything here is a pure function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sanya.suite.text import has_thai, stem_english
from sanya.suites.memory.contradictions.fact_terms import ATTRIBUTES, MOVABLE, SINGLE
from sanya.suites.memory.contradictions.frames import compare_frames, is_single_event
from sanya.suites.memory.contradictions.statements import SELF, MemoryStatement
from sanya.suites.memory.contradictions.typed_values import TypedValue, copy_unit, is_other_value
from sanya.suites.memory.parsing.places import find_place
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_SINGLE_VERBS = frozenset(map(stem_english, _WORDS.read_words("single_valued_verbs"))) | SINGLE
_SINGLE_NOUNS = frozenset(map(stem_english, _WORDS.read_words("single_valued_nouns"))) | ATTRIBUTES
_DISTINGUISHING = frozenset(map(stem_english, _WORDS.read_words("distinguishing")))
_PLACING = frozenset(map(stem_english, _WORDS.read_words("placing")))
_DEPARTED = frozenset(("left",))
_SIDES = _WORDS.read_set("sides")
_LIVING = frozenset(("live", "resid", "stay", "อยู่", "อาศัย", "พัก"))
_MOVING = frozenset(("move", "reloc", "ย้าย"))
_HOMES = frozenset(map(stem_english, _WORDS.read_words("homes")))
_AGENTS = _WORDS.read_set("agents")
_TIMES = frozenset(("date", "clock", "clock until", "day", "month"))
_QUANTITIES = ("amount", "clock", "date", "version", "ratio", "blood")
_PERIODS = frozenset(("amount time", "state:price"))
# Two values of one of these kinds say more than a word that only one side has.
_TELLING = ("amount ", "clock", "version", "ratio")
_LIMITS = frozenset(map(stem_english, _WORDS.read_words("limits"))) | _WORDS.read_set("limits")
_UP_TO = _WORDS.read_set("up_to")
_MIN_SHARED = 2
_PHASES = frozenset(map(stem_english, _WORDS.read_words("phases")))
_MIN_PIECE = 2
_MAX_FREE = 2
_MAX_TOPIC_WORDS = 20


@dataclass(frozen=True, slots=True)
class Alignment:
    """Words and values that two statements share, and those that only the newer or the older one has."""

    shared: frozenset[str]
    own: frozenset[str]
    other: frozenset[str]
    shared_values: frozenset[TypedValue]
    own_values: tuple[TypedValue, ...]
    other_values: tuple[TypedValue, ...]

    @property
    def extra(self) -> int:
        return len(self.own) + len(self.other)


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
                return StatementConflict(reason, statement.corrects or bool(statement.denied) or statement.ends)
    return None


def list_topic_words(statements: Sequence[MemoryStatement]) -> list[str]:
    """Return the words by which statements of the same things are found, the names and codes first."""
    words: dict[str, None] = {}
    for statement in statements:
        words |= dict.fromkeys(
            part for value in statement.values if value.kind in ("code", "name") for part in value.text.split()
        )
    for statement in statements:
        words |= dict.fromkeys(sorted(term for term in statement.terms if not term.startswith(SELF)))
    for statement in statements:
        words |= dict.fromkeys(sorted(statement.denied))
    return list(words)[:_MAX_TOPIC_WORDS]


def compare_statements(newer: MemoryStatement, older: MemoryStatement) -> str | None:
    """Return why the newer statement excludes the older one, or None."""
    if not _may_share(newer, older) or not _is_comparable(newer, older):
        return None
    pair = align(newer, older)
    if not _share_subject(pair) or _is_about_another(newer, older, pair):
        return None
    if _is_denied(newer, older, pair):
        return "one says that the other no longer holds"
    if newer.ends != older.ends:
        ended = _is_ended(newer, older, pair) if newer.ends else not newer.announces and _is_ended(older, newer, pair)
        if ended:
            return "one says that the other has ended"
        if not (newer.ends and _find_shared_states(pair)):
            return None
    if newer.negated != older.negated:
        return "one denies what the other says" if _is_denial(newer, older, pair) else None
    return _compare_values(newer, older, pair) or compare_frames(newer, older)


def _is_comparable(newer: MemoryStatement, older: MemoryStatement) -> bool:
    if newer.speakers and older.speakers and newer.speakers != older.speakers:
        return False
    if newer.speaker and older.speaker and newer.speaker != older.speaker:
        return False
    if (older.is_past and not newer.is_past) or newer.adds or older.adds:
        return False
    return newer.announces or not (newer.is_plan or older.is_plan)


def _may_share(newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell cheaply whether the two can have a word in common: most pairs have none."""
    if not newer.terms.isdisjoint(older.terms):
        return True
    for name in newer.solid_names:
        if name in older.text:
            return True
    if newer.denied:
        return any(word in older.text for word in newer.denied)
    for term in newer.thai_terms:  # noqa: SIM110 - a loop takes half the time of any(), and most pairs end here
        if _is_inside(term, older):
            return True
    return False


def _is_about_another(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether one side has a word that makes another thing of the same: "the test server", "Emma's husband"."""
    words = pair.other if newer.denied & older.terms else pair.own | pair.other  # "renamed from master to main"
    if pair.shared & MOVABLE:
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


def align(newer: MemoryStatement, older: MemoryStatement) -> Alignment:
    own, other = newer.terms - older.terms, older.terms - newer.terms
    inside = {term for term in own if _is_inside(term, older)} | {term for term in other if _is_inside(term, newer)}
    shared = frozenset(newer.terms & older.terms | inside)
    announced = newer.announces
    matched = {
        value for value in newer.values if any(_is_same(value, mine, is_announced=announced) for mine in older.values)
    }
    matched |= {value for value in newer.values if _is_named_in(value, older)}
    matched |= {value for value in older.values if _is_named_in(value, newer)}
    speakers = newer.speakers | older.speakers
    own_values = tuple(value for value in newer.values if value not in matched)
    other_values = tuple(
        value for value in older.values if not any(_is_same(value, mine, is_announced=announced) for mine in matched)
    )
    return Alignment(
        shared,
        frozenset(own - inside - _AGENTS - speakers),
        frozenset(other - inside - _AGENTS - speakers),
        frozenset(matched),
        copy_unit(own_values, other_values) if newer.announces else own_values,
        copy_unit(other_values, own_values) if newer.announces else other_values,
    )


def _is_inside(term: str, statement: MemoryStatement) -> bool:
    """Tell whether the words of the other statement hold the term in pieces, because Thai was cut in another way."""
    if not has_thai(term):
        return len(term) > _MIN_PIECE and term in statement.text
    start = 0
    while start < len(term):
        end = next(
            (end for end in range(len(term), start + _MIN_PIECE - 1, -1) if term[start:end] in statement.text), None
        )
        if end is None:
            return False
        start = end
    return True


def _is_same(value: TypedValue, other: TypedValue, *, is_announced: bool) -> bool:
    if value.kind != other.kind:
        return False
    return value == other or (
        not is_other_value(value, other, is_announced=is_announced)
        and (value.kind != "name" or value.text == other.text or not _has_no_word_in_common(value, other))
    )


def _has_no_word_in_common(value: TypedValue, other: TypedValue) -> bool:
    return not set(value.text.split()) & set(other.text.split())


def _is_named_in(value: TypedValue, statement: MemoryStatement) -> bool:
    return value.kind in ("name", "code") and value.text.replace(" ", "") in statement.text


def _count_free(newer: MemoryStatement, pair: Alignment) -> int:
    """Return how many words only one side may have: none, or where a change is announced fewer than both share."""
    weight = _count_words(pair) + sum(value.kind in ("code", "name") for value in pair.shared_values)
    if newer.corrects and not (pair.own and pair.other):
        return min(_MAX_FREE, weight)
    if pair.own and pair.other:
        weight -= 1
    return min(_MAX_FREE, weight - 1) if newer.announces or newer.ends else 0


def _count_free_for(newer: MemoryStatement, pair: Alignment, differing: set[str]) -> int:
    """Return how many words only one side may have. A unit says much of what is measured: "Nils is down to 86 kg"."""
    free = _count_free(newer, pair)
    if not newer.announces:
        return free
    if free >= -1 and any(kind.startswith(_TELLING) for kind in differing):
        free = max(1, free + 1)
    is_measure = any(kind.startswith("amount ") for kind in differing)
    return max(1, free) if is_measure and not (pair.own and pair.other) else free


def _is_denied(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """ "Not hall 4", "from Jenkins to Actions", "Anchalee resigned": what the older one alone has is what is denied."""
    if not newer.denied:
        return False
    left = {term for term in pair.other if not any(term in word or word in term for word in newer.denied)}
    texts = {value.text for value in older.values} | older.terms
    is_named = bool(texts & newer.denied) or any(has_thai(word) and word in older.text for word in newer.denied)
    return is_named and len(left) <= _count_free(newer, pair) and not _is_contrasted(pair, newer.denied)


def _is_contrasted(pair: Alignment, denied: frozenset[str]) -> bool:
    """Tell whether the older one has a code or a name of its own that is not what was denied."""
    return any(value.kind in ("code", "name") and value.text not in denied for value in pair.other_values)


def _is_ended(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    if older.negated or older.is_event:
        return False
    kinds = {value.kind for value in pair.other_values}
    if any(value.kind in ("code", "name") for value in (*pair.own_values, *pair.other_values)):
        return False
    if pair.extra and _list_states(pair.own_values, set()) and _list_states(pair.other_values, set()):
        return False  # "is under warranty", "has been repaired and does not leak any more"
    if {value.kind for value in pair.own_values} & _TIMES and not kinds & _TIMES:
        return False  # "closed on Mondays"
    if pair.own and pair.other:
        return False
    return pair.extra <= _count_free(newer, pair)


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
    if denial.is_universal and _count_words(pair) and any(value.kind == "name" for value in pair.shared_values):
        return True
    free = _count_free(newer, pair) if newer.announces else 0
    return pair.extra <= free and _count_words(pair) + len(pair.shared_values) > 1 and bool(_count_words(pair))


def _count_words(pair: Alignment) -> int:
    return sum(not term.startswith(SELF) for term in pair.shared)


def _compare_values(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> str | None:
    kinds = [value.kind for value in pair.own_values if value.kind in {mine.kind for mine in pair.other_values}]
    differing = {
        kind
        for kind in kinds
        if all(
            is_other_value(value, mine, is_announced=newer.announces)
            for value in pair.own_values
            for mine in pair.other_values
            if value.kind == mine.kind == kind
        )
    }
    if _count_extra(newer, pair, differing) > _count_free_for(newer, pair, differing) and not _is_moved(
        newer, older, pair
    ):
        return None
    states = {kind for kind in differing if kind.startswith("state:")}
    if newer.negated or (newer.is_plan and not differing <= _TIMES) or (len(states) > 1 and not newer.announces):
        return None
    if _is_narrower(newer, pair, differing):
        return None
    if _is_moved(newer, older, pair):
        return "one thing cannot be in two places"
    if states and differing == states:
        other = _has_other_time(newer, pair) or _is_about_others(pair) or _is_naming_things(newer, older, pair, states)
        return None if other else "they name different states"
    if len(differing) == 1 or (differing and differing <= _TIMES and newer.announces):
        return _judge_values(newer, older, pair, differing)
    return None


def _is_narrower(newer: MemoryStatement, pair: Alignment, differing: set[str]) -> bool:
    """Tell whether one side alone has a name, code or time: "the invoice from Marlow", "the budget for 2026"."""
    narrowing = {*_TIMES, "code", "name", "version", "address"} - differing
    own, other = ({value.kind for value in side} & narrowing for side in (pair.own_values, pair.other_values))
    if "name" in own and any(value.kind == "name" and find_place(value.text) for value in pair.own_values):
        return True
    return bool(other - own) if newer.announces or newer.ends else bool(own or other)


def _count_extra(newer: MemoryStatement, pair: Alignment, differing: set[str]) -> int:
    """Return how many words only one side has. Of an address, nobody need say that it is where somebody lives."""
    words = [*pair.own, *pair.other]
    if newer.announces and "date" in differing and _UP_TO.intersection(newer.sequence):
        words = [word for word in words if word not in _LIMITS]  # "expires on", "extended to"
    for values in (pair.own_values, pair.other_values):
        words += [value.text for value in values if value.kind.startswith("state:word") and value.kind not in differing]
    if all(_list_states(values, differing) for values in (pair.own_values, pair.other_values)):
        words += ["state", "state", "state"]  # each names a state of its own: the paid plan, the free plan
    return sum(word not in _HOMES for word in words) if "address" in differing else len(words)


def _find_shared_states(pair: Alignment) -> set[str]:
    """Return the kinds of state of which each side has its own: "is under warranty", "the warranty ran out"."""
    own, other = ({state.kind for state in _list_states(side, set())} for side in (pair.own_values, pair.other_values))
    return own & other


def _list_states(values: Sequence[TypedValue], differing: set[str]) -> list[TypedValue]:
    return [value for value in values if value.kind.startswith("state:") and value.kind not in differing]


def _is_moved(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether a thing that is carried about is said to be in two places."""
    if newer.verbs & _MOVING and older.verbs & _LIVING and newer.announces and not older.is_event:
        names = {value.text for value in pair.shared_values if value.kind == "name"}
        return newer.moves and bool((pair.shared | names) & newer.subject & older.subject)
    if not (pair.own and pair.other) or older.is_event or not pair.shared:
        return False
    placed = pair.shared & MOVABLE - newer.verbs or (
        newer.verbs & older.verbs & _PLACING and newer.subject & older.subject
    )
    if not (newer.preposition and older.preposition and placed) or pair.own_values or pair.other_values:
        return False
    places = pair.own | pair.other
    subjects = newer.subject & older.subject | newer.verbs & older.verbs
    return pair.shared <= subjects and not places & (newer.subject | older.subject)


def _is_about_others(pair: Alignment) -> bool:
    """Tell whether each side has a code or a name that the other has not."""
    own, other = (
        {value.kind for value in side if value.kind in ("code", "name")}
        for side in (pair.own_values, pair.other_values)
    )
    return bool(own and other)


def _has_other_time(newer: MemoryStatement, pair: Alignment) -> bool:
    own, other = ({value.kind for value in side} for side in (pair.own_values, pair.other_values))
    return bool((own & other if newer.announces or newer.ends else own | other) & _TIMES)


def _is_naming_things(newer: MemoryStatement, older: MemoryStatement, pair: Alignment, states: set[str]) -> bool:
    """Tell whether the states stand before the verb, where they name the thing: "the red bus is late".

    A clause without a known verb is all subject. There, only other words beside the state show that it names things.
    """
    named = {kind for kind in states if kind.startswith("state:word") or pair.own or pair.other}
    own, other = (
        {value.text for value in side if value.kind in named} for side in (pair.own_values, pair.other_values)
    )
    return bool(own & newer.subject and other & older.subject)


def _judge_values(newer: MemoryStatement, older: MemoryStatement, pair: Alignment, differing: set[str]) -> str | None:
    if not newer.announces:
        is_same = _is_same_property(newer, older, pair, next(iter(differing)))
        return "they give different values" if is_same else None
    if differing == {"address"} and not pair.shared & _HOMES and not newer.speakers:
        return None
    if (newer.is_indefinite or older.is_indefinite) and differing <= {*_TIMES, "code", "name"}:
        return None
    if differing <= {"code", "name"}:
        is_other = _is_single(newer, older, pair) and not _is_leading(pair, newer, older)
        return "they give different values" if is_other else None
    if _is_contrasted(pair, frozenset()):
        return None
    return "they give different values"


def _is_same_property(newer: MemoryStatement, older: MemoryStatement, pair: Alignment, kind: str) -> bool:
    """Tell whether the two share every word and differ in one quantity, which nobody said has changed."""
    if pair.own or pair.other or newer.is_event or older.is_event or not kind.startswith(_QUANTITIES):
        return False
    if {value.kind for value in (*pair.own_values, *pair.other_values)} - {kind} - _PERIODS:
        return False
    if newer.period != older.period:
        return False
    if any(sum(value.kind == kind for value in side) != 1 for side in (pair.own_values, pair.other_values)):
        return False
    names = sum(value.kind in ("name", "code") for value in pair.shared_values)
    if _count_words(pair) + names < _MIN_SHARED or newer.is_one_of_many or older.is_one_of_many:
        return False
    return kind not in _TIMES or (is_single_event(newer) and is_single_event(older))


def _is_single(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the name or code is what the two statements say of one thing, of which it has one at a time."""
    if any(value.kind not in ("code", "name") for value in (*pair.own_values, *pair.other_values)):
        return False
    if newer.verbs & older.verbs & _SINGLE_VERBS or pair.shared & _SINGLE_NOUNS:
        return True
    return _count_free(newer, pair) > 0 and bool(pair.shared)


def _is_leading(pair: Alignment, newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell whether the values stand before the verb in both, so that the statements are about different subjects."""
    own = {value.text for value in pair.own_values}
    other = {value.text for value in pair.other_values}
    return bool(own & newer.subject) and bool(other & older.subject)
