"""Thai stop words. They are left out of sounds and translations only: leaving them out of word search makes Thai
results worse."""

from __future__ import annotations

from functools import cache

from sanya.text.dictionary import GENERAL_WORDS


@cache
def load_thai_stop_words() -> frozenset[str]:
    path = GENERAL_WORDS.with_name("thai_stop_words.txt")
    return frozenset(path.read_text(encoding="utf-8").split())
