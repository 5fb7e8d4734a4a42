"""Ratings are earned: what raises them, what never does, and where they end."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.ratings.rating import (
    LETTERS,
    WORST,
    Evidence,
    Rating,
    choose_better,
    combine_worst,
    compute_rating,
    count_independent_lineages,
    downgrade_rating,
    parse_rating,
)
from tests.long_form import often

MANY = settings(max_examples=often(75, 300), deadline=None)
RATINGS = st.builds(Rating, st.sampled_from(LETTERS), st.integers(1, 6))
KEYS = st.sampled_from(["doc:a", "doc:b", "doc:c", "agent:x", "agent:y", "memory:1", "memory:2"])
LINEAGES = st.frozensets(KEYS, min_size=1, max_size=3)
EVIDENCE = st.builds(
    Evidence,
    base=RATINGS,
    own=LINEAGES,
    corroborating=st.lists(LINEAGES, max_size=4).map(tuple),
    contradicting=st.lists(LINEAGES, max_size=3).map(tuple),
    contests=st.integers(0, 8),
    basis=st.lists(RATINGS, max_size=3).map(tuple),
)


def is_no_better(rating: Rating, other: Rating) -> bool:
    return rating.letter >= other.letter and rating.digit >= other.digit


@given(EVIDENCE)
@MANY
def test_contesting_never_raises(evidence: Evidence) -> None:
    before = compute_rating(evidence)
    after = compute_rating(replace(evidence, contests=evidence.contests + 1))
    assert (after.letter, after.digit) >= (before.letter, before.digit) or after == WORST
    assert after == downgrade_rating(before)


@given(EVIDENCE, st.data())
@MANY
def test_a_voice_of_a_known_lineage_never_raises(evidence: Evidence, data: st.DataObject) -> None:
    known = frozenset().union(evidence.own, *evidence.corroborating)
    echo = data.draw(st.frozensets(st.sampled_from(sorted(known)), min_size=1))
    heard = replace(evidence, corroborating=(*evidence.corroborating, echo))
    assert is_no_better(compute_rating(heard), compute_rating(evidence))


@given(EVIDENCE)
@MANY
def test_an_independent_voice_never_lowers(evidence: Evidence) -> None:
    heard = replace(evidence, corroborating=(*evidence.corroborating, frozenset({"doc:somebody else"})))
    assert is_no_better(compute_rating(evidence), compute_rating(heard))


@given(EVIDENCE, LINEAGES)
@MANY
def test_contradiction_never_raises(evidence: Evidence, lineage: frozenset[str]) -> None:
    opposed = replace(evidence, contradicting=(*evidence.contradicting, lineage))
    assert is_no_better(compute_rating(opposed), compute_rating(evidence))


@given(EVIDENCE)
@MANY
def test_what_is_derived_is_never_better_than_what_it_rests_on(evidence: Evidence) -> None:
    for rating in evidence.basis:
        assert is_no_better(compute_rating(evidence), rating)


@given(EVIDENCE)
@MANY
def test_the_letter_is_the_sources_unless_it_was_contested_or_derived(evidence: Evidence) -> None:
    plain = replace(evidence, contests=0, basis=())
    assert compute_rating(plain).letter == evidence.base.letter


@given(st.lists(LINEAGES, max_size=6), LINEAGES)
@MANY
def test_voices_are_counted_alike_in_any_order(lineages: list[frozenset[str]], known: frozenset[str]) -> None:
    assert count_independent_lineages(lineages, known) == count_independent_lineages(list(reversed(lineages)), known)
    assert count_independent_lineages([*lineages, *lineages], known) == count_independent_lineages(lineages, known)


def test_contest_worsens_the_digit_then_the_letter_and_f6_stays() -> None:
    steps = [Rating("B", 5)]
    for _ in range(6):
        steps.append(downgrade_rating(steps[-1]))
    assert [str(rating) for rating in steps] == ["B5", "B6", "C6", "D6", "E6", "F6", "F6"]


def test_two_voices_that_share_an_ancestor_are_one_through_a_third() -> None:
    a, b, bridge = frozenset({"doc:a"}), frozenset({"doc:b"}), frozenset({"doc:a", "doc:b"})
    assert count_independent_lineages([a, b]) == 2
    assert count_independent_lineages([a, b, bridge]) == 1


def test_corroboration_confirms_step_by_step() -> None:
    base = Evidence(Rating("C", 3), frozenset({"doc:a"}))
    once = replace(base, corroborating=(frozenset({"doc:b"}),))
    twice = replace(once, corroborating=(*once.corroborating, frozenset({"doc:c"})))
    assert [str(compute_rating(rating)) for rating in (base, once, twice)] == ["C3", "C2", "C1"]
    assert str(compute_rating(replace(base, contradicting=(frozenset({"doc:z"}),)))) == "C4"


def test_the_better_of_two_is_one_of_them() -> None:
    assert choose_better(Rating("A", 5), Rating("F", 1)) == Rating("A", 5)
    assert combine_worst([Rating("A", 5), Rating("F", 1)]) == Rating("F", 5)
    assert parse_rating("B2").is_at_least(parse_rating("C3"))
    assert not parse_rating("B4").is_at_least(parse_rating("C3"))
