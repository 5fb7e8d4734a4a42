"""A name that stands twice in an object is found wherever it stands and however it is written."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.strict_json import DuplicateName, has_duplicate_name, parse_json

TWICE = {
    '{"a": 1, "a": 2}': "a",
    '{"a": 1, "a": 1}': "a",
    '{"a": {"b": [{"c": 1, "d": 2, "c": 3}]}}': "c",
    '{"a": 1, "\\u0061": 2}': "a",
    '{"x": "a\\u003ab", "a": 1, "a": 2}': "a",
    '{"x:y": 1, "x\\u003ay": 2}': "x:y",
    '{"": 1, "": 2}': "",
    '{"\\"": 1, "\\u0022": 2}': '"',
    '{"กลุ่ม": 1, "กลุ่ม": 2}': "กลุ่ม",
    '{"a":{},"a":{}}': "a",
}
ONCE = (
    '{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 2}]}',
    '{"x": "a\\u003ab::", "y": "\\\\u003a", "z": "\\\\\\u003A:"}',
    '{"a": "{\\"a\\": 1, \\"a\\": 2}"}',
    '["a", "a", {"A": 1, "a": 2}]',
    '"a: b"',
    "12.5",
    "[" * 900 + '{"a": "::"}' + "]" * 900,
)


@pytest.mark.parametrize("text", TWICE)
def test_a_duplicate_is_refused_and_named(text: str) -> None:
    with pytest.raises(DuplicateName) as refused:
        parse_json(text.encode())
    assert refused.value.name == TWICE[text]


@pytest.mark.parametrize("text", ONCE)
def test_json_without_duplicates_is_parsed(text: str) -> None:
    assert parse_json(text) == orjson.loads(text)


def test_a_long_text_is_refused_without_a_search() -> None:
    members = ",".join(f'"k{number}": {number}' for number in range(20_000))
    with pytest.raises(DuplicateName) as refused:
        parse_json(f"{{{members}, {members}}}")
    assert refused.value.name == ""


def test_what_is_not_json_has_no_duplicates() -> None:
    assert not has_duplicate_name(b'{"a": 1, "a"')
    assert has_duplicate_name(b'{"a": 1, "a": 2}')


_TEXTS = st.text(alphabet='a:"\\u003{}ก\n', max_size=6)
_VALUES = st.recursive(
    st.one_of(st.none(), st.integers(-9, 9), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(st.tuples(_TEXTS, inner), max_size=3).map(tuple)),
)


def _write(value: Any, escape: bool) -> str:
    """Write a tuple of pairs as an object, which may so have a name twice."""
    if isinstance(value, tuple):
        pairs = (f"{json.dumps(name, ensure_ascii=escape)}:{_write(item, escape)}" for name, item in value)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_write(item, escape) for item in value) + "]"
    written = json.dumps(value, ensure_ascii=escape)
    return written.replace(":", "\\u003a") if escape and isinstance(value, str) else written


def _repeats(value: Any) -> bool:
    if isinstance(value, tuple):
        return len({name for name, _ in value}) < len(value) or any(_repeats(item) for _, item in value)
    return isinstance(value, list) and any(map(_repeats, value))


@given(_VALUES, st.booleans())
def test_it_agrees_with_a_parser_that_sees_every_pair(value: Any, escape: bool) -> None:
    assert has_duplicate_name(_write(value, escape)) is _repeats(value)
