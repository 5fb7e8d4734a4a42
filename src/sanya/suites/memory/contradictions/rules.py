"""The ways in which two claims clash, each with its own judge, who says how they do or that both may hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sanya.suites.memory.contradictions.opposites import (
    COMES_AGAIN,
    DONE_ALIVE,
    LASTING_ROLES,
    MEASURED,
    MEASURES,
    ONLY_ONCE,
    OPPOSITE_VERBS,
    ROLES,
    exclude_each_other,
)
from sanya.suites.memory.parsing.amounts import may_agree
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.places import place_of, surely_elsewhere
from sanya.suites.memory.parsing.times import When, days_apart, relate, surely_before
from sanya.suites.memory.parsing.tokens import words_of
from sanya.suites.memory.storage.records import Nature
from sanya.text.characters import has_thai
from sanya.text.english import stem
from sanya.text.spelling import spelling_key


@dataclass(frozen=True, slots=True)
class Clash:
    nature: Nature
    reason: str


def same_subject(one: Claim, other: Claim) -> bool:
    if one.subject_key == other.subject_key:
        return True
    people = one.subject_kind == other.subject_kind == "person"
    across = has_thai(one.subject_key) != has_thai(other.subject_key)
    return people and across and spelling_key(one.subject_key) == spelling_key(other.subject_key)


def _same_times(one: Claim, other: Claim) -> bool:
    """Whether both speak of one time for sure: the same, or none is named and nothing changed in between."""
    if one.when and other.when:
        return relate(one.when, other.when) == "same"
    if one.when or other.when:
        return False
    return not _said_apart(one, other)


def _said_apart(one: Claim, other: Claim) -> bool:
    return one.said is not None and other.said is not None and days_apart(one.said, other.said) >= 1


def _may_have_changed(one: Claim, other: Claim) -> bool:
    """Whether what held when one was said may no longer have held when the other was."""
    if one.when and other.when:
        return relate(one.when, other.when) != "same"
    if one.when or other.when:
        return True
    return one.past != other.past or _said_apart(one, other)


# --- opposite polarity


def _denied(denial: Claim, claim: Claim) -> Clash | None:
    """Not P against P: the denial must cover the claim, in what it says and in time."""
    if not denial.negated or claim.negated or denial.quantifier or claim.quantifier:
        return None
    same_words = denial.verb == claim.verb and denial.passive == claim.passive
    if not (same_words and same_subject(denial, claim) and denial.rest <= claim.rest):
        return None
    if denial.kind in ("copula", "state", "presence") and denial.rest != claim.rest:
        return None
    if denial.not_yet or denial.ended or not _amounts_agree(denial, claim):
        return None
    if (denial.value_time or claim.value_time) and denial.value_time != claim.value_time:
        return None
    if not _covers(denial, claim):
        return None
    return Clash("factual_conflict", "one denies what the other says")


def _covers(denial: Claim, claim: Claim) -> bool:
    if denial.always:
        return (denial.when is None and not _changes(claim)) or _same_times(denial, claim)
    if denial.when and claim.when:
        return relate(denial.when, claim.when) in ("same", "contains")
    if denial.when or claim.when:
        return False
    return not (_changes(claim) and (_said_apart(denial, claim) or denial.past != claim.past))


def _changes(claim: Claim) -> bool:
    return claim.kind in ("copula", "state", "presence")


def _amounts_agree(one: Claim, other: Claim) -> bool:
    if len(one.amounts) != len(other.amounts):
        return not one.amounts
    return all(
        mine.unit == theirs.unit and may_agree(mine, theirs)
        for mine, theirs in zip(one.amounts, other.amounts, strict=True)
    )


# --- another value


def _both_hold(one: Claim, other: Claim) -> bool:
    return not one.negated and not other.negated and not one.quantifier and not other.quantifier


def _same_frame(one: Claim, other: Claim) -> bool:
    same = one.verb == other.verb and one.passive == other.passive and same_subject(one, other)
    return same and _both_hold(one, other)


def _other_amount(one: Claim, other: Claim) -> Clash | None:
    if not _same_frame(one, other) or one.verb not in MEASURED or one.rest != other.rest:
        return None
    if not len(one.amounts) == len(other.amounts) == 1 or may_agree(one.amounts[0], other.amounts[0]):
        return None
    if not one.amounts[0].unit and not one.rest and one.subject_kind == "person":
        return None
    # "is busy with 5 reports" measures nothing; "is 5 metres long" does.
    if one.verb == "be" and not one.rest <= MEASURES:
        return None
    if _may_have_changed(one, other):
        return None
    return Clash("factual_conflict", "they give different amounts")


def _other_time(one: Claim, other: Claim) -> Clash | None:
    if not _same_frame(one, other) or one.rest != other.rest or not _amounts_agree(one, other):
        return None
    if one.value_time and other.value_time and one.kind == "copula":
        apart = relate(one.value_time, other.value_time) == "apart" and not _may_have_changed(one, other)
        return Clash("factual_conflict", "they give different times") if apart else None
    if one.kind != "once" or not (one.when and other.when) or not (one.when.is_moment and other.when.is_moment):
        return None
    if relate(one.when, other.when) != "apart" or _comes_again(one, one.when, other.when):
        return None
    return Clash("factual_conflict", "they give different times")


def _comes_again(claim: Claim, first: When, second: When) -> bool:
    """Whether there may well have been two: on other days, of what happens on many."""
    start, other = first.start, second.start
    if start is None or other is None or start[:3] == other[:3]:
        return False
    lasting = claim.verb in ONLY_ONCE and not COMES_AGAIN & set(claim.subject_key.split())
    return not lasting


def _other_name(one: Claim, other: Claim) -> Clash | None:
    if not _same_frame(one, other) or one.plain != other.plain or one.amounts or other.amounts:
        return None
    if len(one.names) != 1 or len(other.names) != 1 or one.names == other.names:
        return None
    mine, theirs = next(iter(one.names)), next(iter(other.names))
    if one.verb in ("born", "die", "located") and surely_elsewhere(mine, theirs):
        return Clash("factual_conflict", "they name different places")
    if one.verb != "be" or one.plain or not _one_holder(one) or _may_be_same_name(mine, theirs):
        return None
    lasting = LASTING_ROLES & set(one.subject_key.split()) or "capit" in one.subject_key.split()
    return (
        None
        if _may_have_changed(one, other) and not lasting
        else Clash("factual_conflict", "they name different holders")
    )


def _one_holder(claim: Claim) -> bool:
    return (
        claim.subject_kind == "phrase"
        and bool(ROLES & set(claim.subject_key.split()))
        and len(claim.subject_key.split()) > 1
    )


def _may_be_same_name(one: str, other: str) -> bool:
    words, others = set(one.split()), set(other.split())
    if has_thai(one) != has_thai(other):
        return place_of(one) is None or place_of(one) == place_of(other)
    return bool(words & others) or one.replace(" ", "")[:4] == other.replace(" ", "")[:4]


def _other_word(one: Claim, other: Claim) -> Clash | None:
    """Open against closed, approved against rejected: same subject, all else the same."""
    if not same_subject(one, other) or not _both_hold(one, other) or not _same_times(one, other):
        return None
    if one.kind in ("copula", "state") and one.past != other.past:
        return None
    if frozenset((one.verb, other.verb)) in OPPOSITE_VERBS and one.passive == other.passive and one.rest == other.rest:
        return Clash("factual_conflict", "they say opposite things")
    mine, theirs = one.rest - other.rest, other.rest - one.rest
    first, second = _state_word(one, mine), _state_word(other, theirs)
    if any(exclude_each_other(word, first or "") for word in one.rest & other.rest):
        return None
    if first and second and exclude_each_other(first, second) and one.rest - {first} == other.rest - {second}:
        return Clash("factual_conflict", "they say opposite things")
    return None


def _state_word(claim: Claim, alone: frozenset[str]) -> str | None:
    if claim.verb == "be" and len(alone) == 1:
        return next(iter(alone))
    return stem(claim.verb) if claim.passive and not alone else None


# --- time and logic


def _two_places(one: Claim, other: Claim) -> Clash | None:
    if one.subject_kind != "person" or not same_subject(one, other) or not _both_hold(one, other):
        return None
    if not (one.place and other.place and one.when and other.when) or not surely_elsewhere(one.place, other.place):
        return None
    if not (is_presence(one) and is_presence(other)) or not (one.when.is_moment and other.when.is_moment):
        return None
    precise = one.when.start is not None and one.when.start.precision in ("day", "hour", "minute")
    if precise and relate(one.when, other.when) == "same":
        return Clash("temporal_impossibility", "nobody is in two places at once")
    return None


def is_presence(claim: Claim) -> bool:
    return (
        claim.kind == "presence"
        or (claim.verb == "be" and not claim.plain and len(claim.names) == 1)
        or claim.verb == "attend"
    )


def _outside_life(life: Claim, deed: Claim) -> Clash | None:
    if life.verb not in ("born", "die") or not same_subject(life, deed) or not _both_hold(life, deed):
        return None
    if not (life.when and deed.when) or deed.passive or deed.when.start is None:
        return None
    if deed.verb in DONE_ALIVE or is_presence(deed):
        if life.verb == "die" and surely_before(life.when, deed.when):
            return Clash("temporal_impossibility", "it happened after the death")
        if life.verb == "born" and surely_before(deed.when, life.when):
            return Clash("temporal_impossibility", "it happened before the birth")
    if life.verb == "born" and deed.verb == "die" and surely_before(deed.when, life.when):
        return Clash("temporal_impossibility", "the death came before the birth")
    return None


def _ends_before(start: Claim, end: Claim) -> Clash | None:
    if start.verb != "begin" or end.verb != "end" or not same_subject(start, end) or not _both_hold(start, end):
        return None
    if start.rest != end.rest or not (start.when and end.when):
        return None
    clocks = start.when.start, end.when.start
    same_day = clocks[0] is not None and clocks[1] is not None and clocks[0][:3] == clocks[1][:3]
    if COMES_AGAIN & set(start.subject_key.split()) and not same_day:
        return None
    if same_day and clocks[0] and clocks[1] and clocks[0].hour is not None and clocks[1].hour is not None:
        earlier = (clocks[1].hour, clocks[1].minute or 0) < (clocks[0].hour, clocks[0].minute or 0)
        return Clash("temporal_impossibility", "it ended before it began") if earlier and clocks[0].day else None
    if surely_before(end.when, start.when):
        return Clash("temporal_impossibility", "it ended before it began")
    return None


def compared_with(claim: Claim) -> str | None:
    return next((one.removeprefix("than:") for one in claim.rest if one.startswith("than:")), None)


def _turned_round(one: Claim, other: Claim) -> Clash | None:
    """A is taller than B, B is taller than A."""
    mine, theirs = compared_with(one), compared_with(other)
    if not (mine and theirs) or not _both_hold(one, other) or one.verb != other.verb:
        return None
    how = (
        {word for word in one.rest if not word.startswith("than:")},
        {word for word in other.rest if not word.startswith("than:")},
    )
    turned = mine == other.subject_key and theirs == one.subject_key
    if turned and how[0] == how[1] and how[0] and not _may_have_changed(one, other):
        return Clash("logical_inconsistency", "each is said to exceed the other")
    return None


def kinds_of(claim: Claim) -> set[str]:
    """The kinds of thing that a subject says it is: a flight, a passenger."""
    return {word for word in claim.subject_key.split() if word.isalpha()} | _heads(claim)


def _heads(claim: Claim) -> set[str]:
    return {word.stem for word in words_of(claim.subject)} - set(claim.subject_key.split())


def _exception(rule: Claim, case: Claim) -> Clash | None:
    """All flights were cancelled, flight AC123 was not; no flight departed, flight AC123 did."""
    if rule.quantifier is None or case.quantifier is not None or rule.verb != case.verb or rule.passive != case.passive:
        return None
    if rule.subject_key not in kinds_of(case) or case.subject_key == rule.subject_key or not rule.rest <= case.rest:
        return None
    broken = case.negated if rule.quantifier == "all" and not rule.negated else not case.negated
    if rule.quantifier == "all" and rule.negated:
        return None
    times = (
        relate(rule.when, case.when) in ("same", "contains")
        if rule.when and case.when
        else not (rule.when or case.when)
    )
    if broken and times and rule.rest == case.rest:
        return Clash("logical_inconsistency", "a rule without exception has one")
    return None


def _two_winners(one: Claim, other: Claim) -> Clash | None:
    if one.verb != "win" or other.verb != "win" or not one.rest or one.rest != other.rest or not _both_hold(one, other):
        return None
    if (
        one.passive
        or other.passive
        or not _same_times(one, other)
        or one.subject_kind == "phrase"
        or other.subject_kind == "phrase"
    ):
        return None
    if (
        one.amounts != other.amounts
        or not (one.when or one.names)
        or _may_be_same_name(one.subject_key, other.subject_key)
    ):
        return None
    return Clash("factual_conflict", "they name different winners")


def _is_name(claim: Claim) -> bool:
    return claim.subject_kind != "phrase" or (claim.subject[:1].isupper() and " " not in claim.subject)


def is_deed(claim: Claim) -> bool:
    return claim.when is not None and (claim.verb in DONE_ALIVE or is_presence(claim))


_Judge = Callable[[Claim, Claim], Clash | None]
JUDGES: tuple[_Judge, ...] = (
    _denied,
    _two_places,
    _outside_life,
    _ends_before,
    _turned_round,
    _exception,
    _other_amount,
    _other_time,
    _other_name,
    _other_word,
    _two_winners,
)
ONE_SIDED: frozenset[_Judge] = frozenset((_denied, _outside_life, _ends_before, _exception))
