"""Index words of text in both languages at once, the same for documents and queries."""

from __future__ import annotations

import re

from sanya.text.characters import has_thai
from sanya.text.english import english_words
from sanya.text.language import language_spans
from sanya.text.normalisation import search_form
from sanya.text.segmentation import Segmenter, default_segmenter

# "Medicine", the head of most formulae's names, which speakers leave out: ยาหอมเทพจิตร is also หอมเทพจิตร.
_MEDICINE = "ยา"
# Signs for "and so on", "repeated" and "shortened": they say nothing about what is meant.
_SIGNS = re.compile("ฯลฯ|[ๆฯ\\s]+")


def tokens(text: str, segmenter: Segmenter | None = None) -> list[str]:
    """Thai words as they stand (stop words too: removing them hurts), English ones stemmed, in the text's order."""
    form = search_form(text)
    if form.isascii():
        return english_words(form)
    words: list[str] = []
    for start, end, language in language_spans(form):
        if language == "th":
            words += _thai_words(form[start:end], segmenter or default_segmenter())
        else:
            words += english_words(form[start:end])
    return words


def _thai_words(text: str, segmenter: Segmenter) -> list[str]:
    words: list[str] = []
    for word in segmenter.segment(text):
        if word.isspace():
            continue
        if word.isascii() or not has_thai(word):
            words += english_words(word)
        elif word in segmenter.names:
            words += _names(word, segmenter)
        else:
            words += filter(None, _SIGNS.split(word))
    return words


def _names(word: str, segmenter: Segmenter) -> list[str]:
    short = word.removeprefix(_MEDICINE)
    forms = [word, short] if short != word and short in segmenter.names else [word]
    # An index parts words at blanks.
    return ["".join(form.split()) for form in forms]
