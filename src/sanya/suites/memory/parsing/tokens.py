"""Tokens: the words of a text with their positions, in Thai and English, and the form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from sanya.suite.text import Span, get_default_segmenter, has_thai, stem_english
from sanya.suites.memory.word_lists import build_word_set

_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")
_GENITIVE = re.compile(r"['’]s?$|['’]s$")

_NOT_ADVERBS = build_word_set(
    """supply family italy reply apply rely assembly anomaly butterfly monopoly jelly belly bully early daily
    weekly monthly yearly multiply comply imply ally tally rally homily lily hourly quarterly elderly friendly
    lonely july"""
)
# The segmenter takes "to have" and its object for one word.
_THAI_HAVE_COMPOUNDS = build_word_set("มีลูก มีบุตร มีเงิน มีหน้าที่ มีราคา มีอายุ มีบ้าน มีรถ")


class WordToken(NamedTuple):
    span: Span
    text: str
    form: str
    """Lower case, and without 's in English."""

    @property
    def stem(self) -> str:
        return stem_english(self.form)

    @property
    def is_thai(self) -> bool:
        return has_thai(self.text)

    @property
    def is_adverb(self) -> bool:
        """Tell English adverbs by their ending."""
        return (
            self.form.endswith("ly")
            and len(self.form) > 4
            and self.form not in _NOT_ADVERBS
            and not self.is_capitalised
        )

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper()


def tokenize(text: str, start: int = 0) -> list[WordToken]:
    """Return the words in order, without punctuation. `start` is the position of the text in a larger one."""
    if not has_thai(text):
        return [
            token for match in _WORD.finditer(text) for token in _split_contraction(match[0], start + match.start())
        ]
    tokens: list[WordToken] = []
    position = start
    for piece in _segment(text):
        if has_thai(piece):
            if not piece.isspace():
                tokens.append(_make_token(piece, position))
        else:
            for match in _WORD.finditer(piece):
                tokens += _split_contraction(match[0], position + match.start())
        position += len(piece)
    return tokens


def _segment(text: str) -> list[str]:
    """Return the segmenter's words with those that are not Thai joined again, because it splits TG102 and 09:00."""
    pieces: list[str] = []
    for word in get_default_segmenter().segment(text):
        if word in _THAI_HAVE_COMPOUNDS:
            pieces += ["มี", word[2:]]
            continue
        if pieces and not has_thai(word) and not has_thai(pieces[-1]):
            pieces[-1] += word
        else:
            pieces.append(word)
    return pieces


_CONTRACTION = re.compile(
    r"(?i:(?<=\w)['’](?P<verb>ve|m|re|ll|d)$|(?<=\b(?:it|he))['’](?P<is>s)$|(?<=\b(?:she))['’](?P<she>s)$)"
)
_CONTRACTED_VERBS = {"ve": "have", "m": "is", "re": "are", "ll": "will", "d": "would", "s": "is"}


def _split_contraction(text: str, start: int) -> list[WordToken]:
    """Return I've and it's as two words each."""
    match = _CONTRACTION.search(text) if "'" in text or "’" in text else None
    if match is None:
        return [_make_token(text, start)]
    verb = text[match.start() :]
    span = Span(start + match.start(), start + len(text))
    return [_make_token(text[: match.start()], start), WordToken(span, verb, _CONTRACTED_VERBS[verb[1:].lower()])]


def _make_token(text: str, start: int) -> WordToken:
    return WordToken(Span(start, start + len(text)), text, fold_word(text))


def fold_word(text: str) -> str:
    """Return a word as words are compared: lower case, no accents, no genitive."""
    if text.isascii():
        return (_GENITIVE.sub("", text) if "'" in text else text).lower()
    folded = unicodedata.normalize("NFC", text.casefold()).replace("’", "'")
    if has_thai(folded):
        return folded
    plain = "".join(sign for sign in unicodedata.normalize("NFD", folded) if not unicodedata.combining(sign))
    return _GENITIVE.sub("", plain)
