"""Progress: it is awaited or being done, and later it has happened.

"Dad is on a waiting list for a new hip" holds no longer when "Dad got his new hip". Both must speak of the same things:
everything that is awaited must be named again by what has happened.

Everything here is a pure function.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanya.suite.text import has_thai, stem_english
from sanya.suites.memory.contradictions.statement_terms import list_plain_terms
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_OPEN, _DONE, _UNDONE = (
    re.compile("|".join(_WORDS.read_lines(section)), re.IGNORECASE) for section in ("open", "done", "undone")
)
_RESULTS = frozenset(map(stem_english, _WORDS.read_words("results")))
_MAX_CHARS = 120
_MIN_TOPIC = 2
_MIN_THAI_CHARS = 8


@dataclass(frozen=True, slots=True)
class StatedProgress:
    is_done: bool
    topic: frozenset[str]
    """What is awaited, or the words of what has happened."""
    text: str
    """All but the sign that it is awaited, without blanks, to find Thai words that were cut in another way."""


def read_progress(sentence: str) -> StatedProgress | None:
    """Return what is awaited or has happened, or None if the sentence tells neither."""
    if len(sentence) > _MAX_CHARS:
        return None
    is_open = _OPEN.search(sentence) is not None
    if not is_open and (_DONE.search(sentence) is None or _UNDONE.search(sentence)):
        return None
    rest = _OPEN.sub(" ", sentence) if is_open else sentence
    return StatedProgress(not is_open, frozenset(list_plain_terms(rest)), re.sub(r"\s+", "", rest.lower()))


def has_happened(newer: StatedProgress | None, older: StatedProgress | None, *, is_same_speaker: bool) -> bool:
    """Tell whether what the older statement awaits has happened by the newer one."""
    if newer is None or older is None or not newer.is_done or older.is_done:
        return False
    if has_thai(older.text) and len(older.text) >= _MIN_THAI_CHARS and older.text in newer.text:
        return True
    if len(older.topic) + is_same_speaker < _MIN_TOPIC:
        return False
    missing = [term for term in older.topic - _RESULTS if term not in newer.topic and term not in newer.text]
    return not missing and len(newer.topic - older.topic) <= len(older.topic)
