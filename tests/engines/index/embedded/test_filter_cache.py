"""Which rows pass filters: what is carried from state to state is what asking each state anew would give."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.engines.index.embedded import filter_cache as passing
from sanya.engines.index.embedded.filter_cache import Filters, Passing
from sanya.engines.index.embedded.word_index import WordIndex, WordSnapshot
from sanya.engines.index.rows import Version
from sanya.retrieval.documents import AnyOf, Between, Equals
from sanya.retrieval.index import JoinedTerms

FILTERS: list[Filters] = [
    (Equals("owner", "mara"),),
    (Equals("owner", "nobody"),),
    (AnyOf("owner", ("mara", "theo")),),
    (Between("digit", 2, None), Equals("owner", "theo")),
]
rows = st.lists(st.tuples(st.sampled_from(["mara", "theo", "ida"]), st.integers(1, 5)), min_size=1, max_size=8)


def _shown(index: WordIndex, before: int, added: list[tuple[str, int]]) -> WordSnapshot:
    versions = [
        Version(before + at, f"d{before + at}", (), orjson.dumps({"owner": owner, "digit": digit}).decode(), b"")
        for at, (owner, digit) in enumerate(added, 1)
    ]
    index.add(versions, [{"words": JoinedTerms(" word", 1)} for _ in versions], frozenset({"owner", "digit"}))
    return index.snapshot()


def _anew(filters: Filters, words: WordSnapshot) -> list[bool]:
    found = words.matching(filters, words.count, words.count)
    return [bool(one) for one in np.isin(np.arange(1, words.count + 1), found)]


@settings(max_examples=15, deadline=None)
@given(batches=st.lists(rows, min_size=1, max_size=5), asked=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3))))
def test_what_is_carried_on_is_what_every_state_says(
    batches: list[list[tuple[str, int]]], asked: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        index, carried = WordIndex(Path(folder)), Passing()
        states: list[WordSnapshot] = []
        for batch in batches:
            states.append(_shown(index, states[-1].count if states else 0, batch))
        # In any order: who still holds an earlier state asks about that.
        for state, which in [*asked, *((at, which) for at in range(len(states)) for which in range(len(FILTERS)))]:
            words, filters = states[min(state, len(states) - 1)], FILTERS[which]
            for found in (carried.again(filters, words), carried.known(filters, words)):
                assert found is None or found.tolist() == _anew(filters, words)
            worked_out = carried.again(filters, words)
            assert worked_out is not None and worked_out.tolist() == _anew(filters, words)
        index.close()


def test_filters_seen_once_are_not_worked_out_and_those_not_asked_for_long_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, carried = WordIndex(tmp_path), Passing()
    words = _shown(index, 0, [("mara", 1), ("theo", 2)])
    first, second, third, _ = FILTERS
    assert carried.again(first, words) is None and carried.known(first, words) is None
    assert carried.again(first, words) is not None and carried.known(first, words) is not None
    monkeypatch.setattr(passing, "_REMEMBERED_BYTES", 2 * words.count)
    for filters in (second, third):
        carried.again(filters, words)
        carried.again(filters, words)
    assert carried.known(first, words) is None
    assert carried.known(third, words) is not None
    index.close()


def test_the_rows_that_came_since_are_all_that_is_asked_about(tmp_path: Path) -> None:
    index, carried = WordIndex(tmp_path), Passing()
    before = _shown(index, 0, [("mara", 1), ("theo", 2)])
    owner = FILTERS[0]
    for _ in range(2):
        carried.again(owner, before)
    after = _shown(index, 2, [("theo", 1), ("mara", 2), ("mara", 3)])
    assert after.matching_beyond(before.count, owner).tolist() == [4, 5]
    grown = carried.again(owner, after)
    assert grown is not None and grown.tolist() == [True, False, False, True, True]
    assert carried.again(owner, before) is not None
    index.close()
