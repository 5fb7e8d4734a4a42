from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.retrieval.sounds import sound_of, sound_pieces


@pytest.mark.parametrize(
    ("thai", "english"),
    [
        ("แพนเธอร์ส", "panthers"),
        ("อัลเลน", "allen"),
        ("นอร์แมน", "norman"),
        ("แคโรไลนา", "carolina"),
        ("เดนเวอร์", "denver"),
    ],
)
def test_a_name_sounds_alike_in_both_scripts(thai: str, english: str) -> None:
    assert sound_of(thai) == sound_of(english) != ""


def test_different_names_sound_different() -> None:
    assert len({sound_of(name) for name in ("panthers", "denver", "norman", "carolina")}) == 4


@given(st.text())
def test_any_text_has_a_sound_of_plain_letters(text: str) -> None:
    assert set(sound_of(text)) <= set("aknctspfmrlwhy")
    assert all(len(piece) == 3 for piece in sound_pieces(text))
