"""Telling letters that are what a reader sees from letters that are not."""

from __future__ import annotations

import random

import pytest

from sanya.sources.documents.text_checks import judge_text
from tests.sources.documents.made import ENGLISH, THAI

_CONSONANTS = [chr(code) for code in range(0x0E01, 0x0E2F)]


def test_sound_text_is_trusted_and_left_as_it_is() -> None:
    for text in (THAI, ENGLISH, f"{THAI} {ENGLISH}", "Zingiber officinale 500 mg", "ขิง 2 g", "", "12/2568 – 3.5 %"):
        verdict = judge_text(text)
        assert (verdict.text, verdict.problem, verdict.note) == (text, None, None)


def test_signs_in_disorder_are_put_in_order() -> None:
    verdict = judge_text("น\u0e49\u0e4d\u0e32ผึ\uf70bง ต\u0e4d\u0e32รา")
    assert (verdict.text, verdict.problem) == ("น้ำผึ้ง ตำรา", None)


@pytest.mark.parametrize("seed", range(8))
def test_letters_that_stand_for_each_other_are_found_out(seed: int) -> None:
    """Also where only consonants are exchanged, so that every sign stands where it can."""
    shuffled = _CONSONANTS.copy()
    random.Random(seed).shuffle(shuffled)
    exchanged = THAI.translate(str.maketrans("".join(_CONSONANTS), "".join(shuffled)))
    assert judge_text(exchanged).problem is not None
    letters = list("abcdefghijklmnopqrstuvwxyz")
    random.Random(seed).shuffle(letters)
    exchanged = ENGLISH.translate(str.maketrans("abcdefghijklmnopqrstuvwxyz", "".join(letters)))
    assert judge_text(exchanged).problem == "its text layer spells no words"


def test_lost_private_and_unmapped_letters_are_found_out() -> None:
    assert judge_text(ENGLISH.replace("e", "\ufffd")).problem == "letters of its text layer are lost"
    assert judge_text(ENGLISH.replace("e", "\ue123")).problem == "its text layer is in private characters"
    assert judge_text(ENGLISH, unmapped=20).problem == "its fonts do not say which letters their glyphs are"
    shifted = "".join(chr(ord(letter) + 20) if "ก" <= letter <= "ฺ" else letter for letter in THAI)
    assert judge_text(shifted).problem == "its text layer has Thai signs where none can stand"


def test_thai_behind_western_letters_is_put_right() -> None:
    behind = THAI.encode("cp874").decode("cp1252", "replace")
    verdict = judge_text(behind)
    assert verdict.problem is None
    assert verdict.note is not None
    assert "สมุนไพร" in verdict.text


def test_western_text_with_accents_stays_western() -> None:
    text = "L'écorce du mélèze européen, très utilisée à l'époque, est réputée dépurative et légèrement fébrifuge."
    assert judge_text(text).text == text
