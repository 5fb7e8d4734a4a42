"""Rows enter the word index all or none, wherever it is interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sanya.engines.index.embedded.word_index import WordIndex
from sanya.engines.index.rows import Version
from sanya.retrieval.documents import Between, Equals
from sanya.retrieval.index import DocumentTerms, JoinedTerms

FIELDS = '{"owner":"mara","class":"พืช","none":null,"year":1999}'


class BreaksOff(Exception):
    pass


def make_versions(first: int, count: int) -> list[Version]:
    return [Version(position, f"d{position}", (), FIELDS, b"") for position in range(first, first + count)]


def make_terms(count: int, *, breaks_off: bool = False) -> Iterator[DocumentTerms]:
    for _ in range(count):
        yield {"words": JoinedTerms(" salt", 1)}
    if breaks_off:
        raise BreaksOff


def refuse() -> None:
    raise BreaksOff


@pytest.mark.parametrize("step", ["reading", "before the commit"])
def test_what_broke_off_does_not_come_in_with_the_next(tmp_path: Path, step: str) -> None:
    index = WordIndex(tmp_path)
    index.add(make_versions(1, 2), make_terms(2), None)
    with pytest.raises(BreaksOff) as kept:  # and with it everything its traceback holds
        if step == "reading":
            index.add(make_versions(3, 3), make_terms(2, breaks_off=True), None)
        else:
            index.add(make_versions(3, 3), make_terms(3), None, refuse)
    assert index.open_snapshot().count == 2
    index.add(make_versions(3, 1), make_terms(1), None)
    found, _ = index.open_snapshot().search({"words": {"salt": 1.0}}, (), 10, 10)
    assert sorted(found.tolist()) == [1, 2, 3]
    assert kept.traceback
    index.close()


@pytest.mark.parametrize("filtered", [None, frozenset(("class", "year"))])
def test_fields_are_found_by_any_name_that_they_may_have(tmp_path: Path, filtered: frozenset[str] | None) -> None:
    index = WordIndex(tmp_path)
    index.add(make_versions(1, 1), make_terms(1), filtered)
    words = index.open_snapshot()
    assert words.count_passing((Equals("class", "พืช"), Between("year", 1999, 1999)), 10) == 1
    assert words.count_passing((Equals("owner", "mara"),), 10) == (1 if filtered is None else 0)
    index.close()
