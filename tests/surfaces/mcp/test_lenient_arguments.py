"""Arguments as models send them: taken where the schema leaves no doubt, and told in `_meta`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from sanya.surfaces.mcp.arguments.coercion import build_plain_check, read_leniently

PMID = {"type": "string", "pattern": "^pmid:[0-9]+$"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer"},
        "alpha": {"type": ["number", "null"]},
        "overdue": {"type": "boolean"},
        "sort": {"type": "string", "enum": ["a", "b"]},
        "text": {"type": "string"},
        "names": {"type": "array", "items": {"type": "string"}},
        "tags": {"type": ["array", "null"], "items": {"type": "string"}},
        "years": {"type": "array", "items": {"type": "integer"}},
        "name": {"type": "string", "minLength": 1},
        "doc_id": PMID,
        "doc_ids": {"type": "array", "items": PMID},
        "filters": {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]},
        "any": {},
    },
    "required": ["name"],
}
IS_PLAIN = build_plain_check(SCHEMA)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["", "5", "true", "pmid:1", "a"])
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.sampled_from(["year", "x"]), SCALARS))


@drawn(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "unknown"]), VALUES))
def test_what_passes_the_quick_test_is_read_as_it_stands(given: dict[str, Any]) -> None:
    if IS_PLAIN(given):
        assert read_leniently(given, SCHEMA).changes == []


def test_plain_arguments_pass_the_quick_test() -> None:
    assert IS_PLAIN({"limit": 5, "alpha": 0.5, "overdue": True, "sort": "a", "filters": {"year": 2020}, "any": [1]})


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        ({"limit": "5"}, {"limit": 5}),
        ({"limit": " -5 "}, {"limit": -5}),
        ({"sort": "A"}, {"sort": "a"}),
        ({"sort": " b "}, {"sort": "b"}),
        ({"names": "ขมิ้นชัน"}, {"names": ["ขมิ้นชัน"]}),
        ({"doc_ids": "12345"}, {"doc_ids": ["pmid:12345"]}),
        ({"alpha": "0.5"}, {"alpha": 0.5}),
        ({"overdue": "True"}, {"overdue": True}),
        ({"limit": None}, {}),
        ({"limit": ""}, {}),
        ({"sort": ""}, {}),
        ({"doc_id": 12345}, {"doc_id": "pmid:12345"}),
        ({"doc_id": "12345"}, {"doc_id": "pmid:12345"}),
        ({"doc_ids": [1, "pmid:2"]}, {"doc_ids": ["pmid:1", "pmid:2"]}),
        ({"filters": {"year": "2020"}}, {"filters": {"year": 2020}}),
        ({"limit": "๒๐"}, {"limit": 20}),
        ({"limit": "1,200"}, {"limit": 1200}),
        ({"alpha": "1,200,000.50"}, {"alpha": 1200000.5}),
        ({"limit": [5]}, {"limit": 5}),
        ({"text": ["ขิง"]}, {"text": "ขิง"}),
        ({"tags": "ขิง"}, {"tags": ["ขิง"]}),
        ({"doc_id": "PMID 12345"}, {"doc_id": "pmid:12345"}),
        ({"doc_id": "PMID: 12345"}, {"doc_id": "pmid:12345"}),
    ],
)
def test_a_value_with_one_reading_is_taken_and_told(given: dict[str, Any], understood: dict[str, Any]) -> None:
    assert not IS_PLAIN(given)
    read = read_leniently(given, SCHEMA)
    assert read.arguments == understood
    assert len(read.changes) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"limit": "five"},
        {"limit": "12,34"},
        {"limit": [5, 6]},
        {"limit": [{"a": 1}]},
        {"doc_id": "PMCID 12345"},
        {"limit": "5.5"},
        {"limit": "1" * 30},
        {"alpha": None},
        {"alpha": "nan"},
        {"overdue": "yes"},
        {"overdue": 1},
        {"sort": "c"},
        {"names": "ขิง, ขมิ้นชัน"},
        {"names": '["ขิง"'},
        {"years": "2020"},
        {"text": ""},
        {"text": "5"},
        {"name": ""},
        {"name": None},
        {"doc_id": -1},
        {"doc_id": True},
        {"filters": {"year": None}},
        {"any": "5"},
        {"any": None},
        {"unknown": "5"},
    ],
)
def test_a_doubtful_value_stays_as_it_was_sent(given: dict[str, Any]) -> None:
    assert read_leniently(given, SCHEMA) == (given, [])


def test_deep_nesting_is_left_to_the_validation() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert read_leniently({"any": deep, "doc_ids": deep}, SCHEMA).changes == []
    while deep:  # taken apart here: the destructor of a list this deep would exhaust the stack of older interpreters
        deep = deep.pop()
