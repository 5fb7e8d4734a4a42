"""A cached filter mask equals the one that a fresh query of each snapshot gives."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.engines.index.embedded.filter_cache import FilterCache, Filters
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


def _add_rows(index: WordIndex, before: int, added: list[tuple[str, int]]) -> WordSnapshot:
    versions = [
        Version(before + at, f"d{before + at}", (), orjson.dumps({"owner": owner, "digit": digit}).decode(), b"")
        for at, (owner, digit) in enumerate(added, 1)
    ]
    index.add(versions, [{"words": JoinedTerms(" word", 1)} for _ in versions], frozenset({"owner", "digit"}))
    return index.open_snapshot()


def _compute_mask(filters: Filters, words: WordSnapshot) -> list[bool]:
    found = words.find_passing(filters, words.count, words.count)
    return [bool(passes) for passes in np.isin(np.arange(1, words.count + 1), found)]


@settings(max_examples=15, deadline=None)
@given(batches=st.lists(rows, min_size=1, max_size=5), asked=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3))))
def test_what_is_carried_on_is_what_every_state_says(
    batches: list[list[tuple[str, int]]], asked: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        index, carried = WordIndex(Path(folder)), FilterCache()
        states: list[WordSnapshot] = []
        for batch in batches:
            states.append(_add_rows(index, states[-1].count if states else 0, batch))
        # In any order: a reader may still hold an earlier snapshot.
        for state, which in [*asked, *((at, which) for at in range(len(states)) for which in range(len(FILTERS)))]:
            words, filters = states[min(state, len(states) - 1)], FILTERS[which]
            for found in (carried.get_or_build(filters, words), carried.get(filters, words)):
                assert found is None or found.tolist() == _compute_mask(filters, words)
            worked_out = carried.get_or_build(filters, words)
            assert worked_out is not None and worked_out.tolist() == _compute_mask(filters, words)
        index.close()


def test_filters_seen_once_are_not_worked_out_and_those_not_asked_for_long_are_forgotten(
    tmp_path: Path,
) -> None:
    index, carried = WordIndex(tmp_path), FilterCache(max_bytes=4)
    words = _add_rows(index, 0, [("mara", 1), ("theo", 2)])
    first, second, third, _ = FILTERS
    assert carried.get_or_build(first, words) is None and carried.get(first, words) is None
    assert carried.get_or_build(first, words) is not None and carried.get(first, words) is not None
    for filters in (second, third):
        carried.get_or_build(filters, words)
        carried.get_or_build(filters, words)
    assert carried.get(first, words) is None
    assert carried.get(third, words) is not None
    index.close()


def test_the_rows_that_came_since_are_all_that_is_asked_about(tmp_path: Path) -> None:
    index, carried = WordIndex(tmp_path), FilterCache()
    before = _add_rows(index, 0, [("mara", 1), ("theo", 2)])
    owner = FILTERS[0]
    for _ in range(2):
        carried.get_or_build(owner, before)
    after = _add_rows(index, 2, [("theo", 1), ("mara", 2), ("mara", 3)])
    assert after.find_passing_after(before.count, owner).tolist() == [4, 5]
    grown = carried.get_or_build(owner, after)
    assert grown is not None and grown.tolist() == [True, False, False, True, True]
    assert carried.get_or_build(owner, before) is not None
    index.close()
