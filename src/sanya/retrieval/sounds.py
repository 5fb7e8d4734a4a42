"""Phonetic keys of names: the skeleton of the consonants that are heard. แพนเธอร์ส and Panthers both give `pntrs`.

Names that no dictionary translates are found across the two scripts by the three-letter pieces of their skeletons."""

from __future__ import annotations

import re
from functools import lru_cache

from sanya.retrieval.latin_sounds import LatinSounds
from sanya.text.characters import THAI

PIECE = 3
# Names recur, so their pieces are cached. Longer words are no names and would only fill the memory.
_LONGEST_KNOWN = 40

_THAI_SOUNDS = {
    character: sound
    for sound, characters in {
        "k": "กขฃคฅฆ",
        "n": "งณน",
        "c": "จฉชฌ",
        "s": "ซศษส",
        "y": "ญย",
        "t": "ฎฏฐฑฒดตถทธ",
        "p": "บปผพภ",
        "f": "ฝฟ",
        "m": "ม",
        "r": "รฤ",
        "l": "ลฬ",
        "w": "ว",
        "h": "หฮ",
    }.items()
    for character in characters
}
_THAI_SILENT_VOWEL = re.compile("[เแโไใ]?อ")

# Applied one after the other. Upper case marks a sound that later rules must not read as a letter again.
_LATIN_GROUPS = (
    *((group, "C") for group in ("sch", "tch", "dge", "ch", "sh")),
    ("tion", "Cn"),
    ("ph", "f"),
    ("th", "t"),
    ("gh", ""),
    ("ck", "k"),
    ("qu", "kw"),
    ("x", "ks"),
    ("wr", "r"),
    ("wh", "w"),
)
_NASAL = re.compile("kn|ng")
_SOFT_C = re.compile("c(?=[eiy])")
_SOFT_G = re.compile("g(?=[eiy])|j")
_SETTLED = dict(zip("gqcdbzvC", "kkktpswc", strict=True))
_LATIN_SOUNDS = str.maketrans("".join(_SETTLED), "".join(_SETTLED.values()), "aeiou")
_SOUNDS = "kncstpfmrlwhy"
_NOT_SOUND = re.compile(f"[^{_SOUNDS}]")
_TWICE = re.compile(r"(.)\1+")
_BEYOND_FIRST = str.maketrans("", "", "hy")
_compiled = LatinSounds(
    _LATIN_GROUPS, {**{sound: sound for sound in _SOUNDS if ord(sound) not in _LATIN_SOUNDS}, **_SETTLED}
)
_THAI_CHARACTER = re.compile(f"[{THAI}]")


def compute_sound(word: str) -> str:
    """Return the skeleton of a lower-case word in either script, "" if no consonant is heard."""
    if (read := _compiled.read(word)) is not None:
        return read
    return _read_thai_sound(word) if _THAI_CHARACTER.match(word) else _read_latin_sound(word)


def split_sound(word: str) -> tuple[str, ...]:
    return _known_pieces(word) if len(word) <= _LONGEST_KNOWN else _compute_pieces(word)


def _compute_pieces(word: str) -> tuple[str, ...]:
    skeleton = compute_sound(word)
    return tuple(skeleton[at : at + PIECE] for at in range(len(skeleton) - PIECE + 1))


_known_pieces = lru_cache(maxsize=100_000)(_compute_pieces)


def _read_thai_sound(word: str) -> str:
    consonants = "".join(_THAI_SOUNDS.get(character, "") for character in word)
    return _build_skeleton(consonants, begins_with_vowel=_THAI_SILENT_VOWEL.match(word) is not None)


def _read_latin_sound(word: str) -> str:
    sounds = word
    for group, sound in _LATIN_GROUPS:
        sounds = sounds.replace(group, sound)
    if "n" in sounds:
        sounds = _NASAL.sub("n", sounds)
    if "c" in sounds:
        sounds = _SOFT_C.sub("s", sounds)
    if "g" in sounds or "j" in sounds:
        sounds = _SOFT_G.sub("C", sounds)
    begins_with_vowel = sounds[:1] in tuple("aeiou")
    return _build_skeleton(_NOT_SOUND.sub("", sounds.translate(_LATIN_SOUNDS)), begins_with_vowel=begins_with_vowel)


def _build_skeleton(consonants: str, *, begins_with_vowel: bool) -> str:
    """Build the skeleton. h and y count only at the beginning of a word: elsewhere the scripts disagree on them."""
    if not consonants:
        return ""
    if begins_with_vowel:
        consonants = f"a{consonants}"
    return _TWICE.sub(r"\1", consonants[0] + consonants[1:].translate(_BEYOND_FIRST))
