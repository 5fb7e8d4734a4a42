"""English index words: split, folded, without stop words, stemmed.

Variants of biomedical names match: IL-6 and IL6, TNF-α and TNF-alpha, Sjögren and Sjogren."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from threading import local
from typing import Any

# Only words without meaning of their own. Negation, comparison, place and time decide what a sentence says, so they
# stay.
_EMPTY_WORDS = """
    a about again also although am among an and any are as at be became because been being but by can cannot could
    did do does doing each either etc for from had has have having he her here hers herself him himself his how however
    i if in into is it its itself just may me might must my myself of on once onto or our ours ourselves own rather s
    she should so some such t than that the their theirs them themselves then there therefore these they this those
    thus to too toward upon us via was we were what when where which while who whom whose why will with would you your
    yours yourself yourselves
"""
STOP_WORDS = frozenset(_EMPTY_WORDS.split())

# Longer strings are no English words; caching them would fill the memory.
_LONGEST_WORD = 40
_LONGEST_NUMBER = 4

_GREEK_NAMES = {
    letter: unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").lower()
    for letter in map(chr, range(0x03B1, 0x03CA))
    # μ means "micro" far more often than a letter of a name; the final sigma has a name of two words.
    if letter not in "μς"
}
_GREEK = re.compile(f"[{''.join(_GREEK_NAMES)}]")
_MARKS = re.compile("[\u0300-\u036f]+")
_PART_PATTERN = r"(?:\d+(?:[.,]\d+)+|[^\W_]+)"
_PART = re.compile(_PART_PATTERN)
_COMPOUND = re.compile(f"{_PART_PATTERN}(?:['-]+{_PART_PATTERN})*")


# Punctuation around words, replaced by blanks. The parts between blanks recur, so their words are cached; no word
# crosses a blank.
_SURROUNDING = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in ".,'-"}


def extract_english_words(text: str) -> list[str]:
    """Return the index words of a text in its search form, in order. A compound also gives its joined form."""
    text = strip_punctuation(text) if text.isascii() else _fold_letters(text)
    if len(_known) > _REMEMBERED:
        _known.clear()
    return list(chain.from_iterable(map(_known.__getitem__, text.split())))


def strip_punctuation(text: str) -> str:
    """Replace the punctuation around words by blanks, in ASCII text."""
    return text.translate(_SURROUNDING).replace(", ", " ").replace(". ", " ").rstrip(".,")


class _IndexWords(dict[str, tuple[str, ...]]):
    """Caches the index words of parts between blanks: most parts have been read before."""

    def __missing__(self, part: str) -> tuple[str, ...]:
        words: tuple[str, ...]
        if part.isalnum():  # most parts are one word
            words = () if part in STOP_WORDS else (compute_stem(part),)
        else:
            words = tuple([word for compound in _COMPOUND.findall(part) for word in _stem_compound(compound)])
        if is_cacheable(part):
            self[part] = words
        return words


def _stem_compound(compound: str) -> list[str]:
    words = [compound] if compound.isalnum() else _split_compound(compound)
    return [compute_stem(word) for word in words if word not in STOP_WORDS]


_REMEMBERED = 200_000
_known = _IndexWords()


def _split_compound(compound: str) -> list[str]:
    parts = _PART.findall(compound.removesuffix("'s").replace(",", ""))
    joined = "".join(parts)
    return [*parts, joined] if len(parts) > 1 and not joined.isdigit() else parts


def _fold_letters(text: str) -> str:
    text = _GREEK.sub(lambda letter: f"-{_GREEK_NAMES[letter[0]]}-", text)
    return _MARKS.sub("", unicodedata.normalize("NFD", text))


def stem(word: str) -> str:
    """Return the Snowball (English) stem of a lower-case word, cached. A word that is not English is returned
    unchanged."""
    return _known_stem(word) if is_cacheable(word) else compute_stem(word)


def is_cacheable(word: str) -> bool:
    """Return whether a word is worth caching. Long numbers seldom recur, and there are many of them."""
    return len(word) <= _LONGEST_WORD and (len(word) <= _LONGEST_NUMBER or not word.isdigit())


def compute_stem(word: str) -> str:
    """Return the stem without caching it, for callers that cache themselves."""
    if len(word) > _LONGEST_WORD or not word.isascii():
        return word
    try:
        stemmer = _of_thread.stemmer
    except AttributeError:
        stemmer = _of_thread.stemmer = _make_stemmer()
    stemmed: str = stemmer.stemWord(word)
    return stemmed


_known_stem = lru_cache(maxsize=100_000)(compute_stem)
# A stemmer has state while it works, so each thread has its own.
_of_thread = local()


def _make_stemmer() -> Any:
    import Stemmer  # type: ignore[import-not-found]

    # 0 turns its cache off: a lookup there takes longer than stemming, and stems are cached here.
    return Stemmer.Stemmer("english", 0)
