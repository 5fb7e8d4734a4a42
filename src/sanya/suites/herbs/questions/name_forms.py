"""How a name may stand in a text: the phrases that a list of names is made of, and what is left of a name when the ways
to write it, and one slip of the hand, are folded away."""

from __future__ import annotations

import re

from sanya.suites.herbs.graph.model import Name
from sanya.text.characters import has_thai
from sanya.text.normalisation import search_form

_LISTED = ("indication", "condition")
_BRACKETS = re.compile(r"\([^()]*\)")
_ENGLISH_LIST = re.compile(r"[,;/]|\band\b|\bor\b")
_LEAST_PHRASE = 3

_SILENCED = re.compile("[ก-ฮ][ิุ]?์")
_THAI_FOLDS = str.maketrans("ณญศษฎฏฐฑฒฬธภฆใ", "นยสสดตถททลทพคไ", "่้๊๋็")
_LATIN_FOLDS = (("ph", "f"), ("th", "t"), ("kh", "k"), ("ch", "c"), ("rh", "r"), ("ae", "e"), ("oe", "e"), ("y", "i"))
_DOUBLED = re.compile(r"(.)\1+")
_NOT_LETTERS = re.compile("[^a-z0-9]+")
_LEAST_VARIED = 6


def phrases(name: Name) -> list[str]:
    """The name in its search form; of a use or a condition, which often is a list of several, each one as well."""
    whole = search_form(name.name)
    if name.node_type not in _LISTED:
        return [whole]
    bare = _BRACKETS.sub("", whole)
    parts = bare.split() if has_thai(bare) else _ENGLISH_LIST.split(bare)
    return list(dict.fromkeys(part for part in (whole, *map(str.strip, parts)) if len(part) >= _LEAST_PHRASE))


def folded(name: str) -> str:
    """What spellings of one name have in common: in Thai without tones and silent letters, in English without Greek."""
    form = search_form(name)
    if has_thai(form):
        return _SILENCED.sub("", form).translate(_THAI_FOLDS).replace(" ", "")
    for written, plain in _LATIN_FOLDS:
        form = form.replace(written, plain)
    return _DOUBLED.sub(r"\1", _NOT_LETTERS.sub("", form))


def slip_variants(name: str) -> list[str]:
    """All that is left of the folded name without one letter, and itself: two that share one are a slip apart."""
    whole = folded(name)
    if len(whole) < _LEAST_VARIED:
        return []
    return [whole, *(whole[:at] + whole[at + 1 :] for at in range(len(whole)))]
