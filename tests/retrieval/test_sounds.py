from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.retrieval import sounds
from sanya.retrieval.latin_sounds import IS_COMPILED
from sanya.retrieval.sounds import compute_sound, split_sound
from tests.long_form import often


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
    assert compute_sound(thai) == compute_sound(english) != ""


def test_different_names_sound_different() -> None:
    assert len({compute_sound(name) for name in ("panthers", "denver", "norman", "carolina")}) == 4


@given(st.text())
def test_any_text_has_a_sound_of_plain_letters(text: str) -> None:
    assert set(compute_sound(text)) <= set("aknctspfmrlwhy")
    assert all(len(piece) == 3 for piece in split_sound(text))


class Declines:
    def read(self, word: str) -> None: ...


@pytest.mark.skipif(not IS_COMPILED, reason="it was not compiled here")
@given(st.text("abcdefghijklmnopqrstuvwxyzcghknqtaeiy", max_size=20) | st.text(max_size=150))
@settings(max_examples=often(250, 1000), deadline=None)
def test_a_name_sounds_the_same_in_both_ways(name: str) -> None:
    compiled = compute_sound(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sounds, "_compiled", Declines())
        assert compiled == compute_sound(name)
