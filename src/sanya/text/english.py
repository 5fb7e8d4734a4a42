"""English index words: split, folded, without stop words, stemmed. Biomedical names match however they are written:
IL-6 and IL6, TNF-α and TNF-alpha, Sjögren and Sjogren."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from threading import local
from typing import Any

# Only words that carry nothing: negation, comparison, place and time decide what a sentence says, so they stay.
_EMPTY_WORDS = """
    a about again also although am among an and any are as at be became because been being but by can cannot could
    did do does doing each either etc for from had has have having he her here hers herself him himself his how however
    i if in into is it its itself just may me might must my myself of on once onto or our ours ourselves own rather s
    she should so some such t than that the their theirs them themselves then there therefore these they this those
    thus to too toward upon us via was we were what when where which while who whom whose why will with would you your
    yours yourself yourselves
"""
STOP_WORDS = frozenset(_EMPTY_WORDS.split())

# Longer ones are no English words; remembering them would fill the memory.
_LONGEST_WORD = 40
_LONGEST_NUMBER = 4

_GREEK_NAMES = {
    letter: unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").lower()
    for letter in map(chr, range(0x03B1, 0x03CA))
    # μ is "micro" far more often than a name's letter; the final sigma has a name of two words.
    if letter not in "μς"
}
_GREEK = re.compile(f"[{''.join(_GREEK_NAMES)}]")
_MARKS = re.compile("[\u0300-\u036f]+")
_PART_PATTERN = r"(?:\d+(?:[.,]\d+)+|[^\W_]+)"
_PART = re.compile(_PART_PATTERN)
_COMPOUND = re.compile(f"{_PART_PATTERN}(?:['-]+{_PART_PATTERN})*")


# Between blanks a text comes again and again, once what only surrounds words has gone. No match reaches over a blank.
_SURROUNDING = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in ".,'-"}


def english_words(text: str) -> list[str]:
    """The index words of a text that is in its search form, in their order; a compound also gives its joined form."""
    text = bare(text) if text.isascii() else _fold_letters(text)
    if len(_known) > _REMEMBERED:
        _known.clear()
    return list(chain.from_iterable(map(_known.__getitem__, text.split())))


def bare(text: str) -> str:
    """Plain text without what only surrounds words."""
    return text.translate(_SURROUNDING).replace(", ", " ").replace(". ", " ").rstrip(".,")


class _IndexWords(dict[str, tuple[str, ...]]):
    """The index words of what stands between blanks: most of a text has been read before."""

    def __missing__(self, part: str) -> tuple[str, ...]:
        found: tuple[str, ...]
        if part.isalnum():  # most are one word
            found = () if part in STOP_WORDS else (fresh_stem(part),)
        else:
            found = tuple([word for compound in _COMPOUND.findall(part) for word in _index_words(compound)])
        if comes_again(part):
            self[part] = found
        return found


def _index_words(compound: str) -> list[str]:
    words = [compound] if compound.isalnum() else _compound_words(compound)
    return [fresh_stem(word) for word in words if word not in STOP_WORDS]


_REMEMBERED = 200_000
_known = _IndexWords()


def _compound_words(compound: str) -> list[str]:
    parts = _PART.findall(compound.removesuffix("'s").replace(",", ""))
    joined = "".join(parts)
    return [*parts, joined] if len(parts) > 1 and not joined.isdigit() else parts


def _fold_letters(text: str) -> str:
    text = _GREEK.sub(lambda letter: f"-{_GREEK_NAMES[letter[0]]}-", text)
    return _MARKS.sub("", unicodedata.normalize("NFD", text))


def stem(word: str) -> str:
    """The Snowball (English) stem of a lower-case word; what is no English word comes back as it is."""
    return _known_stem(word) if comes_again(word) else fresh_stem(word)


def comes_again(word: str) -> bool:
    """Long numbers hardly do, and there are many of them."""
    return len(word) <= _LONGEST_WORD and (len(word) <= _LONGEST_NUMBER or not word.isdigit())


def fresh_stem(word: str) -> str:
    """As `stem`, for those who remember themselves what they read."""
    if len(word) > _LONGEST_WORD or not word.isascii():
        return word
    try:
        stemmer = _of_thread.stemmer
    except AttributeError:
        stemmer = _of_thread.stemmer = _new_stemmer()
    stemmed: str = stemmer.stemWord(word)
    return stemmed


_known_stem = lru_cache(maxsize=100_000)(fresh_stem)
# A stemmer keeps state while it works, so each thread has its own.
_of_thread = local()


def _new_stemmer() -> Any:
    import Stemmer  # type: ignore[import-not-found]

    # It need not remember what it stemmed: that takes it longer than to stem, and its words are remembered here.
    return Stemmer.Stemmer("english", 0)
