"""What a memory was part of, and how it was said: the neighbours that explain it, who speaks, whether it asks."""

from __future__ import annotations

import re

from sanya.text.characters import THAI
from sanya.text.english import STOP_WORDS

_SPEAKER = re.compile(r"\s*(?:\[[^\]]{1,80}\]\s*)?([^\W\d_][\w .'’-]{0,40}?)\s*:\s")
_LEADING_DAY = re.compile(r"\s*\[?(\d{4}-\d{2}-\d{2})")
_KEY_WORD = re.compile(f"[{THAI}]+|[^\\W\\d_]+|\\d+")
_THAI_RUN = re.compile(f"[{THAI}]")
_KEY_LETTERS = 5
_THAI_LETTERS = 3
_ASKS = re.compile(r"(?:\?|ไหม|มั้ย|หรือเปล่า|หรือไม่)[\s)\]\"'”]*$")


def find_episode(content: str, lineage: str | None, agent_id: str | None, created_at: str) -> str:
    """A document or conversation where the source names one, else the day that the text or the clock gives."""
    if lineage is not None:
        return lineage
    day = _LEADING_DAY.match(content)
    return f"day:{day[1] if day else created_at[:10]}:{agent_id or ''}"


def find_speaker(content: str) -> str | None:
    """Of `Alice: The deadline is March 15.` it is Alice."""
    found = _SPEAKER.match(content)
    return found[1] if found else None


def is_question(content: str) -> bool:
    return _ASKS.search(content) is not None


def make_word_keys(text: str) -> list[str]:
    """The words of a text in a rough form that costs next to nothing: the first letters of English words, the triples
    of Thai letters. Good enough to compare neighbours by."""
    keys: list[str] = []
    for word in _KEY_WORD.findall(text.casefold()):
        if _THAI_RUN.match(word):
            keys += [word[at : at + _THAI_LETTERS] for at in range(max(1, len(word) - _THAI_LETTERS + 1))]
        elif len(word) > 1 and word not in STOP_WORDS:
            keys.append(word[:_KEY_LETTERS])
    return keys


def strip_speaker(content: str) -> str:
    found = _SPEAKER.match(content)
    return content[found.end() :] if found else content
