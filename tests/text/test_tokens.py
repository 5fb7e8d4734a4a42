from __future__ import annotations

from hypothesis import given

from sanya.text.normalisation import normalise, to_search_form
from sanya.text.segmentation import get_default_segmenter
from sanya.text.tokens import extract_tokens
from tests.text.strings import anything


def test_both_languages_are_read_in_one_text() -> None:
    assert extract_tokens("ผู้ป่วยได้รับ Warfarin tablets ๕ มก.") == ["ผู้ป่วย", "ได้รับ", "warfarin", "tablet", "5", "มก."]


def test_a_formula_is_found_with_and_without_its_head_noun() -> None:
    assert set(extract_tokens("หอมเทพจิตร")) & set(extract_tokens("ยาหอมเทพจิตร"))


def test_a_longer_name_is_not_found_by_another_herb_inside_it() -> None:
    assert not set(extract_tokens("มะขาม")) & set(extract_tokens("มะขามป้อม"))


def test_signs_of_repetition_and_shortening_are_no_words() -> None:
    assert extract_tokens("ต่าง ๆ ฯลฯ") == ["ต่าง"]


def test_a_wrongly_typed_text_has_the_words_of_the_right_one() -> None:
    assert extract_tokens("นํ้าเเข็ง ขา้ว") == extract_tokens("น้ำแข็ง ข้าว")


def test_names_of_a_given_segmenter_are_kept() -> None:
    segmenter = get_default_segmenter().extend(["มะกอกฟ้าคะนอง"])
    assert extract_tokens("ใบมะกอกฟ้าคะนอง", segmenter) == ["ใบ", "มะกอกฟ้าคะนอง"]


@given(anything)
def test_tokens_can_be_parted_by_blanks_again(text: str) -> None:
    assert " ".join(extract_tokens(text)).split() == extract_tokens(text)


@given(anything)
def test_display_and_search_form_have_the_words_of_the_text(text: str) -> None:
    assert extract_tokens(normalise(text)) == extract_tokens(text) == extract_tokens(to_search_form(text))
