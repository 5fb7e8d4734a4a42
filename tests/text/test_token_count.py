from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.text.token_count import count_token_parts, count_tokens, estimate_max_parts
from tests.text.strings import anything


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("Andrographolide inhibited interleukin-6 in 12.5% of patients (p < 0.05).", 26),
        ("ฟ้าทะลายโจรเป็นสมุนไพรที่ใช้รักษาไข้หวัด", 10),
    ],
)
def test_the_estimate_is_near_what_tokenizers_count(text: str, pieces: int) -> None:
    assert count_tokens(text) == pytest.approx(pieces, rel=0.25)


def test_nothing_has_no_tokens() -> None:
    assert count_tokens(" \n\t") == 0


@given(anything, anything)
def test_parts_of_a_text_add_up(first: str, other: str) -> None:
    assert count_token_parts(f"{first} {other}") == count_token_parts(first) + count_token_parts(other)


@given(st.text(min_size=1).filter(lambda text: not text.isspace()))
def test_what_can_be_seen_costs_something(text: str) -> None:
    assert count_tokens(text) >= 1


@given(anything | st.text("abcdefgh ", max_size=300))
def test_the_quick_look_never_says_too_few(text: str) -> None:
    assert count_token_parts(text) <= estimate_max_parts(text)
