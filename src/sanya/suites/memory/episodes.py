"""Episodes: the document, conversation or day that a memory is part of, and what its text shows without parsing."""

from __future__ import annotations

import re

from sanya.suite.text import ENGLISH_STOP_WORDS, THAI

DAY_EPISODE = "day:"
"""The beginning of an episode that is a day."""
_SPEAKER = re.compile(r"\s*(?:\[[^\]]{1,80}\]\s*)?([^\W\d_][\w .'’-]{0,40}?)\s*:\s")
_LEADING_DAY = re.compile(r"\s*\[?(\d{4}-\d{2}-\d{2})")
_KEY_WORD = re.compile(f"[{THAI}]+|[^\\W\\d_]+|\\d+")
_THAI_RUN = re.compile(f"[{THAI}]")
_PREFIX_LETTERS = 5
_THAI_NGRAM_LETTERS = 3
_QUESTION = re.compile(r"(?:\?|ไหม|มั้ย|หรือเปล่า|หรือไม่)[\s)\]\"'”]*$")


def find_episode(content: str, lineage: str | None, agent_id: str | None, created_at: str) -> str:
    """Return the lineage of the source, or without one the day that the text begins with or on which it was sent."""
    if lineage is not None:
        return lineage
    day = _LEADING_DAY.match(content)
    return f"{DAY_EPISODE}{day[1] if day else created_at[:10]}:{agent_id or ''}"


def find_speaker(content: str) -> str | None:
    """Return Alice for `Alice: The deadline is March 15.`"""
    match = _SPEAKER.match(content)
    return match[1] if match else None


def is_question(content: str) -> bool:
    return _QUESTION.search(content) is not None


def make_word_keys(text: str) -> list[str]:
    """Return the words of a text in a rough form that costs almost nothing and suffices to compare neighbours.

    The form is the first letters of each English word, and all triples of letters of each run of Thai.
    """
    keys: list[str] = []
    for word in _KEY_WORD.findall(text.casefold()):
        if _THAI_RUN.match(word):
            keys += [
                word[start : start + _THAI_NGRAM_LETTERS]
                for start in range(max(1, len(word) - _THAI_NGRAM_LETTERS + 1))
            ]
        elif len(word) > 1 and word not in ENGLISH_STOP_WORDS:
            keys.append(word[:_PREFIX_LETTERS])
    return keys


def strip_speaker(content: str) -> str:
    match = _SPEAKER.match(content)
    return content[match.end() :] if match else content
