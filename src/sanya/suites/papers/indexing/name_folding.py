"""Folds names of journals and concepts for comparison."""

from __future__ import annotations

import re
from functools import lru_cache

# `re` does not count Thai vowel signs and tone marks as word characters.
_SEPARATORS = re.compile("[^\\w\u0e00-\u0e7f]+")
_ARTICLE = re.compile(r"^the ")


def fold_name(name: str) -> str:
    """Return the folded name: `The Lancet. Oncology`, `Lancet Oncology` and `lancet oncology.` are the same."""
    spaced = _SEPARATORS.sub(" ", name.replace("&", " and ").replace("_", " ").casefold()).strip()
    return _ARTICLE.sub("", spaced)


fold_name_cached = lru_cache(maxsize=16_384)(fold_name)
"""`fold_name` for names that recur, such as journals; the words of queries would only fill the cache."""
