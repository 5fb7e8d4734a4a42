"""Name keys: the form in which names are compared. No title, given name first, short forms in full, one key a place."""

from __future__ import annotations

import re

from sanya.suite.text import has_thai
from sanya.suites.memory.parsing.given_names import expand_short_name
from sanya.suites.memory.parsing.mentions import THAI_TITLES, TITLES
from sanya.suites.memory.parsing.places import find_place
from sanya.suites.memory.parsing.tokens import fold_word

_TITLE = re.compile(rf"^(?:(?:{'|'.join(TITLES)})\b\.?\s*)+", re.IGNORECASE)
_THAI_TITLE = re.compile(rf"^(?:{'|'.join(re.escape(title) for title in THAI_TITLES)})\s*")
_SUFFIX = re.compile(r",?\s+(?:Jr|Sr|II|III|IV|PhD|Ph\.D|MD|M\.D|Esq)\.?$", re.IGNORECASE)
_LAST_FIRST = re.compile(r"^(?P<last>[^,;]{1,60}),\s*(?P<first>[^,;]{1,60})$")
_COMPANY_END = re.compile(
    r"[\s,]+(?:ltd|limited|inc|incorporated|corp|corporation|company|co|llc|plc|gmbh|จำกัด(?:\s?\(มหาชน\))?)\.?$",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[.\"“”'’()]+")
_INITIAL = re.compile(r"^[a-z]$")


def make_name_key(name: str) -> str:
    """Return the key of a name: "Epstein, Jeffrey" and "Dr. Jeff Epstein" both have `jeffrey epstein`."""
    written = " ".join(name.split())[:300]
    if place := find_place(written):
        return place
    bare = _COMPANY_END.sub("", written)
    if has_thai(bare):
        return _THAI_TITLE.sub("", bare.removeprefix("บริษัท").strip()).replace("ฯ", "").strip().casefold()
    bare = _SUFFIX.sub("", _TITLE.sub("", bare))
    if turned := _LAST_FIRST.match(bare):
        bare = f"{turned['first']} {_TITLE.sub('', turned['last'])}"
    words = [fold_word(word) for word in _PUNCTUATION.sub(" ", bare).split()]
    if len(words) > 1:
        words[0] = expand_short_name(words[0])
    return " ".join(filter(None, words))


def split_name(key: str) -> tuple[str, str]:
    """Return given and family name of a key. The family name of a single word is empty."""
    words = key.split()
    return (words[0], words[-1]) if len(words) > 1 else (words[0] if words else "", "")


def take_initials(key: str) -> str:
    return "".join(word[0] for word in key.split())


def drop_middle_initials(key: str) -> str:
    """Return the key without middle initials: `jeffrey epstein` for `jeffrey e epstein`."""
    words = key.split()
    return " ".join(
        word for position, word in enumerate(words) if position in (0, len(words) - 1) or not _INITIAL.match(word)
    )
