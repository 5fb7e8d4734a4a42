"""The form in which names are compared: no title, given name first, short forms in full, one form for each place."""

from __future__ import annotations

import re

from sanya.suites.memory.parsing.given_names import formal_name
from sanya.suites.memory.parsing.mentions import THAI_TITLES, TITLES
from sanya.suites.memory.parsing.places import place_of
from sanya.suites.memory.parsing.tokens import fold_word
from sanya.text.characters import has_thai

_TITLE = re.compile(rf"^(?:(?:{'|'.join(TITLES)})\b\.?\s*)+", re.IGNORECASE)
_THAI_TITLE = re.compile(rf"^(?:{'|'.join(re.escape(title) for title in THAI_TITLES)})\s*")
_SUFFIX = re.compile(r",?\s+(?:Jr|Sr|II|III|IV|PhD|Ph\.D|MD|M\.D|Esq)\.?$", re.IGNORECASE)
_LAST_FIRST = re.compile(r"^(?P<last>[^,;]{1,60}),\s*(?P<first>[^,;]{1,60})$")
_COMPANY_END = re.compile(
    r"[\s,]+(?:ltd|limited|inc|incorporated|corp|corporation|company|co|llc|plc|gmbh|จำกัด(?:\s?\(มหาชน\))?)\.?$",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[.\"“”'’()]+")
_INITIAL = re.compile(r"^[a-z]$")


def name_key(name: str) -> str:
    """Names with the same key are the same name: "Epstein, Jeffrey" and "Dr. Jeff Epstein" are `jeffrey epstein`."""
    written = " ".join(name.split())[:300]
    if place := place_of(written):
        return place
    bare = _COMPANY_END.sub("", written)
    if has_thai(bare):
        return _THAI_TITLE.sub("", bare.removeprefix("บริษัท").strip()).replace("ฯ", "").strip().casefold()
    bare = _SUFFIX.sub("", _TITLE.sub("", bare))
    if turned := _LAST_FIRST.match(bare):
        bare = f"{turned['first']} {_TITLE.sub('', turned['last'])}"
    words = [fold_word(word) for word in _SIGNS.sub(" ", bare).split()]
    if len(words) > 1:
        words[0] = formal_name(words[0])
    return " ".join(filter(None, words))


def name_parts(key: str) -> tuple[str, str]:
    """Given and family name of a key; the family name is empty where there is only one word."""
    words = key.split()
    return (words[0], words[-1]) if len(words) > 1 else (words[0] if words else "", "")


def initials(key: str) -> str:
    return "".join(word[0] for word in key.split())


def without_middle(key: str) -> str:
    """The key without middle initials: `jeffrey e epstein` is `jeffrey epstein`."""
    words = key.split()
    return " ".join(
        word for place, word in enumerate(words) if place in (0, len(words) - 1) or not _INITIAL.match(word)
    )
