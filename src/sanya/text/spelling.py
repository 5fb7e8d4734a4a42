"""Spelling keys: one key for the many Latin spellings of a Thai name, such as fa thalai chon and fah talai jone.

The key keeps what the spellings share: the consonants, grouped by sound, and three kinds of vowel."""

from __future__ import annotations

import re
import unicodedata

from sanya.text.characters import has_thai
from sanya.text.normalisation import to_search_form
from sanya.text.romanisation import romanise

_SILENT_E = re.compile(r"(?<=[aeiou])([bdfgkmnpt])e\b")
_NOT_LETTERS = re.compile("[^a-z]+")
# English spellings lengthen a vowel by r or h: nern, porn, fah.
_LONG_OE = re.compile("[eiu]r(?![aeiou])")
_LENGTHENED = re.compile("(?<=[aeiou])[rh](?![aeiou])")
_ASPIRATE = re.compile("(?<=[bcdfgjklmnpqrstvz])h")

_SOUND = re.compile(
    r"(?P<i>iaw|iew|eaw|eew|iao|ia|ie|ea|ee|i+[ow]?)"
    r"|(?P<u>uea|eua|uai|uay|oei|oey|ua|ue|eu|oe|oi|oy|oo|ou|ow(?=[aeiou])|ui|uy|aw(?![aeiou])|o+|u+)"
    r"|(?P<a>aeo|aew|aai|aay|aao|ai|ay(?![aeiou])|ao|au|ae|ow|eo|ew|ei|ey(?![aeiou])|a+|e+)"
    r"|(?P<consonant>tc|tj|ng|dt|bp|gk|[b-df-hj-np-tv-z])"
)
_DOUBLED = re.compile(r"(.)\1+")
_ONSETS = {
    **dict.fromkeys(["c", "j", "tc", "tj"], "c"),
    **dict.fromkeys(["k", "g", "q", "gk"], "k"),
    **dict.fromkeys(["t", "dt"], "t"),
    **dict.fromkeys(["p", "bp"], "p"),
    **dict.fromkeys(["v", "w"], "w"),
    **dict.fromkeys(["r", "l"], "l"),
    **dict.fromkeys(["s", "z", "x"], "s"),
    "ng": "N",
}
_VOWELS = frozenset("aiu")
_FINALS = {
    **dict.fromkeys("bpf", "p"),
    **dict.fromkeys("dtsc", "t"),
    **dict.fromkeys("ln", "n"),
}


def make_spelling_key(name: str) -> str:
    """Return the key of a name in Thai or in any Latin spelling. Equal keys most likely mean the same name."""
    latin = to_search_form(romanise(name) if has_thai(name) else name)
    latin = "".join(letter for letter in unicodedata.normalize("NFD", latin) if not unicodedata.combining(letter))
    letters = _NOT_LETTERS.sub("", _SILENT_E.sub(r"\1", latin)).replace("sh", "ch").replace("ck", "k")
    letters = _ASPIRATE.sub("", _LENGTHENED.sub("", _LONG_OE.sub("oe", letters)))
    sounds = [_read_sound(match) for match in _SOUND.finditer(letters)]
    key = "".join(map(_adapt_to_position, sounds, [*sounds[1:], ""], [*sounds[2:], "", ""]))
    return _DOUBLED.sub(r"\1", key.replace("tc", "c"))


def _read_sound(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    return _ONSETS.get(match[0], match[0]) if kind == "consonant" else kind


def _adapt_to_position(sound: str, following: str, behind: str) -> str:
    """Return a sound as it counts in its position. A consonant that ends a syllable has fewer distinct sounds."""
    leads = sound in "kptfs" and following in ("l", "w") and behind in _VOWELS
    if sound in _VOWELS or following in _VOWELS or leads:
        return sound
    return _FINALS.get(sound, "" if sound in ("w", "y", "h") else sound)
