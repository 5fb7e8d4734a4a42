"""Thai words that say nothing. They are left out of sounds and translations only: leaving them out of plain search
makes Thai answers worse."""

from __future__ import annotations

from functools import cache

from sanya.text.dictionary import general_words_path


@cache
def thai_stops() -> frozenset[str]:
    path = general_words_path().with_name("stopwords_th.txt")
    return frozenset(path.read_text(encoding="utf-8").split())
