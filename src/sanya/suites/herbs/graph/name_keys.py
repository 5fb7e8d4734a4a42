"""A name as names are compared: without case, blanks, hyphens and other signs."""

from __future__ import annotations

import unicodedata

from sanya.text.normalisation import search_form


def name_key(name: str) -> str:
    return "".join(letter for letter in search_form(name) if unicodedata.category(letter)[0] in "LMN")
