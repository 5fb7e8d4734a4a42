"""Names of journals and things in the form in which they are compared."""

from __future__ import annotations

import re
from functools import lru_cache

# Vowel signs and tone marks of Thai are no word characters to `re`.
_APART = re.compile("[^\\w\u0e00-\u0e7f]+")
_ARTICLE = re.compile(r"^the ")


def fold_name(name: str) -> str:
    """`The Lancet. Oncology`, `Lancet Oncology` and `lancet oncology.` are one name."""
    spaced = _APART.sub(" ", name.replace("&", " and ").replace("_", " ").casefold()).strip()
    return _ARTICLE.sub("", spaced)


fold_name_cached = lru_cache(maxsize=16_384)(fold_name)
"""The same for names that come again and again: those of journals, not the words of questions."""
