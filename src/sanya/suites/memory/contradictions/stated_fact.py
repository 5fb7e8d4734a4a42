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
        same = fact.amounts[0].unit == other.amounts[0].unit
        return "they give different amounts" if same and not may_agree(fact.amounts[0], other.amounts[0]) else None
    if fact.when and other.when:
        return "they give different times" if relate_times(fact.when, other.when) == "apart" else None
    if bool(fact.amounts) is not bool(other.amounts) or bool(fact.when) is not bool(other.when):
        return None
    return "they give different values" if _exclude(fact.terms, other.terms, fact.key.startswith("value ")) else None


def _exclude(terms: frozenset[str], others: frozenset[str], is_property: bool) -> bool:
    mine, theirs = terms - others, others - terms
    if not mine or not theirs:
        return False
    names, other_names = ({term[1:] for term in part if term.startswith("@")} for part in (mine, theirs))
    if bool(names) is not bool(other_names):
        return is_property and not (mine | theirs) & _PARTS_OF_BUILDINGS
    if names:
        pairs = [(name, other) for name in names for other in other_names]
        return all(_is_other_name(name, other) for name, other in pairs)
    return True


def _is_other_name(name: str, other: str) -> bool:
    if find_place(name) or find_place(other):
        return is_surely_elsewhere(name, other)
    words, others = set(name.split()) - set(other.split()), set(other.split()) - set(name.split())
    is_short = any(word.startswith(other) or other.startswith(word) for word in words for other in others)
    return has_thai(name) == has_thai(other) and bool(words and others) and not is_short
