"""The key under which a name is stored and looked up."""

from __future__ import annotations

import unicodedata

from sanya.suite.text import to_search_form


def fold_name(name: str) -> str:
    """Return the letters, marks and digits of a name, without case, blanks, hyphens or other punctuation."""
    return "".join(letter for letter in to_search_form(name) if unicodedata.category(letter)[0] in "LMN")
