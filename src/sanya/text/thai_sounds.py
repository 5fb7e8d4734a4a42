"""Sounds of Thai letters in the Royal Thai General System: consonants before and behind a vowel, vowels as written, and
words whose sound no rule gives."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ONSETS = {
    **dict.fromkeys("ขฃคฅฆ", "kh"),
    **dict.fromkeys("จฉชฌ", "ch"),
    **dict.fromkeys("ซศษส", "s"),
    **dict.fromkeys("ดฎ", "d"),
    **dict.fromkeys("ตฏ", "t"),
    **dict.fromkeys("ถทธฐฑฒ", "th"),
    **dict.fromkeys("นณ", "n"),
    **dict.fromkeys("ผพภ", "ph"),
    **dict.fromkeys("ฝฟ", "f"),
    **dict.fromkeys("ยญ", "y"),
    **dict.fromkeys("ลฬ", "l"),
    **dict.fromkeys("หฮ", "h"),
    "ก": "k",
    "ง": "ng",
    "บ": "b",
    "ป": "p",
    "ม": "m",
    "ร": "r",
    "ว": "w",
    "อ": "",
}
# Two letters that begin a syllable: true clusters, letters led by a silent ห or อ, and clusters that lost a sound.
PAIRS = {
    **{first + second: ONSETS[first] + ONSETS[second] for first in "กขคปพ" for second in "รล"},
    **{first + "ว": ONSETS[first] + "w" for first in "กขค"},
    **{pair: ONSETS[pair[0]] + ONSETS[pair[1]] for pair in ("ตร", "ผล", "บร", "บล", "ดร", "ฟร", "ฟล")},
    **{"ห" + second: ONSETS[second] for second in "งญนมยรลว"},
    "ทร": "s",
    "สร": "s",
    "ศร": "s",
    "ซร": "s",
    "จร": "ch",
}
FINALS = {
    **dict.fromkeys("กขคฆ", "k"),
    **dict.fromkeys("จชซฎฏฐฑฒดตถทธศษส", "t"),
    **dict.fromkeys("นณญรลฬ", "n"),
    **dict.fromkeys("บปพฟภ", "p"),
    "ง": "ng",
    "ม": "m",
}
# Finals of borrowed words only. An unwritten vowel often sounds behind them: วิทยา is wit-tha-ya.
BORROWED_FINALS = frozenset("ขคฆจชฎฏฐฑฒตถทธศษสปพฟภ")
# Letters of Pali and Sanskrit words, in which ว is never the vowel ua.
INDIC_LETTERS = frozenset("ฆฌญฎฏฐฑฒณธภศษฬ")
SONORANTS = frozenset("งญณนมยรลว")
# Letters that lead a following sonorant with an unwritten a: เถลิง is tha-loeng.
LEADERS = frozenset("ขฉถผฝสศษตจ")
GLIDES = {
    ("a", "ย"): "ai",
    ("a", "ว"): "ao",
    ("i", "ว"): "io",
    ("e", "ว"): "eo",
    ("e", "ย"): "oei",
    ("ae", "ว"): "aeo",
    ("ia", "ว"): "iao",
    ("o", "ย"): "oi",
    ("u", "ย"): "ui",
    ("ua", "ย"): "uai",
    ("uea", "ย"): "ueai",
    ("oe", "ย"): "oei",
}


class Vowel(NamedTuple):
    """A vowel as written before and behind its consonant, its sound, and whether the syllable may end there (open) or
    go on to a final (closed)."""

    before: str
    behind: str
    sound: str
    open: bool = True
    closed: bool = True


def _read_rows(name: str) -> list[list[str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").split("\n")
    return [line.split() for line in lines if line and not line.startswith("#")]


def _load_vowels() -> list[Vowel]:
    return [
        Vowel(before.strip("-"), behind.strip("-"), sound, open=ending != "closed", closed=ending != "open")
        for before, behind, sound, ending in _read_rows("thai_vowels.txt")
    ]


_VOWELS = _load_vowels()
VOWELS = {leading: [vowel for vowel in _VOWELS if vowel.before == leading] for leading in ("", *"เแโไใ")}
DEPENDENT = frozenset("ะัาำิีึืฺุู็ๅ")

# Pairs of a final and a letter that is written behind it but not spoken.
SILENT_PAIRS = frozenset(["ทธ", "ตต", "ฏฐ", "ตถ", "ทย", "ตย", "ธย", "ตน", "ฒน", "ตว", "จจ"])

IRREGULAR_WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    word: (tuple(sounds.split("+")[0].split("-")), tuple(sounds.split("+")[1:]))
    for word, sounds in _read_rows("irregular_words.txt")
}
"""The sounds of the syllables of a word, and those that it has besides before another syllable."""
