from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.text import quantities
from sanya.text.quantities import find_quantities
from sanya.text.spans import Span
from tests.long_form import often
from tests.text.strings import anything


@pytest.mark.parametrize(
    "quantity",
    [
        "p < 0.05",
        "n=17",
        "OR = 1.5",
        "10 mg/kg/day",
        "5.1 µM",
        "3.2 × 10^5 CFU/ml",
        "37 °C",
        "95%",
        "1.2–3.4",
        "-3.5 ± 0.2 mmol/L",
        "more than 1,000 patients",
        "at least 5 mg",
        "between 2 and 4 weeks",
        "500 มก.",
        "ไม่เกิน ๔ กรัมต่อวัน",
        "ระหว่าง 10 ถึง 20 ปี",
        "3 ครั้ง",
    ],
)
def test_a_number_goes_with_its_comparison_and_its_unit(quantity: str) -> None:
    text = f"xx {quantity} xx"
    assert [span.slice(text) for span in find_quantities(text)] == [quantity]


@pytest.mark.parametrize("text", ["p53", "IL6", "H2O", "warfarin", "IL-6", "COVID-19", ""])
def test_a_number_in_a_name_is_none(text: str) -> None:
    assert find_quantities(text) == []


@given(anything)
def test_quantities_rise_and_do_not_overlap(text: str) -> None:
    ends = [end for span in find_quantities(text) for end in span]
    assert ends == sorted(ends)


PIECES = [
    "less than",
    "Less Than",
    "at least",
    "no more than",
    "up to",
    "between 3 and",
    "about",
    "or",
    "than",
    "to",
    "p",
    "n",
    "<",
    "=",
    "~",
    "±",
    "+",
    "-",
    "–",
    "−",
    ".",
    ",",
    "/",
    "%",
    "(",
    ")",
    " ",
    "  ",
    "\n",
    "5",
    "10",
    "12,000",
    "4.5",
    "007",
    "e5",
    "x10",
    "mg",
    "IL",
    "X-",
    "_",
    "ประมาณ",
    "๕",
]


@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=16).map("".join) | anything)
@settings(max_examples=often(125, 500))
def test_quantities_are_found_as_if_they_were_looked_for_at_every_character(text: str) -> None:
    assert find_quantities(text) == [Span(*found.span()) for found in quantities._QUANTITY.finditer(text)]
