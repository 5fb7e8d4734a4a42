"""Character n-grams: the second kind of terms for Thai. They need no dictionary and tolerate wrong segmentation."""

from __future__ import annotations

import re

from sanya.text.characters import THAI, split_clusters
from sanya.text.normalisation import to_search_form

_SIGNS = re.compile(f"[^\\w{THAI}]+")


def extract_ngrams(text: str, size: int = 3) -> list[str]:
    """Return overlapping n-grams of the search form. Each starts at a cluster and takes the fewest whole clusters that
    reach `size` characters.

    A run of signs and blanks counts as one blank, so that n-grams mark the beginning of a phrase."""
    pieces = split_clusters(f" {_SIGNS.sub(' ', to_search_form(text)).strip()} ")
    grams = []
    for index, gram in enumerate(pieces):
        behind = index + 1
        while len(gram) < size and behind < len(pieces):
            gram += pieces[behind]
            behind += 1
        if len(gram) >= size:
            grams.append(gram)
    return grams
