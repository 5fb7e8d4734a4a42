"""Corrects slips in the ordinary words of a question: "blood suger" is "blood sugar".

Only a word that is in no dictionary, that names nothing and that stands in no name's place is corrected, and only where
one word alone is one letter away. What may be the name of a plant or a medicine is never turned into a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sanya.suites.herbs.graph.edit_distance import measure_edit_distance
from sanya.suites.herbs.questions.unknown_names import UnknownMention, list_ordinary_words

_WORD = re.compile("[a-z]+")
_MIN_LENGTH = 5


def correct_slips(form: str, unknown: Iterable[UnknownMention]) -> str:
    """Return the search form of a question with the slips among its unknown words corrected."""
    for mention in unknown:
        if not mention.is_in_place_of_subject and (word := _find_word(mention.text)):
            form = re.sub(rf"\b{mention.text}\b", word, form)
    return form


def _find_word(slip: str) -> str | None:
    if len(slip) < _MIN_LENGTH or not _WORD.fullmatch(slip):
        return None
    near = {
        word
        for word in list_ordinary_words()
        if word[0] == slip[0] and abs(len(word) - len(slip)) <= 1 and measure_edit_distance(word, slip) == 1
    }
    return near.pop() if len(near) == 1 else None
