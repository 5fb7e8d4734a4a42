"""Character n-grams: the second way into Thai, which needs no dictionary and forgives a wrong cut."""

from __future__ import annotations

import re

from sanya.text.characters import THAI, clusters
from sanya.text.normalisation import search_form

_SIGNS = re.compile(f"[^\\w{THAI}]+")


def ngrams(text: str, size: int = 3) -> list[str]:
    """Overlapping grams of the search form, each of whole clusters and of the fewest that reach `size` characters.

    A gram begins at each cluster; signs and blanks count as one blank, so that grams know where a phrase begins."""
    pieces = clusters(f" {_SIGNS.sub(' ', search_form(text)).strip()} ")
    grams = []
    for index, gram in enumerate(pieces):
        behind = index + 1
        while len(gram) < size and behind < len(pieces):
            gram += pieces[behind]
            behind += 1
        if len(gram) >= size:
            grams.append(gram)
    return grams
