"""Bodies of prepared parts hash as bodies made anew, keep the contract, and never share what a caller may change."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from sanya.kernel.calls.prepared_bodies import (
    PartMaker,
    PreparedBody,
    PreparedPart,
    copy_body,
    find_pmids,
    prepare_response,
)
from sanya.kernel.calls.stamp import serialise_hashed
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.faults import InvariantBroken
from tests.long_form import often

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(max_size=6), JSON, max_size=5)


class Row(Shape):
    name: Annotated[str, Field(max_length=5)]
    """Name"""
    marks: list[str]
    """Marks"""


class Page(Shape):
    rows: list[Row]
    """Rows"""


def _writable(value: Any) -> bool:
    try:
        to_canonical_json(value)
    except ValueError:
        return False
    return True


@given(rest=OBJECTS.filter(_writable), parts=st.lists(OBJECTS.filter(_writable), max_size=4), name=st.text(max_size=6))
@settings(max_examples=often(50, 200), deadline=None)
def test_a_prepared_body_has_the_bytes_of_the_same_body_made_anew(
    rest: dict[str, Any], parts: list[dict[str, Any]], name: str
) -> None:
    anew = {**rest, name: parts}
    if not _writable(anew):
        return
    body = PreparedBody(rest, {name: [PreparedPart(part) for part in parts]})
    assert body == anew
    assert serialise_hashed(body, ()) == to_canonical_json(anew)
    assert serialise_hashed(body, ((name,),)) == to_canonical_json({k: v for k, v in anew.items() if k != name})


def test_a_response_has_the_bytes_of_the_body_in_the_order_of_its_fields() -> None:
    rows: list[dict[str, Any]] = [
        {"name": "ขิง", "marks": ["b", "a"]},
        {"name": "z", "marks": [], "a": {"z": 1, "b": None}},
    ]
    body = PreparedBody({"total": 2, "note": "x"}, {"rows": [PreparedPart(row) for row in rows]})
    body["audit"] = {"status": "ok"}
    assert orjson.dumps(prepare_response(body)) == orjson.dumps(dict(body))
    assert prepare_response(plain := {"total": 2}) is plain


@given(parts=st.lists(OBJECTS.filter(_writable), max_size=4))
@settings(max_examples=often(50, 200), deadline=None)
def test_a_copy_equals_the_body_and_shares_nothing_that_can_change(parts: list[dict[str, Any]]) -> None:
    body = PreparedBody({"total": 1}, {"rows": [PreparedPart(part) for part in parts]})
    copied = copy_body(body)
    assert copied == body
    _empty(copied["rows"])
    assert body["rows"] == [part.value for part in body.parts["rows"]] == parts


def _empty(value: Any) -> None:
    """Clear every list and object inside a value."""
    for member in list(value.values() if isinstance(value, dict) else value):
        if isinstance(member, (dict, list)):
            _empty(member)
    value.clear()


def test_a_part_that_breaks_the_contract_is_refused() -> None:
    maker = PartMaker(Page, "rows")
    part = maker.make_part(Row(name="fine", marks=["a"]))
    assert part.value == {"name": "fine", "marks": ["a"]}
    with pytest.raises(InvariantBroken, match="rows of Page"):
        maker.make_part(Row.model_construct(name="too long a name", marks=[]))


def test_papers_named_in_parts_and_around_them_are_found_as_in_the_bytes() -> None:
    rows = [{"name": "a", "marks": ["pmid:123"]}, {"name": "b", "marks": ["https://pubmed.ncbi.nlm.nih.gov/45/"]}]
    body = PreparedBody({"note": "PMID 6"}, {"rows": [PreparedPart(row) for row in rows]})
    anew = {"note": "PMID 6", "rows": rows}
    serialised = to_canonical_json(anew)
    assert find_pmids(body, serialised, ["9"]) == find_pmids(anew, serialised, ["9"]) == ["123", "45", "6", "9"]


def test_a_field_that_is_set_anew_is_serialised_anew() -> None:
    body = PreparedBody({"note": "PMID 6"}, {"rows": [PreparedPart({"name": "a", "marks": []})]})
    before = serialise_hashed(body, ())
    body["note"], body["shortened"] = "PMID 7", True
    assert serialise_hashed(body, ()) == to_canonical_json(dict(body)) != before
    assert find_pmids(body, b"", []) == ["7"]
