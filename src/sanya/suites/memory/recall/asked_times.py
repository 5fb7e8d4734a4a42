"""Tells whether a question asks for a time, and whether a remark names one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from sanya.suites.memory.episodes import make_word_keys
from sanya.suites.memory.word_lists import open_word_file

_YEAR = r"(?:19|20|25)\d\d"  # 25xx is a year of the Buddhist era
_THAI = re.compile("[\u0e00-\u0e7f]")


def is_asking_for_time(question: str) -> bool:
    starts, anywhere = _compile_questions()
    folded = question.casefold()
    return bool(starts.match(folded) or anywhere.search(folded))


def is_naming_time(keys: str) -> bool:
    """Return whether a text names a time. `keys` are its words as `make_word_keys` makes them, joined by blanks."""
    return _compile_times().search(f" {keys} ") is not None


@cache
def _compile_questions() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = open_word_file(__file__)
    starts, anywhere = words.read_phrases("asks_at_start"), words.read_phrases("asks")
    return re.compile(rf"\W*(?:{_join(starts)})"), re.compile(_join(anywhere))


@cache
def _compile_times() -> re.Pattern[str]:
    keys = {" ".join(make_word_keys(word)) for word in open_word_file(__file__).read_phrases("times")}
    return re.compile(f" (?:{'|'.join([*sorted(keys), _YEAR])}) ")


def _join(phrases: Iterable[str]) -> str:
    # Thai has no blanks between words, so its phrases have no borders.
    return "|".join(phrase if _THAI.search(phrase) else rf"\b{phrase}\b" for phrase in phrases)
