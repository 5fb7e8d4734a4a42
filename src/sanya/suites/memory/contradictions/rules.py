"""The rules of contradiction. Each looks at two claims and returns their conflict, or None where both may hold.

A rule finds a conflict only where the two claims agree in everything but one thing, and that one thing can have only
one value at one time. Whatever leaves room for both to be true ends the rule: other words, an unknown time, a state
that may have changed in between, an amount that was rounded. Precision comes before recall, because a contradiction
lowers the ratings of both memories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sanya.suite.text import has_thai, make_spelling_key, stem_english
from sanya.suites.memory.contradictions.opposites import (
    MEASURE_WORDS,
    MEASURING_VERBS,
    ONE_TIME_VERBS,
    OPPOSITE_VERBS,
    PERMANENT_ROLES,
    RECURRING_SUBJECTS,
    SINGLE_HOLDER_ROLES,
    VERBS_OF_THE_LIVING,
    is_opposite,
)
from sanya.suites.memory.parsing.amounts import may_agree
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.places import find_place, is_surely_elsewhere
from sanya.suites.memory.parsing.times import TimeRange, count_days_between, is_surely_before, relate_times
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.suites.memory.storage.records import ContradictionNature


@dataclass(frozen=True, slots=True)
class ClaimConflict:
    nature: ContradictionNature
    reason: str


def is_same_subject(claim: ParsedClaim, other: ParsedClaim) -> bool:
    if claim.subject_key == other.subject_key:
        return True
    people = claim.subject_kind == other.subject_kind == "person"
    across = has_thai(claim.subject_key) != has_thai(other.subject_key)
    return people and across and make_spelling_key(claim.subject_key) == make_spelling_key(other.subject_key)


def _is_same_time(claim: ParsedClaim, other: ParsedClaim) -> bool:
    """Tell whether both surely speak of the same time: a stated one, or none and both were said on one day."""
    if claim.when and other.when:
        return relate_times(claim.when, other.when) == "same"
    if claim.when or other.when:
        return False
    return not _is_stated_on_other_days(claim, other)


def _is_stated_on_other_days(claim: ParsedClaim, other: ParsedClaim) -> bool:
    return (
        claim.stated_on is not None
        and other.stated_on is not None
        and count_days_between(claim.stated_on, other.stated_on) >= 1
    )


def _may_have_changed(claim: ParsedClaim, other: ParsedClaim) -> bool:
    """Tell whether the state may have changed between the times of the two claims."""
    if claim.when and other.when:
        return relate_times(claim.when, other.when) != "same"
    if claim.when or other.when:
        return True
    return claim.past != other.past or _is_stated_on_other_days(claim, other)


# --- opposite polarity


def _check_denial(denial: ParsedClaim, claim: ParsedClaim) -> ClaimConflict | None:
    """Not P against P. The denial must cover the claim in its terms and in time."""
    if not denial.negated or claim.negated or denial.quantifier or claim.quantifier:
        return None
    same_words = denial.verb == claim.verb and denial.passive == claim.passive
    if not (same_words and is_same_subject(denial, claim) and denial.terms <= claim.terms):
        return None
    if denial.kind in ("copula", "state", "presence") and denial.terms != claim.terms:
        return None
    if denial.not_yet or denial.ended or not _has_same_amounts(denial, claim):
        return None
    if (denial.value_time or claim.value_time) and denial.value_time != claim.value_time:
        return None
    if not _is_covered_in_time(denial, claim):
        return None
    return ClaimConflict("factual_conflict", "one denies what the other says")


def _is_covered_in_time(denial: ParsedClaim, claim: ParsedClaim) -> bool:
    if denial.always:
        return (denial.when is None and not _can_change(claim)) or _is_same_time(denial, claim)
    if denial.when and claim.when:
        return relate_times(denial.when, claim.when) in ("same", "contains")
    if denial.when or claim.when:
        return False
    return not (_can_change(claim) and (_is_stated_on_other_days(denial, claim) or denial.past != claim.past))


def _can_change(claim: ParsedClaim) -> bool:
    return claim.kind in ("copula", "state", "presence")


def _has_same_amounts(claim: ParsedClaim, other: ParsedClaim) -> bool:
    if len(claim.amounts) != len(other.amounts):
        return not claim.amounts
    return all(
        mine.unit == theirs.unit and may_agree(mine, theirs)
        for mine, theirs in zip(claim.amounts, other.amounts, strict=True)
    )


# --- another value


def _is_affirmative_pair(claim: ParsedClaim, other: ParsedClaim) -> bool:
    return not claim.negated and not other.negated and not claim.quantifier and not other.quantifier


def _has_same_frame(claim: ParsedClaim, other: ParsedClaim) -> bool:
    same = claim.verb == other.verb and claim.passive == other.passive and is_same_subject(claim, other)
    return same and _is_affirmative_pair(claim, other)


def _check_amounts(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    if not _has_same_frame(claim, other) or claim.verb not in MEASURING_VERBS or claim.terms != other.terms:
        return None
    if not len(claim.amounts) == len(other.amounts) == 1 or may_agree(claim.amounts[0], other.amounts[0]):
        return None
    if not claim.amounts[0].unit and not claim.terms and claim.subject_kind == "person":
        return None
    # "Is busy with 5 reports" measures nothing; "is 5 metres long" does.
    if claim.verb == "be" and not claim.terms <= MEASURE_WORDS:
        return None
    if _may_have_changed(claim, other):
        return None
    return ClaimConflict("factual_conflict", "they give different amounts")


def _check_times(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    if not _has_same_frame(claim, other) or claim.terms != other.terms or not _has_same_amounts(claim, other):
        return None
    if claim.value_time and other.value_time and claim.kind == "copula":
        apart = relate_times(claim.value_time, other.value_time) == "apart" and not _may_have_changed(claim, other)
        return ClaimConflict("factual_conflict", "they give different times") if apart else None
    if claim.kind != "once" or not (claim.when and other.when) or not (claim.when.is_point and other.when.is_point):
        return None
    if relate_times(claim.when, other.when) != "apart" or _can_recur(claim, claim.when, other.when):
        return None
    return ClaimConflict("factual_conflict", "they give different times")


def _can_recur(claim: ParsedClaim, first: TimeRange, second: TimeRange) -> bool:
    """Tell whether there may have been two occurrences: on different days, of something that recurs."""
    start, other = first.start, second.start
    if start is None or other is None or start[:3] == other[:3]:
        return False
    lasting = claim.verb in ONE_TIME_VERBS and not RECURRING_SUBJECTS & set(claim.subject_key.split())
    return not lasting


def _check_names(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    if not _has_same_frame(claim, other) or claim.plain_terms != other.plain_terms or claim.amounts or other.amounts:
        return None
    if len(claim.name_keys) != 1 or len(other.name_keys) != 1 or claim.name_keys == other.name_keys:
        return None
    mine, theirs = next(iter(claim.name_keys)), next(iter(other.name_keys))
    if claim.verb in ("born", "die", "located") and is_surely_elsewhere(mine, theirs):
        return ClaimConflict("factual_conflict", "they name different places")
    if claim.verb != "be" or claim.plain_terms or not _has_single_holder(claim) or _may_be_same_name(mine, theirs):
        return None
    lasting = PERMANENT_ROLES & set(claim.subject_key.split()) or "capit" in claim.subject_key.split()
    return (
        None
        if _may_have_changed(claim, other) and not lasting
        else ClaimConflict("factual_conflict", "they name different holders")
    )


def _has_single_holder(claim: ParsedClaim) -> bool:
    return (
        claim.subject_kind == "phrase"
        and bool(SINGLE_HOLDER_ROLES & set(claim.subject_key.split()))
        and len(claim.subject_key.split()) > 1
    )


def _may_be_same_name(name: str, other: str) -> bool:
    words, others = set(name.split()), set(other.split())
    if has_thai(name) != has_thai(other):
        return find_place(name) is None or find_place(name) == find_place(other)
    return bool(words & others) or name.replace(" ", "")[:4] == other.replace(" ", "")[:4]


def _check_opposites(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    """Open against closed, approved against rejected, of the same subject with all else the same."""
    if not is_same_subject(claim, other) or not _is_affirmative_pair(claim, other) or not _is_same_time(claim, other):
        return None
    if claim.kind in ("copula", "state") and claim.past != other.past:
        return None
    if (
        frozenset((claim.verb, other.verb)) in OPPOSITE_VERBS
        and claim.passive == other.passive
        and claim.terms == other.terms
    ):
        return ClaimConflict("factual_conflict", "they say opposite things")
    mine, theirs = claim.terms - other.terms, other.terms - claim.terms
    first, second = _find_state_word(claim, mine), _find_state_word(other, theirs)
    if any(is_opposite(word, first or "") for word in claim.terms & other.terms):
        return None
    if first and second and is_opposite(first, second) and claim.terms - {first} == other.terms - {second}:
        return ClaimConflict("factual_conflict", "they say opposite things")
    return None


def _find_state_word(claim: ParsedClaim, alone: frozenset[str]) -> str | None:
    if claim.verb == "be" and len(alone) == 1:
        return next(iter(alone))
    return stem_english(claim.verb) if claim.passive and not alone else None


# --- time and logic


def _check_two_places(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    if claim.subject_kind != "person" or not is_same_subject(claim, other) or not _is_affirmative_pair(claim, other):
        return None
    if not (claim.place and other.place and claim.when and other.when) or not is_surely_elsewhere(
        claim.place, other.place
    ):
        return None
    if not (is_presence(claim) and is_presence(other)) or not (claim.when.is_point and other.when.is_point):
        return None
    precise = claim.when.start is not None and claim.when.start.precision in ("day", "hour", "minute")
    if precise and relate_times(claim.when, other.when) == "same":
        return ClaimConflict("temporal_impossibility", "nobody is in two places at once")
    return None


def is_presence(claim: ParsedClaim) -> bool:
    return (
        claim.kind == "presence"
        or (claim.verb == "be" and not claim.plain_terms and len(claim.name_keys) == 1)
        or claim.verb == "attend"
    )


def _check_lifetime(life: ParsedClaim, deed: ParsedClaim) -> ClaimConflict | None:
    if life.verb not in ("born", "die") or not is_same_subject(life, deed) or not _is_affirmative_pair(life, deed):
        return None
    if not (life.when and deed.when) or deed.passive or deed.when.start is None:
        return None
    if deed.verb in VERBS_OF_THE_LIVING or is_presence(deed):
        if life.verb == "die" and is_surely_before(life.when, deed.when):
            return ClaimConflict("temporal_impossibility", "it happened after the death")
        if life.verb == "born" and is_surely_before(deed.when, life.when):
            return ClaimConflict("temporal_impossibility", "it happened before the birth")
    if life.verb == "born" and deed.verb == "die" and is_surely_before(deed.when, life.when):
        return ClaimConflict("temporal_impossibility", "the death came before the birth")
    return None


def _check_end_before_start(start: ParsedClaim, end: ParsedClaim) -> ClaimConflict | None:
    if (
        start.verb != "begin"
        or end.verb != "end"
        or not is_same_subject(start, end)
        or not _is_affirmative_pair(start, end)
    ):
        return None
    if start.terms != end.terms or not (start.when and end.when):
        return None
    clocks = start.when.start, end.when.start
    same_day = clocks[0] is not None and clocks[1] is not None and clocks[0][:3] == clocks[1][:3]
    if RECURRING_SUBJECTS & set(start.subject_key.split()) and not same_day:
        return None
    if same_day and clocks[0] and clocks[1] and clocks[0].hour is not None and clocks[1].hour is not None:
        earlier = (clocks[1].hour, clocks[1].minute or 0) < (clocks[0].hour, clocks[0].minute or 0)
        return (
            ClaimConflict("temporal_impossibility", "it ended before it began") if earlier and clocks[0].day else None
        )
    if is_surely_before(end.when, start.when):
        return ClaimConflict("temporal_impossibility", "it ended before it began")
    return None


def find_comparison_target(claim: ParsedClaim) -> str | None:
    return next((term.removeprefix("than:") for term in claim.terms if term.startswith("than:")), None)


def _check_reversed_comparison(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    """A is taller than B against B is taller than A."""
    mine, theirs = find_comparison_target(claim), find_comparison_target(other)
    if not (mine and theirs) or not _is_affirmative_pair(claim, other) or claim.verb != other.verb:
        return None
    how = (
        {word for word in claim.terms if not word.startswith("than:")},
        {word for word in other.terms if not word.startswith("than:")},
    )
    turned = mine == other.subject_key and theirs == claim.subject_key
    if turned and how[0] == how[1] and how[0] and not _may_have_changed(claim, other):
        return ClaimConflict("logical_inconsistency", "each is said to exceed the other")
    return None


def list_subject_kinds(claim: ParsedClaim) -> set[str]:
    """Return the kinds of thing that a subject names itself: flight, passenger."""
    return {word for word in claim.subject_key.split() if word.isalpha()} | _list_head_nouns(claim)


def _list_head_nouns(claim: ParsedClaim) -> set[str]:
    return {word.stem for word in tokenize(claim.subject)} - set(claim.subject_key.split())


def _check_exception(rule: ParsedClaim, case: ParsedClaim) -> ClaimConflict | None:
    """All flights were cancelled against flight AC123 was not; no flight departed against flight AC123 did."""
    if rule.quantifier is None or case.quantifier is not None or rule.verb != case.verb or rule.passive != case.passive:
        return None
    if (
        rule.subject_key not in list_subject_kinds(case)
        or case.subject_key == rule.subject_key
        or not rule.terms <= case.terms
    ):
        return None
    broken = case.negated if rule.quantifier == "all" and not rule.negated else not case.negated
    if rule.quantifier == "all" and rule.negated:
        return None
    times = (
        relate_times(rule.when, case.when) in ("same", "contains")
        if rule.when and case.when
        else not (rule.when or case.when)
    )
    if broken and times and rule.terms == case.terms:
        return ClaimConflict("logical_inconsistency", "a rule without exception has one")
    return None


def _check_two_winners(claim: ParsedClaim, other: ParsedClaim) -> ClaimConflict | None:
    if (
        claim.verb != "win"
        or other.verb != "win"
        or not claim.terms
        or claim.terms != other.terms
        or not _is_affirmative_pair(claim, other)
    ):
        return None
    if (
        claim.passive
        or other.passive
        or not _is_same_time(claim, other)
        or claim.subject_kind == "phrase"
        or other.subject_kind == "phrase"
    ):
        return None
    if (
        claim.amounts != other.amounts
        or not (claim.when or claim.name_keys)
        or _may_be_same_name(claim.subject_key, other.subject_key)
    ):
        return None
    return ClaimConflict("factual_conflict", "they name different winners")


def is_dated_action(claim: ParsedClaim) -> bool:
    return claim.when is not None and (claim.verb in VERBS_OF_THE_LIVING or is_presence(claim))


_Rule = Callable[[ParsedClaim, ParsedClaim], ClaimConflict | None]
RULES: tuple[_Rule, ...] = (
    _check_denial,
    _check_two_places,
    _check_lifetime,
    _check_end_before_start,
    _check_reversed_comparison,
    _check_exception,
    _check_amounts,
    _check_times,
    _check_names,
    _check_opposites,
    _check_two_winners,
)
# The two claims play different parts in these, so both orders are tried.
DIRECTED_RULES: frozenset[_Rule] = frozenset(
    (_check_denial, _check_lifetime, _check_end_before_start, _check_exception)
)
