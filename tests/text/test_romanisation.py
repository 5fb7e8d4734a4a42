from __future__ import annotations

import pytest
from hypothesis import given

from sanya.text.characters import has_thai
from sanya.text.romanisation import romanise
from tests.text.names import load_names
from tests.text.strings import anything, thai


def letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.lower()))


def share_right(section: str) -> float:
    right = [letters(romanise(thai)) == letters(latin) for thai, latin in load_names(section)]
    return sum(right) / len(right)


@pytest.mark.parametrize(("section", "least"), [("provinces", 1.0), ("districts", 0.95), ("medicines", 0.95)])
def test_names_sound_as_their_official_spelling_says(section: str, least: float) -> None:
    assert share_right(section) >= least


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("ฟ้าทะลายโจร", "fa thalai chon"),
        ("สมุนไพรไทย ๑๐๐ ชนิด", "samunphrai thai 100 chanit"),
        ("มหาวิทยาลัย", "mahawitthayalai"),
        ("จันทร์", "chan"),
        ("พระพุทธศาสนา", "phraphutthasatsana"),
        ("สร้าง", "sang"),
        ("ทราย", "sai"),
        ("กล้วย", "kluai"),
        ("เลย", "loei"),
        ("อังกฤษ", "angkrit"),
        ("สะอาด", "sa-at"),
        ("warfarin 5 mg", "warfarin 5 mg"),
        ("", ""),
    ],
)
def test_words_are_read_by_the_royal_system(text: str, latin: str) -> None:
    assert romanise(text) == latin


@given(anything)
def test_any_text_is_read_and_no_thai_letter_is_left(text: str) -> None:
    assert not has_thai(romanise(text))


@given(thai)
def test_thai_becomes_plain_latin(text: str) -> None:
    assert romanise(text).isascii() or "฿" in text


@pytest.mark.parametrize("piece", ["ก", "กฤษณ", "เ", "่", "ฌฒฆ", "์"])
def test_ten_thousand_letters_are_read(piece: str) -> None:
    assert romanise(piece * (10_000 // len(piece))).isascii()
