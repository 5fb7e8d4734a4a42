from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import BadCursor

QUERY = {"tool": "get_tasks", "status": "TODO"}
keys = st.lists(st.text() | st.integers(-(2**53), 2**53) | st.none(), min_size=1, max_size=4)


@given(keys)
def test_a_cursor_opens_for_its_own_query(values: list[object]) -> None:
    cursors = Cursors(b"secret")
    assert cursors.open(QUERY, cursors.seal(QUERY, values)) == values


@given(keys, st.data())
def test_a_cursor_with_any_character_changed_is_refused(values: list[object], data: st.DataObject) -> None:
    cursors = Cursors(b"secret")
    sealed = cursors.seal(QUERY, values)
    place = data.draw(st.integers(0, len(sealed) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda character: character != sealed[place]))
    with pytest.raises(BadCursor):
        cursors.open(QUERY, sealed[:place] + other + sealed[place + 1 :])


@pytest.mark.parametrize("query", [{}, {"tool": "search_tasks", "status": "TODO"}, {**QUERY, "status": "DONE"}])
def test_a_cursor_from_another_query_is_refused(query: dict[str, object]) -> None:
    cursors = Cursors(b"secret")
    with pytest.raises(BadCursor):
        cursors.open(query, cursors.seal(QUERY, ["2025", "a"]))


def test_a_cursor_of_another_home_is_refused() -> None:
    with pytest.raises(BadCursor):
        Cursors(b"other").open(QUERY, Cursors(b"secret").seal(QUERY, ["2025"]))


@given(st.text())
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadCursor):
        Cursors(b"secret").open(QUERY, text)
