"""Index words of mixed Thai and English text, the same for documents and queries."""

from __future__ import annotations

import re

from sanya.text.characters import has_thai
from sanya.text.english import extract_english_words
from sanya.text.language import find_language_spans
from sanya.text.normalisation import to_search_form
from sanya.text.segmentation import Segmenter, get_default_segmenter

# "Medicine", the first word of most names of formulae. Speakers leave it out: ยาหอมเทพจิตร is also หอมเทพจิตร.
_MEDICINE = "ยา"
# Signs for "and so on", "repeated" and "abbreviated": they carry no meaning of their own.
_SIGNS = re.compile("ฯลฯ|[ๆฯ\\s]+")


def extract_tokens(text: str, segmenter: Segmenter | None = None) -> list[str]:
    """Return Thai words unchanged (with stop words: removing them hurts) and English words stemmed, in order."""
    form = to_search_form(text)
    if form.isascii():
        return extract_english_words(form)
    words: list[str] = []
    for start, end, language in find_language_spans(form):
        if language == "th":
            words += _extract_thai_words(form[start:end], segmenter or get_default_segmenter())
        else:
            words += extract_english_words(form[start:end])
    return words


def _extract_thai_words(text: str, segmenter: Segmenter) -> list[str]:
    words: list[str] = []
    for word in segmenter.segment(text):
        if word.isspace():
            continue
        if word.isascii() or not has_thai(word):
            words += extract_english_words(word)
        elif word in segmenter.names:
            words += _expand_name(word, segmenter)
        else:
            words += filter(None, _SIGNS.split(word))
    return words


def _expand_name(word: str, segmenter: Segmenter) -> list[str]:
    short = word.removeprefix(_MEDICINE)
    forms = [word, short] if short != word and short in segmenter.names else [word]
    # An index splits words at blanks.
    return ["".join(form.split()) for form in forms]
