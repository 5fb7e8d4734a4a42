"""Forms in which a name may appear in a text: the phrases of a list of names, spelling variants, and misspellings."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from sanya.suite.text import has_thai, to_search_form
from sanya.suites.herbs.graph.model import HerbName
from sanya.suites.herbs.questions.people_words import LAY

_LISTED_TYPES = ("indication", "condition")
_BRACKETS = re.compile(r"\([^()]*\)")
_ENGLISH_SEPARATOR = re.compile(r"[,;/]|\band\b|\bor\b")
_MIN_PHRASE_LENGTH = 3
# A Thai name of this length needs no word boundaries around it.
_MIN_UNBOUNDED_LENGTH = 5
_MIN_PLURAL_LENGTH = 3

_SILENT_LETTER = re.compile("[ก-ฮ][ิุ]?์")
_THAI_FOLDS = str.maketrans("ณญศษฎฏฐฑฒฬธภฆใ", "นยสสดตถททลทพคไ", "่้๊๋็")
_LATIN_FOLDS = (("ph", "f"), ("th", "t"), ("kh", "k"), ("ch", "c"), ("rh", "r"), ("ae", "e"), ("oe", "e"), ("y", "i"))
_REPEATED_LETTER = re.compile(r"(.)\1+")
_NOT_ALPHANUMERIC = re.compile("[^a-z0-9]+")
_MIN_MISSPELT_LENGTH = 6


def split_phrases(name: HerbName) -> list[str]:
    """Return the name in its search form. Names of uses and conditions often list several, so each part comes too."""
    whole = to_search_form(name.name)
    if name.node_type not in _LISTED_TYPES or name.kind == LAY:
        return [whole]
    bare = _BRACKETS.sub("", whole)
    parts = bare.split() if has_thai(bare) else _ENGLISH_SEPARATOR.split(bare)
    names = (whole, *(part.strip() for part in parts if part.strip() not in _load_loose_parts()))
    return list(dict.fromkeys(name for name in names if len(name) >= _MIN_PHRASE_LENGTH))


def fold_spelling(name: str) -> str:
    """Return what the spellings of a name have in common.

    Thai loses its tone marks and silent letters, and letters of the same sound become one. English loses its Greek
    digraphs and doubled letters.
    """
    return fold_form(to_search_form(name))


def fold_form(form: str) -> str:
    """Return what `fold_spelling` does, of a name that is in its search form already."""
    if has_thai(form):
        return _SILENT_LETTER.sub("", form).translate(_THAI_FOLDS).replace(" ", "")
    for digraph, letter in _LATIN_FOLDS:
        form = form.replace(digraph, letter)
    return _REPEATED_LETTER.sub(r"\1", _NOT_ALPHANUMERIC.sub("", form))


def list_deletions(name: str) -> list[str]:
    """Return the folded name and all its forms with one letter deleted.

    Two names that share such a form are one mistake apart, so a lookup of the forms finds every misspelling.
    """
    return list_fold_deletions(fold_spelling(name))


def list_fold_deletions(folded: str) -> list[str]:
    if len(folded) < _MIN_MISSPELT_LENGTH:
        return []
    return [folded, *(folded[:at] + folded[at + 1 :] for at in range(len(folded)))]


@cache
def _load_loose_parts() -> frozenset[str]:
    text = (files("sanya.suites.herbs.questions") / "loose_parts.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"].split())


def is_separate_name(form: str, start: int, end: int, bounds: set[int]) -> bool:
    """Return whether the name stands for itself: Latin names as whole words, short Thai ones between word bounds."""
    if has_thai(form[start:end]):
        return end - start >= _MIN_UNBOUNDED_LENGTH or (start in bounds and end in bounds)
    return is_latin_word(form, start, end)


def is_latin_word(form: str, start: int, end: int) -> bool:
    """Return whether no Latin letter adjoins the span, apart from a plural s: "was" is no plural of "wa"."""
    is_plural = form[end : end + 1] == "s" and end - start >= _MIN_PLURAL_LENGTH
    after = form[end + 1 : end + 2] if is_plural else form[end : end + 1]
    return not _is_latin(form[start - 1 : start]) and not _is_latin(after)


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def has_latin(text: str) -> bool:
    return any(map(_is_latin, text))
