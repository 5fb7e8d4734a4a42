from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.text.normalisation import normalise, to_search_form
from tests.text.strings import THAI_SIGNS, anything


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("น่ี", "นี่"),
        ("ทีี่", "ที่"),
        ("นํ้า", "น้ำ"),
        ("น้ํา", "น้ำ"),
        ("นำ้", "น้ำ"),
        ("นาํ", "นำ"),
        ("กํา", "กำ"),
        ("ขา้ว", "ข้าว"),
        ("จะ้", "จ้ะ"),
        ("เเพทย์", "แพทย์"),
        ("ป่่า", "ป่า"),
        ("พันธ์ุ", "พันธุ์"),
        ("ฟ้\u200bาทะ\u00adลายโจร\ufeff", "ฟ้าทะลายโจร"),
        ("ที\uf70aบ\uf701น", "ที่บิน"),
        ("ยา\u00a0 \u2003หม้อ\r\n\r\n\r\n\r\nใหญ่  ", "ยา หม้อ\n\nใหญ่"),
        ("cafe\u0301", "café"),
    ],
)
def test_what_was_typed_wrongly_becomes_what_was_meant(written: str, meant: str) -> None:
    assert normalise(written) == meant


@pytest.mark.parametrize(
    "text", ["๒๕๖๖", "10⁵ เซลล์", "6½", "5 µg", "Ｗ", "ฤๅษี", "กฤษณา", "👩\u200d🔬", "m²", "–", "จ้าาา"]
)
def test_the_display_form_keeps_what_a_reader_sees(text: str) -> None:
    assert normalise(text) == text


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("พ.ศ. ๒๕๖๖", "พ.ศ. 2566"),
        ("ＣＯＶＩＤ－１９", "covid-19"),
        ("ﬁbrosis", "fibrosis"),
        ("IL–6", "il-6"),
        ("Warfarin", "warfarin"),
        ("ภาษๅ", "ภาษา"),
        ("ฤๅษี", "ฤๅษี"),
        ("µg", "μg"),
    ],
)
def test_the_search_form_folds_what_searchers_do_not_tell_apart(written: str, found: str) -> None:
    assert to_search_form(written) == found


def test_a_power_of_ten_is_not_folded_into_another_number() -> None:
    assert to_search_form("10⁵") != to_search_form("105")
    assert to_search_form("6½") != to_search_form("61/2")


@given(anything)
def test_both_forms_are_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert to_search_form(to_search_form(text)) == to_search_form(text)


@given(anything)
def test_the_forms_are_canonical_and_can_be_written_to_disk(text: str) -> None:
    for form in (normalise(text), to_search_form(text)):
        assert unicodedata.is_normalized("NFC", form)
        form.encode("utf-8")


@given(anything)
def test_the_search_form_of_the_display_form_is_the_search_form(text: str) -> None:
    assert to_search_form(normalise(text)) == to_search_form(text)


@given(st.text(alphabet=THAI_SIGNS))
def test_each_sign_stands_once_and_every_tone_before_the_following_vowel(signs: str) -> None:
    form = normalise("ก" + signs)
    assert not any(character == next and unicodedata.category(character) == "Mn" for character, next in pairwise(form))
    assert not any(f"{vowel}{tone}" in form for vowel in "ะาำ" for tone in "่้๊๋")


def test_ten_thousand_signs_are_read() -> None:
    assert normalise("ก" + "่" * 10_000) == "ก่"
