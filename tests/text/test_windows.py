from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.text.quantities import find_quantities
from sanya.text.spans import Span
from sanya.text.token_count import count_tokens
from sanya.text.windows import WindowSizes, split_windows
from tests.text.strings import anything, phrases

SMALL = WindowSizes(aim=20, most=30, overlap=5)
ENGLISH = "The dose of 5 mg/kg was given for 7 days to more than 100 patients. It was safe, as p < 0.05 shows. "
THAI = "ผู้ป่วยได้รับฟ้าทะลายโจรขนาด 500 มก. วันละ 3 ครั้ง ไม่เกิน 5 วัน นอกจากนี้ยังพบว่าอาการดีขึ้นมากกว่า 80 เปอร์เซ็นต์ "


def covers(spans: list[Span], text: str) -> bool:
    whole = spans[0].start == 0 and spans[-1].end == len(text)
    return whole and all(window.start < next.start <= window.end < next.end for window, next in pairwise(spans))


@pytest.mark.parametrize("text", [ENGLISH * 40, THAI * 40, (ENGLISH + THAI) * 20])
def test_windows_cover_the_text_overlap_and_keep_their_size(text: str) -> None:
    windows = split_windows(text)
    sizes = [count_tokens(span.slice(text)) for span in windows]
    shared = [count_tokens(text[next.start : window.end]) for window, next in pairwise(windows)]
    assert covers(windows, text)
    assert max(sizes) <= 450
    assert min(sizes[:-1]) >= 160
    assert all(0 < overlap <= 51 for overlap in shared)


def test_a_window_ends_with_a_sentence_where_it_can() -> None:
    text = ENGLISH * 40
    assert all(span.slice(text).rstrip().endswith(".") for span in split_windows(text))


@pytest.mark.parametrize("text", ["a short text", "x", ENGLISH])
def test_a_short_text_is_one_window(text: str) -> None:
    assert split_windows(text) == [Span(0, len(text))]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_blanks_alone_have_no_window(text: str) -> None:
    assert split_windows(text) == []


@pytest.mark.parametrize("text", ["ฟ้าทะลายโจรเป็นสมุนไพร" * 300, "A" * 10_000, "漢" * 5000, "12 " * 3000, "a 5 " * 2500])
def test_a_text_without_safe_blanks_is_cut_all_the_same(text: str) -> None:
    windows = split_windows(text)
    assert covers(windows, text)
    assert max(count_tokens(span.slice(text)) for span in windows) <= 450


@pytest.mark.parametrize("quantity", ["p < 0.05", "10 mg/kg/day", "at least 5 zorkmids", "ไม่เกิน 4 กรัม", "37 °C"])
@pytest.mark.parametrize("ahead", range(0, 40, 3))
def test_a_number_is_never_parted_from_its_unit_or_comparison(quantity: str, ahead: int) -> None:
    text = "word " * ahead + quantity + " word" * 40
    place = text.index(quantity)
    inside = range(place + 1, place + len(quantity))
    assert not [end for span in split_windows(text, SMALL) for end in span if end in inside]


@given(anything, st.sampled_from([SMALL, WindowSizes()]))
def test_any_text_is_covered(text: str, sizes: WindowSizes) -> None:
    windows = split_windows(text, sizes)
    assert covers(windows, text) if text.strip() else not windows


@given(phrases)
def test_no_window_begins_or_ends_inside_a_quantity(text: str) -> None:
    ends = {end for span in split_windows(text, SMALL) for end in span}
    torn = [span.slice(text) for span in find_quantities(text) if any(span.start < end < span.end for end in ends)]
    assert [quantity for quantity in torn if "\n" not in quantity] == []


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap < aim <= most"):
        WindowSizes(aim=10, most=5)
