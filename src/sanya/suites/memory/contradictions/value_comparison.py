"""Values of two statements that are laid side by side, and whether they give one property two values.

Everything here is a pure function.
"""

from __future__ import annotations

from collections.abc import Sequence

from sanya.suite.text import stem_english
from sanya.suites.memory.contradictions.alignment import Alignment, count_free, count_words
from sanya.suites.memory.contradictions.fact_terms import ATTRIBUTES, MOVABLE, ROLES, SINGLE
from sanya.suites.memory.contradictions.frames import is_single_event
from sanya.suites.memory.contradictions.statements import SELF, MemoryStatement
from sanya.suites.memory.contradictions.typed_values import TypedValue, is_other_value
from sanya.suites.memory.parsing.places import find_place
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_SINGLE_VERBS = frozenset(map(stem_english, _WORDS.read_words("single_valued_verbs"))) | SINGLE
_SINGLE_NOUNS = frozenset(map(stem_english, _WORDS.read_words("single_valued_nouns"))) | ATTRIBUTES
_PLACING = frozenset(map(stem_english, _WORDS.read_words("placing")))
_LIVING = frozenset(("live", "resid", "stay", "อยู่", "อาศัย", "พัก"))
_MOVING = frozenset(("move", "reloc", "ย้าย"))
_HOMES = frozenset(map(stem_english, _WORDS.read_words("homes")))
TIMES = frozenset(("date", "clock", "clock until", "day", "month"))
_QUANTITIES = ("amount", "clock", "date", "version", "ratio", "blood", "frequency", "grade")
_PERIODS = frozenset(("amount time", "state:price"))
# Two values of one of these kinds say more than a word that only one side has.
_TELLING = ("amount ", "clock", "version", "ratio", "frequency", "grade")
_LIMITS = frozenset(map(stem_english, _WORDS.read_words("limits"))) | _WORDS.read_set("limits")
_UP_TO = _WORDS.read_set("up_to")
_MIN_SHARED = 2


def compare_values(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> str | None:
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
    if newer.negated or (newer.is_plan and not differing <= TIMES) or (len(states) > 1 and not newer.announces):
        return None
    if _is_narrower(newer, older, pair, differing):
        return None
    if _is_moved(newer, older, pair):
        return "one thing cannot be in two places"
    if states and differing == states:
        is_other = _has_other_time(newer, older, pair) or _is_about_others(pair)
        return None if is_other or _is_naming_things(newer, older, pair, states) else "they name different states"
    if len(differing) == 1 or (differing and differing <= TIMES and newer.announces):
        return _judge_values(newer, older, pair, differing)
    return None


def _is_narrower(newer: MemoryStatement, older: MemoryStatement, pair: Alignment, differing: set[str]) -> bool:
    """Tell whether one side alone has a name, code or time: "the invoice from Marlow", "the budget for 2026"."""
    narrowing = {*TIMES, "code", "name", "version", "address"} - differing
    if newer.is_daily or older.is_daily:
        narrowing -= {"day"}  # what holds on all days holds on Mondays
    own, other = ({value.kind for value in side} & narrowing for side in (pair.own_values, pair.other_values))
    if "name" in own and any(value.kind == "name" and find_place(value.text) for value in pair.own_values):
        return True
    return bool(other - own) if newer.announces or newer.ends else bool(own or other)


def _count_free_for(newer: MemoryStatement, pair: Alignment, differing: set[str]) -> int:
    """Return how many words only one side may have. A unit says much of what is measured: "Nils is down to 86 kg"."""
    free = count_free(newer, pair)
    if not newer.announces:
        return free
    if free >= -1 and any(kind.startswith(_TELLING) for kind in differing):
        free = max(1, free + 1)
    is_measure = any(kind.startswith("amount ") for kind in differing)
    return max(1, free) if is_measure and not (pair.own and pair.other) else free


def _count_extra(newer: MemoryStatement, pair: Alignment, differing: set[str]) -> int:
    """Return how many words only one side has. Of an address, nobody need say that it is where somebody lives."""
    words = [*pair.own, *pair.other]
    if newer.announces and "date" in differing and _UP_TO.intersection(newer.sequence):
        words = [word for word in words if word not in _LIMITS]  # "expires on", "extended to"
    for values in (pair.own_values, pair.other_values):
        words += [value.text for value in values if value.kind.startswith("state:word") and value.kind not in differing]
    if all(list_states(values, differing) for values in (pair.own_values, pair.other_values)):
        words += ["state", "state", "state"]  # each names a state of its own: the paid plan, the free plan
    return sum(word not in _HOMES for word in words) if "address" in differing else len(words)


def has_other_quantity(newer: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether both give an amount of one thing, and the newer one announces another."""
    own, other = ({value.kind for value in side if value.amount} for side in (pair.own_values, pair.other_values))
    return newer.announces and bool(own & other)


def find_shared_states(pair: Alignment) -> set[str]:
    """Return the kinds of state of which each side has its own: "is under warranty", "the warranty ran out"."""
    own, other = ({state.kind for state in list_states(side, set())} for side in (pair.own_values, pair.other_values))
    return own & other


def list_states(values: Sequence[TypedValue], differing: set[str]) -> list[TypedValue]:
    return [value for value in values if value.kind.startswith("state:") and value.kind not in differing]


def is_contrasted(pair: Alignment, denied: frozenset[str]) -> bool:
    """Tell whether the older one has a code or a name of its own that is not what was denied."""
    return any(value.kind in ("code", "name") and value.text not in denied for value in pair.other_values)


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


def _has_other_time(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    if newer.is_daily or older.is_daily:
        return False
    own, other = ({value.kind for value in side} for side in (pair.own_values, pair.other_values))
    return bool((own & other if newer.announces or newer.ends else own | other) & TIMES)


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
    if (newer.is_indefinite or older.is_indefinite) and differing <= {*TIMES, "code", "name"}:
        return None
    if differing <= {"code", "name"}:
        is_leading = _is_leading(pair, newer, older) and not _is_role_taken(newer, older, pair)
        is_other = _is_single(newer, older, pair) and not is_leading
        return "they give different values" if is_other else None
    if is_contrasted(pair, frozenset()):
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
    if count_words(pair) + names < _MIN_SHARED or newer.is_one_of_many or older.is_one_of_many:
        return False
    return kind not in TIMES or (is_single_event(newer) and is_single_event(older))


def _is_single(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the name or code is what the two statements say of one thing, of which it has one at a time."""
    allowed = ("code", "name", *TIMES) if newer.announces else ("code", "name")
    if any(value.kind not in allowed for value in (*pair.own_values, *pair.other_values)):
        return False
    if newer.verbs & older.verbs & _SINGLE_VERBS or pair.shared & _SINGLE_NOUNS:
        return True
    return count_free(newer, pair) > 0 and bool(pair.shared)


def _is_role_taken(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether somebody else is now "our landlord" or the head of the same thing, which has one at a time."""
    is_known = any(term.startswith(SELF) for term in pair.shared) or len(pair.shared) > 1 or bool(pair.shared_values)
    return is_known and bool(pair.shared & ROLES) and "be" in newer.verbs & older.verbs and not pair.own | pair.other


def _is_leading(pair: Alignment, newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell whether the values stand before the verb in both, so that the statements are about different subjects."""
    own = {value.text for value in pair.own_values}
    other = {value.text for value in pair.other_values}
    return bool(own & newer.subject) and bool(other & older.subject)
