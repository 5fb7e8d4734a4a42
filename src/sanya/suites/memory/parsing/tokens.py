"""A text in words with their places, in both languages, and the form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from sanya.suites.memory.word_lists import word_set
from sanya.text.characters import has_thai
from sanya.text.english import stem
from sanya.text.segmentation import default_segmenter
from sanya.text.spans import Span

_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")
_APOSTROPHE = re.compile(r"['’]s?$|['’]s$")

_NO_ADVERBS = word_set(
    """supply family italy reply apply rely assembly anomaly butterfly monopoly jelly belly bully early daily
    weekly monthly yearly multiply comply imply ally tally rally homily lily hourly quarterly elderly friendly
    lonely july"""
)
_HAVING = word_set("มีลูก มีบุตร มีเงิน มีหน้าที่ มีราคา มีอายุ มีบ้าน มีรถ")


class Word(NamedTuple):
    span: Span
    text: str
    form: str
    """Lower case; of an English word, without 's."""

    @property
    def stem(self) -> str:
        return stem(self.form)

    @property
    def is_thai(self) -> bool:
        return has_thai(self.text)

    @property
    def is_adverb(self) -> bool:
        """Of English words, by their ending."""
        return (
            self.form.endswith("ly") and len(self.form) > 4 and self.form not in _NO_ADVERBS and not self.is_capitalised
        )

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper()


def words_of(text: str, start: int = 0) -> list[Word]:
    """The words of a text in its order, without blanks and signs. `start` is where the text stands in a larger one."""
    if not has_thai(text):
        return [word for match in _WORD.finditer(text) for word in _parted(match[0], start + match.start())]
    found: list[Word] = []
    place = 0
    for piece in _pieces(text):
        if has_thai(piece):
            if not piece.isspace():
                found.append(_word(piece, start + place))
        else:
            found += [
                word for match in _WORD.finditer(piece) for word in _parted(match[0], start + place + match.start())
            ]
        place += len(piece)
    return found


def _pieces(text: str) -> list[str]:
    """The segmenter's words, those that are not Thai joined again: it parts TG102 and 09:00. "To have" stands alone."""
    pieces: list[str] = []
    for word in default_segmenter().segment(text):
        if word in _HAVING:
            pieces += ["มี", word[2:]]
            continue
        if pieces and not has_thai(word) and not has_thai(pieces[-1]):
            pieces[-1] += word
        else:
            pieces.append(word)
    return pieces


_CONTRACTED = re.compile(
    r"(?i:(?<=\w)['’](?P<verb>ve|m|re|ll|d)$|(?<=\b(?:it|he))['’](?P<is>s)$|(?<=\b(?:she))['’](?P<she>s)$)"
)
_MEANT = {"ve": "have", "m": "is", "re": "are", "ll": "will", "d": "would", "s": "is"}


def _parted(text: str, start: int) -> list[Word]:
    """I've and it's are two words."""
    match = _CONTRACTED.search(text)
    if match is None:
        return [_word(text, start)]
    verb = text[match.start() :]
    short = Word(Span(start + match.start(), start + len(text)), verb, _MEANT[verb[1:].lower()])
    return [_word(text[: match.start()], start), short]


def _word(text: str, start: int) -> Word:
    return Word(Span(start, start + len(text)), text, fold_word(text))


def fold_word(text: str) -> str:
    """As words are compared: lower case, no accents, no genitive."""
    if text.isascii():
        return _APOSTROPHE.sub("", text).lower()
    folded = unicodedata.normalize("NFC", text.casefold()).replace("’", "'")
    if has_thai(folded):
        return folded
    plain = "".join(sign for sign in unicodedata.normalize("NFD", folded) if not unicodedata.combining(sign))
    return _APOSTROPHE.sub("", plain)
