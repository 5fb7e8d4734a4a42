"""Turns a Thai question in Latin letters back into Thai: "khon thong kin makham khaek dai mai".

Only the words that questions are made of are turned, by their sound; the names among them stay and are recognised by
sound as well. A text counts as romanised Thai if enough of its words are such words and few are English.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from sanya.suite.text import ENGLISH_STOP_WORDS, has_thai, make_spelling_key, to_search_form
from sanya.suites.herbs.questions.mentions import is_english_word

_WORD = re.compile("[a-z'-]+")
_MIN_WORDS = 2
_MIN_SHARE = 0.3
_MAX_ENGLISH_SHARE = 0.25
_MAX_PHRASE_WORDS = 4


def restore_thai(text: str) -> str:
    """Return the question with its Thai words in Thai script, or the text as it is where it is not romanised Thai."""
    if has_thai(text):
        return text
    words = _WORD.findall(to_search_form(text))
    turned = _turn_words(words)
    rest = [word for word, is_turned in turned if not is_turned]
    has_enough = len(words) - len(rest) >= max(_MIN_WORDS, _MIN_SHARE * len(words))
    if not has_enough or _count_english(rest) > _MAX_ENGLISH_SHARE * len(words):
        return text
    return _join_words(turned)


def _join_words(turned: list[tuple[str, bool]]) -> str:
    """Join the words: those in Thai without blanks, as Thai is written."""
    text = ""
    is_thai = False
    for word, is_turned in turned:
        text += word if is_turned and is_thai else f" {word}"
        is_thai = is_turned
    return text.strip()


def _count_english(words: list[str]) -> int:
    return sum(1 for word in words if word in ENGLISH_STOP_WORDS or is_english_word(word))


def _turn_words(words: list[str]) -> list[tuple[str, bool]]:
    """Return the words in order, each phrase of the table in Thai, with whether it was turned."""
    table = _load_table()
    turned: list[tuple[str, bool]] = []
    at = 0
    while at < len(words):
        for length in range(min(_MAX_PHRASE_WORDS, len(words) - at), 0, -1):
            key = " ".join(make_spelling_key(word) for word in words[at : at + length])
            if key in table:
                turned.append((table[key], True))
                at += length
                break
        else:
            turned.append((words[at], False))
            at += 1
    return turned


@cache
def _load_table() -> dict[str, str]:
    text = (files("sanya.suites.herbs.questions") / "romanised_words.toml").read_text(encoding="utf-8")
    table: dict[str, str] = {}
    for thai, spellings in tomllib.loads(text)["words"].items():
        for spelling in spellings:
            table.setdefault(" ".join(make_spelling_key(word) for word in re.split("[ -]", spelling)), thai)
    return table
