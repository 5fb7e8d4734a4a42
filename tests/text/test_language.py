from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from sanya.text.language import LanguageSpan, detect_language, find_language_spans
from tests.text.strings import anything


def test_a_mixed_sentence_is_parted_by_language() -> None:
    text = "ผู้ป่วยได้รับ warfarin 5 mg ทุกวัน"
    assert [(text[start:end], language) for start, end, language in find_language_spans(text)] == [
        ("ผู้ป่วยได้รับ ", "th"),
        ("warfarin 5 mg ", "en"),
        ("ทุกวัน", "th"),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ฟ้าทะลายโจร", "th"),
        ("Andrographis paniculata", "en"),
        ("ยา Aspirin", "th"),
        ("café naïve", "en"),
        ("α-pinene 5 µg", "en"),
        ("漢方薬", "other"),
        ("Андрографис", "other"),
        ("12.5 %", "other"),
        ("๑๒", "th"),
        ("", "other"),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_digits_at_the_start_go_with_the_letters_behind_them() -> None:
    assert find_language_spans("10 มก.") == [LanguageSpan(0, 6, "th")]


def test_an_empty_text_has_no_spans() -> None:
    assert find_language_spans("") == []


@given(anything)
def test_the_spans_cover_the_text_exactly_and_neighbours_differ(text: str) -> None:
    spans = find_language_spans(text)
    assert "".join(text[start:end] for start, end, _ in spans) == text
    assert all(span.end == next.start and span.language != next.language for span, next in pairwise(spans))
