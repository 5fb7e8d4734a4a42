"""Two statements laid side by side: what they share, and what only one of them has.

Two statements of one thing share its words. Every other word that only one of them has makes it likelier that they
speak of different things, so without a sign of change none is allowed. A statement that announces a change ("rebooked
the ferry to 12 July", "not hall 4", เลื่อนเป็น) may bring a few words of its own, fewer than it shares.

Everything here is a pure function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sanya.suite.text import has_thai
from sanya.suites.memory.contradictions.statements import SELF, MemoryStatement
from sanya.suites.memory.contradictions.typed_values import TypedValue, copy_unit, is_other_value, make_weekday
from sanya.suites.memory.word_lists import open_word_file

_AGENTS = open_word_file(__file__).read_set("agents")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
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
    agent: frozenset[str] = frozenset()
    """Words for who made the change, of whom the older one does not speak."""

    @property
    def extra(self) -> int:
        return len(self.own) + len(self.other)


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
    own_values, other_values = (
        _keep_comparable(own_values, other_values, is_announced=announced),
        _keep_comparable(other_values, own_values, is_announced=announced),
    )
    agents = _AGENTS if announced else frozenset[str]()
    own -= inside | agents | speakers
    agent = newer.agent if newer.agent <= own else frozenset()
    return Alignment(
        shared,
        frozenset(own - agent),
        frozenset(other - inside - agents - speakers),
        frozenset(matched),
        copy_unit(own_values, other_values) if newer.announces else own_values,
        copy_unit(other_values, own_values) if newer.announces else other_values,
        agent,
    )


def _keep_comparable(
    values: tuple[TypedValue, ...], others: tuple[TypedValue, ...], *, is_announced: bool
) -> tuple[TypedValue, ...]:
    """Return the values without a frequency that only one side gives, and a new date as the weekday it falls on.

    Who says at what hour something happens every day need not say "every day".
    """
    kinds = {value.kind for value in others}
    if is_announced and "day" in kinds and "date" not in kinds:
        values = tuple(make_weekday(value) or value for value in values)
    return tuple(value for value in values if value.kind != "frequency" or "frequency" in kinds)


def may_share(newer: MemoryStatement, older: MemoryStatement) -> bool:
    """Tell cheaply whether the two can have a word in common: most pairs have none."""
    if not newer.terms.isdisjoint(older.terms):
        return True
    for name in newer.solid_names:
        if name in older.text:
            return True
    if any(name in newer.text for name in older.solid_names):
        return True
    if newer.denied:
        return any(word in older.text for word in newer.denied)
    for term in newer.thai_terms:  # noqa: SIM110 - a loop takes half the time of any(), and most pairs end here
        if _is_inside(term, older):
            return True
    return False


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
    if {value.kind, other.kind} == {"code", "amount"}:
        return value.text == other.text  # "the invoice 2206 is overdue", "paid invoice 2206"
    if value.kind != other.kind:
        return False
    return value == other or (
        not is_other_value(value, other, is_announced=is_announced)
        and (value.kind != "name" or value.text == other.text or not _has_no_word_in_common(value, other))
    )


def _has_no_word_in_common(value: TypedValue, other: TypedValue) -> bool:
    return not set(value.text.split()) & set(other.text.split())


def _is_named_in(value: TypedValue, statement: MemoryStatement) -> bool:
    if value.kind not in ("name", "code"):
        return False
    name = value.text.replace(" ", "")
    # Hall 12 is not named by 12,000 baht.
    return name in statement.text and (not name.isdigit() or name in _NUMBER.findall(statement.text))


def count_words(pair: Alignment) -> int:
    return sum(not term.startswith(SELF) for term in pair.shared)


def count_free(newer: MemoryStatement, pair: Alignment) -> int:
    """Return how many words only one side may have: none, or where a change is announced fewer than both share."""
    weight = count_words(pair) + sum(value.kind in ("code", "name") for value in pair.shared_values)
    if newer.corrects and not (pair.own and pair.other):
        return min(_MAX_FREE, weight)
    if pair.own and pair.other:
        weight -= 1
    return min(_MAX_FREE, weight - 1) if newer.announces or newer.ends else 0
