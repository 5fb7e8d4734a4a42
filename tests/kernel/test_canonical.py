"""RFC 8785, with the RFC's own vectors and the ones that matter to Thai."""

from __future__ import annotations

import json
import math
import struct

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.canonical import SAFE_INTEGER, to_canonical_json

# Appendix B of the RFC: the bits of a double and how it is written.
RFC_NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "written"), RFC_NUMBERS)
def test_numbers_are_written_as_the_rfc_has_them(bits: str, written: str) -> None:
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    assert to_canonical_json(value).decode() == written


VECTORS = [
    ({"ข": 1, "ก": 2}, '{"ก":2,"ข":1}'),
    ({"name": "ฟ้าทะลายโจร"}, '{"name":"ฟ้าทะลายโจร"}'),
    # Combining marks stay as they were sent: hashing never normalises.
    (["é", "e\u0301", "กำ", "กํา"], '["é","e\u0301","กำ","กํา"]'),
    ([-0.0, 0.0, 0], "[0,0,0]"),
    ([1e21, 1e20, 1e-7, 1.0, 1.5], "[1e+21,100000000000000000000,1e-7,1,1.5]"),
    ([2**53 - 1, 2**53, 2**53 + 1], "[9007199254740991,9007199254740992,9007199254740992]"),
    ([-(2**53) + 1, -(2**53) - 1], "[-9007199254740991,-9007199254740992]"),
    # The RFC's own sorting example: by UTF-16 code units, so the emoji comes before U+FB33.
    (
        {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, "ö": 7},
        '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ),
    ('\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
    ({"b": [], "a": {}}, '{"a":{},"b":[]}'),
    ([True, False, None, ""], '[true,false,null,""]'),
]


@pytest.mark.parametrize(("value", "written"), VECTORS)
def test_values_have_one_spelling(value: object, written: str) -> None:
    assert to_canonical_json(value).decode("utf-8") == written


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, [-math.inf], 10**400, [-(10**400)], {"a": {1}}, "\ud800", ["\udfff", 1.5]]
)
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        to_canonical_json(value)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-SAFE_INTEGER, SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_it_agrees_with_another_implementation(value: object) -> None:
    assert to_canonical_json(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@given(json_values)
def test_reading_the_canonical_form_back_changes_nothing(value: object) -> None:
    once = to_canonical_json(value)
    assert to_canonical_json(json.loads(once)) == once
