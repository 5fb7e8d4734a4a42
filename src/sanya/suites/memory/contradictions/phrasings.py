"""Phrasings: "the tax return is due on 31 January" and "the deadline for the tax return is 31 March" name one property.

Each phrase is rewritten into the one that the others are compared with (`phrasings.txt`). The result is for comparing
and not for showing.
"""

from __future__ import annotations

import re
from functools import partial

from sanya.suites.memory.word_lists import open_word_file

_PHRASINGS = [
    (re.compile(pattern.rstrip(), re.IGNORECASE), meaning.strip())
    for pattern, meaning in (line.split(" =>", 1) for line in open_word_file(__file__).read_lines("phrasings"))
]
# Most sentences have none of the phrases, and one search is quicker than twenty.
_ANY = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _PHRASINGS), re.IGNORECASE)


def normalise_phrases(text: str) -> str:
    if _ANY.search(text) is None:
        return text
    for pattern, meaning in _PHRASINGS:
        text = pattern.sub(partial(_rewrite, meaning=meaning), text)
    return text


def _rewrite(match: re.Match[str], meaning: str) -> str:
    return match.expand(meaning) + (" " if match[0].endswith(" ") else "")
