"""Stated facts: a property, its value, and when two of them exclude each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sanya.suite.text import has_thai
from sanya.suites.memory.parsing.amounts import Amount, may_agree
from sanya.suites.memory.parsing.places import find_place, is_surely_elsewhere
from sanya.suites.memory.parsing.times import TimeRange, relate_times

_MAX_KEY_TERMS = 12
# What is in a town is also on a floor.
_PARTS_OF_BUILDINGS = frozenset(("floor", "storey", "basement", "wing", "room", "ชั้น", "ห้อง", "ตึก", "อาคาร"))


@dataclass(frozen=True, slots=True)
class StatedFact:
    key: str
    amounts: tuple[Amount, ...] = ()
    when: TimeRange | None = None
    terms: frozenset[str] = frozenset()
    """The value in words: names as `@key`, weekdays as `day:`, states as `state:`, otherwise stems and codes."""
    negated: bool = False
    replaces: bool = False
    """True if the text says that this is a correction or a change."""

    @property
    def has_value(self) -> bool:
        return bool(self.amounts or self.when or self.terms)


def make_fact_key(kind: str, terms: set[str], amounts: tuple[Amount, ...] = (), when: TimeRange | None = None) -> str:
    numbers = [f"{amount.low.normalize():f}{amount.unit}" for amount in amounts]
    # A name at the beginning of a sentence is not always seen as one, so a key does not tell names from other words.
    plain = sorted(term.removeprefix("@") for term in terms)
    return " ".join([kind, *plain[:_MAX_KEY_TERMS], *numbers, *([when.to_iso()] if when else [])])


def is_same_fact(fact: StatedFact, other: StatedFact) -> bool:
    """Tell whether two facts give the same property the same value."""
    return fact.has_value and replace(fact, replaces=False) == replace(other, replaces=False)


def find_fact_conflict(fact: StatedFact, other: StatedFact) -> str | None:
    """Return why two facts with the same key exclude each other, or None."""
    if fact.key != other.key:
        return None
    if not fact.has_value:
        return "one denies what the other says" if fact.negated is not other.negated else None
    if fact.amounts and other.amounts:
        is_other = _is_other_amount(fact.amounts[0], other.amounts[0])
        is_other = is_other or (
            fact.replaces is not other.replaces and _is_near_amount(fact.amounts[0], other.amounts[0])
        )
        return "they give different amounts" if is_other else None
    if fact.when and other.when:
        return "they give different times" if _is_other_time(fact.when, other.when) else None
    if bool(fact.amounts) is not bool(other.amounts) or bool(fact.when) is not bool(other.when):
        return None
    is_announced = fact.replaces or other.replaces
    return "they give different values" if _exclude(fact, other, is_announced=is_announced) else None


def _is_other_amount(amount: Amount, other: Amount) -> bool:
    """Tell whether two amounts of one unit differ. Two limits ("at most 25 MB") are compared as such."""
    if amount.bound == other.bound:
        amount, other = replace(amount, bound="exact"), replace(other, bound="exact")
    return amount.unit == other.unit and not may_agree(amount, other)


def _is_near_amount(amount: Amount, other: Amount) -> bool:
    """Tell two amounts that are as near as rounding, of which a text says that one replaces the other."""
    is_exact = all(each.bound == "exact" and each.low == each.high for each in (amount, other))
    return is_exact and amount.unit == other.unit and amount.low != other.low


def _is_other_time(when: TimeRange, other: TimeRange) -> bool:
    """Tell whether two times differ. Of two periods that are open on one side, the other ends are compared."""
    if when.start is None and other.start is None and when.end and other.end:
        when, other = TimeRange(when.end, when.end), TimeRange(other.end, other.end)
    elif when.end is None and other.end is None and when.start and other.start:
        when, other = TimeRange(when.start, when.start), TimeRange(other.start, other.start)
    return relate_times(when, other) == "apart"


def _exclude(fact: StatedFact, other: StatedFact, *, is_announced: bool) -> bool:
    mine, theirs = fact.terms - other.terms, other.terms - fact.terms
    is_property = fact.key.startswith("value ")
    if (
        not mine
        or not theirs
        or {term.removeprefix("@") for term in mine} & {term.removeprefix("@") for term in theirs}
    ):
        return False
    kinds, other_kinds = _list_kinds(mine), _list_kinds(theirs)
    if kinds and other_kinds and not kinds & other_kinds:
        return False  # on Tuesday, and at nine
    names, other_names = ({term[1:] for term in part if term.startswith("@")} for part in (mine, theirs))
    if bool(names) is not bool(other_names):
        return is_property and not (mine | theirs) & _PARTS_OF_BUILDINGS
    if names:
        pairs = [(name, known) for name in names for known in other_names]
        return all(_is_other_name(name, known, is_announced=is_announced) for name, known in pairs)
    return True


def _list_kinds(terms: set[str] | frozenset[str]) -> set[str]:
    """Return "day", "month" and "#" of the terms that are weekdays, months and codes."""
    return {term.partition(":")[0] for term in terms if term.startswith(("day:", "month:"))} | {
        "#" for term in terms if term.startswith("#")
    }


def _is_other_name(name: str, other: str, *, is_announced: bool) -> bool:
    """Tell whether two names are surely two. Who says that somebody moved need not name a place that we know."""
    are_known = bool(find_place(name)), bool(find_place(other))
    if all(are_known) or (any(are_known) and not is_announced):
        return is_surely_elsewhere(name, other)
    words, others = set(name.split()) - set(other.split()), set(other.split()) - set(name.split())
    is_short = any(word.startswith(other) or other.startswith(word) for word in words for other in others)
    return has_thai(name) == has_thai(other) and bool(words and others) and not is_short
