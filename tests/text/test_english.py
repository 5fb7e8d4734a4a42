from __future__ import annotations

import pytest
from hypothesis import given

from sanya.text import english
from sanya.text.english import extract_english_words, stem
from sanya.text.normalisation import to_search_form
from tests.text.strings import anything


def read(text: str) -> list[str]:
    return extract_english_words(to_search_form(text))


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("TNF-α", "TNF-alpha"),
        ("TNFα", "TNF alpha"),
        ("IL-6", "IL6"),
        ("β-carotene", "beta-carotene"),
        ("COVID-19", "covid19"),
        ("Sjögren's", "Sjogren"),
        ("patients", "patient"),
        ("inhibited", "inhibiting"),
        ("1,000", "1000"),
    ],
)
def test_two_spellings_of_one_thing_share_a_word(first: str, other: str) -> None:
    assert set(read(first)) & set(read(other))


def test_stop_words_go_and_negation_stays() -> None:
    assert read("The drug was not effective") == ["drug", "not", "effect"]


def test_a_decimal_stays_one_word() -> None:
    assert read("p < 0.05 in 12.5%") == ["p", "0.05", "12.5"]


def test_a_range_is_not_read_as_one_number() -> None:
    assert read("5-10 mg") == ["5", "10", "mg"]


def test_what_is_no_english_word_keeps_its_form() -> None:
    assert stem("漢方") == "漢方"


@given(anything)
def test_every_word_is_plain_and_none_is_empty(text: str) -> None:
    assert all(word and not any(map(str.isspace, word)) for word in read(text))


def test_long_numbers_are_read_and_not_remembered() -> None:
    text = "in 2024 were 48151623 of 42108815-1516"
    assert extract_english_words(text) == ["2024", "48151623", "42108815", "1516"]
    assert "2024" in english._known and "48151623" not in english._known
    stem("running")
    before = english._known_stem.cache_info().currsize
    assert [stem(str(number)) for number in range(10**7, 10**7 + 50)] == list(map(str, range(10**7, 10**7 + 50)))
    assert english._known_stem.cache_info().currsize == before
