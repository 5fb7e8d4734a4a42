"""Classes of Thai characters, written as bodies of regular-expression sets."""

from __future__ import annotations

import re

CONSONANTS = "\u0e01-\u0e2e"
LEADING_VOWELS = "\u0e40-\u0e44"
FOLLOWING_VOWELS = "\u0e30\u0e32\u0e33\u0e45"
TONES = "\u0e48-\u0e4b"
# Marks above and below a consonant: vowels, tones, silencers.
MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
THAI = "\u0e01-\u0e3a\u0e40-\u0e5b"

_ANY_THAI = re.compile(f"[{THAI}]")
_CLUSTER = re.compile(
    f"[{LEADING_VOWELS}]?[{CONSONANTS}][{MARKS}{FOLLOWING_VOWELS}]*|[^{MARKS}{FOLLOWING_VOWELS}][{MARKS}]*|.", re.DOTALL
)
_CLINGING = re.compile(f"[{MARKS}{FOLLOWING_VOWELS}]")
_LEADING = re.compile(f"[{LEADING_VOWELS}]")


def has_thai(text: str) -> bool:
    return not text.isascii() and _ANY_THAI.search(text) is not None


def split_clusters(text: str) -> list[str]:
    """Split the text into clusters: a consonant with the vowel before it and the marks around it."""
    return _CLUSTER.findall(text)


def is_inside_cluster(text: str, position: int) -> bool:
    """Return whether a cut at `position` would separate a mark from its consonant."""
    if not 0 < position < len(text):
        return False
    return _CLINGING.match(text, position) is not None or _LEADING.match(text, position - 1) is not None
