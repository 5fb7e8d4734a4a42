"""Words that address somebody: "Thanks, Gina!", "Hey Mel,". They state nothing, and a name among them is no subject."""

from __future__ import annotations

import re

from sanya.suites.memory.parsing.places import find_place
from sanya.suites.memory.word_lists import open_word_file

_INTERJECTIONS = sorted(open_word_file(__file__).read_phrases("interjections"), key=len, reverse=True)
_OPENING = re.compile(rf"^(?i:{'|'.join(map(re.escape, _INTERJECTIONS))})(?:[,!]?\s+[A-Z][\w'’-]+)?\s*(?:[,!.]+\s*|$)")
_NAME_FIRST = re.compile(r"^[A-Z][\w'’-]+,\s+(?=I\b|I'|you\b|your\b|we\b)")
_NAME_LAST = re.compile(r",\s+(?P<name>[A-Z][a-z]{1,15})\s*(?=[!?.]*$)")


def remove_address(sentence: str) -> str:
    """Return a remark of a conversation without the words that only address somebody."""
    plain = _NAME_FIRST.sub("", _OPENING.sub("", sentence, count=1), count=1)
    return _NAME_LAST.sub(lambda match: match[0] if find_place(match["name"]) else "", plain)
