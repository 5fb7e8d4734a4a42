from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.contradictions.detection import (
    compare_texts,
    find_conflict,
    make_lookup_keys,
    make_stored_keys,
)
from sanya.suites.memory.parsing.parser import ParsedText, parse_text
from tests.long_form import often
from tests.suites.memory.contradictions.labelled_pairs import LabelledPair, read_labelled_pairs, read_unseen_pairs

PAIRS = read_labelled_pairs()
LEAST_PRECISION = 0.95
LEAST_RECALL = 0.9
LEAST_RECALL_UNSEEN = 0.5


def test_the_labelled_pairs_are_many_and_mostly_hard() -> None:
    assert len(PAIRS) >= 150
    assert sum(pair.nature is None for pair in PAIRS) > len(PAIRS) / 2
    assert {pair.nature for pair in PAIRS} >= {
        "factual_conflict",
        "source_disagreement",
        "temporal_impossibility",
        "logical_inconsistency",
    }


def test_contradictions_are_found_with_few_false_alarms() -> None:
    precision, recall = _measure(PAIRS)
    assert precision >= LEAST_PRECISION
    assert recall >= LEAST_RECALL


def test_pairs_that_the_rules_were_not_made_with_raise_few_false_alarms_either() -> None:
    precision, recall = _measure(read_unseen_pairs())
    assert precision >= LEAST_PRECISION
    assert recall >= LEAST_RECALL_UNSEEN


def _measure(pairs: list[LabelledPair]) -> tuple[float, float]:
    found = {pair: compare_texts(parse_text(pair.first), parse_text(pair.second)) for pair in pairs}
    right = [pair for pair, conflict in found.items() if conflict is not None and pair.nature is not None]
    return len(right) / sum(conflict is not None for conflict in found.values()), len(right) / sum(
        pair.nature is not None for pair in pairs
    )


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.nature], ids=lambda pair: pair.first[:40])
def test_what_contradicts_has_its_nature_either_way_round(pair: LabelledPair) -> None:
    found, turned = (
        compare_texts(parse_text(pair.first), parse_text(pair.second)),
        compare_texts(parse_text(pair.second), parse_text(pair.first)),
    )
    assert (found is None) == (turned is None)
    if found and turned:
        assert found.nature == turned.nature == pair.nature


def test_whatever_clashes_is_found_by_its_keys() -> None:
    claims = [
        claim
        for pair in PAIRS
        if pair.nature
        for text in (pair.first, pair.second)
        for claim in parse_text(text).claims
    ]
    for claim, other in combinations(claims, 2):
        if find_conflict(claim, other):
            assert make_stored_keys(claim) & make_lookup_keys(other)
            assert make_stored_keys(other) & make_lookup_keys(claim)


@given(st.sampled_from([pair.first for pair in PAIRS]))
@settings(max_examples=often(25, 100), deadline=None)
def test_nothing_contradicts_itself(text: str) -> None:
    assert compare_texts(parse_text(text), parse_text(text)) is None


@given(st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=often(50, 200), deadline=None)
def test_any_two_texts_can_be_compared(text: str, other: str) -> None:
    compare_texts(parse_text(text), parse_text(other))


def test_two_named_sources_disagree_where_one_would_be_wrong() -> None:
    text, other = parse_text("The tower measures 300 metres."), parse_text("The tower measures 350 metres.")
    assert _nature(text, other) == "factual_conflict"
    assert _nature(text, other, other_source=True) == "source_disagreement"


def _nature(text: ParsedText, other: ParsedText, *, other_source: bool = False) -> str | None:
    found = compare_texts(text, other, other_source=other_source)
    return found.nature if found else None
