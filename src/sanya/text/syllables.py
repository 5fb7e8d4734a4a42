"""Thai syllables by rule: a word can be read in several ways (สวน: suan, sa-won), and the cheapest reading wins.

A reading costs little where Thai spelling does it all the time and more where it does it seldom. The figures were
fitted on the official names of the provinces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sanya.text.characters import CONSONANTS, TONES
from sanya.text.thai_sounds import (
    BORROWED_FINALS,
    DEPENDENT,
    FINALS,
    GLIDES,
    INDIC_LETTERS,
    IRREGULAR_WORDS,
    LEADERS,
    ONSETS,
    PAIRS,
    SILENT_PAIRS,
    SONORANTS,
    VOWELS,
    Vowel,
)

_SILENCED = "์"
_RI_AFTER = frozenset("กตทปศส")
_SHORT = frozenset("ิุัึฤ")
_UNHEARD = re.compile(f"[{TONES}\u0e4e\u0e4d\u0e3aฯๆ฿๏๚๛]")
_SILENCED_LETTER = re.compile(f"[{CONSONANTS}][\u0e34\u0e38]?{_SILENCED}")


class Reading(NamedTuple):
    """One way to read on from a place in a word: how far, the sounds of the syllables, how unlikely it is."""

    end: int
    sounds: tuple[str, ...]
    cost: float


class _Onset(NamedTuple):
    end: int
    led: tuple[str, ...]
    sound: str
    cost: float


@lru_cache(maxsize=50_000)
def syllables(word: str) -> tuple[str, ...]:
    """The sounds of the syllables of a Thai word."""
    plain = _plain(word)
    cost = [0.0] * (len(plain) + 1)
    chosen: list[Reading] = []
    for start in range(len(plain) - 1, -1, -1):
        stray = Reading(start + 1, tuple(filter(None, [ONSETS.get(plain[start])])), 5.0)
        best = min([*_readings(plain, start), stray], key=lambda reading: reading.cost + cost[reading.end])
        cost[start] = best.cost + cost[best.end]
        chosen.append(best)
    chosen.reverse()
    sounds: list[str] = []
    place = 0
    while place < len(plain):
        sounds += chosen[place].sounds
        place = chosen[place].end
    return tuple(sounds)


def _plain(word: str) -> str:
    """The word without tones; of a silenced letter only its mark is left."""
    return _SILENCED_LETTER.sub(_SILENCED, _UNHEARD.sub("", word))


def _irregular_words() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The sounds of each word, and those that it has besides before another syllable."""
    words = {}
    for entry in filter(None, map(str.strip, IRREGULAR_WORDS.replace("\n", "|").split("|"))):
        word, sounds, *linked = entry.replace("+", " ").split()
        words[_plain(word)] = tuple(sounds.split("-")), tuple(linked)
    return words


_IRREGULAR = _irregular_words()
_LONGEST_IRREGULAR = max(map(len, _IRREGULAR))


def _readings(word: str, start: int) -> Iterator[Reading]:
    if word[start] == _SILENCED:
        yield Reading(start + 1, (), 0.0)
    yield from _irregular(word, start)
    if word[start] in "ฤฦ":
        yield from _ru(word, _Onset(start, (), "", 0.0))
    leading = word[start] if word[start] in VOWELS else ""
    for onset in _onsets(word, start + len(leading), leading):
        for vowel in VOWELS[leading]:
            if word.startswith(vowel.behind, onset.end):
                yield from _syllable(word, onset, vowel)
        if not leading:
            yield from _ru(word, onset)
            yield from _unwritten(word, onset)


def _irregular(word: str, start: int) -> Iterator[Reading]:
    for end in range(start + 1, min(len(word), start + _LONGEST_IRREGULAR) + 1):
        sounds, linked = _IRREGULAR.get(word[start:end], ((), ()))
        if sounds and not _goes_on(word, end) and (end - start > 1 or len(word) == 1):
            spoken = sounds + linked if end < len(word) else sounds
            yield Reading(end, spoken, 0.3 * len(spoken))


def _onsets(word: str, place: int, leading: str) -> Iterator[_Onset]:
    first, pair = word[place : place + 1], word[place : place + 2]
    if first in ONSETS and first:
        yield _Onset(place + 1, (), ONSETS[first], 0.0)
    if pair in PAIRS:
        # แพร is phrae, but โจร is chon and แก้ว is kaeo.
        yield _Onset(place + 2, (), PAIRS[pair], -0.05 if pair[0] in "กขคปพผตบฟด" and pair[1] != "ว" else 0.05)
    elif leading and first in LEADERS and pair[1:] in SONORANTS and place + 2 < len(word):
        yield _Onset(place + 2, (f"{ONSETS[first]}a",), ONSETS[pair[1]], 0.4)


def _syllable(word: str, onset: _Onset, vowel: Vowel) -> Iterator[Reading]:
    place = onset.end + len(vowel.behind)
    if vowel.open and not _depends(word, place):
        yield Reading(place, (*onset.led, onset.sound + vowel.sound), 1.0 + onset.cost)
    if vowel.closed:
        if vowel.behind == "ว" and word[onset.end - 1] in INDIC_LETTERS:
            onset = onset._replace(cost=onset.cost + 1.0)
        yield from _closed(word, place, (onset, vowel.sound, vowel.before + vowel.behind))


def _unwritten(word: str, onset: _Onset) -> Iterator[Reading]:
    """Consonants without a written vowel: o before a final (คน), a before another syllable (ขนม)."""
    if _depends(word, onset.end):
        return
    if onset.end < len(word) and word[onset.end] != _SILENCED:
        yield Reading(onset.end, (f"{onset.sound}a",), 1.3)
    for reading in _closed(word, onset.end, (onset, "o", "")):
        yield reading._replace(cost=reading.cost + 0.2)


def _ru(word: str, onset: _Onset) -> Iterator[Reading]:
    if word[onset.end : onset.end + 1] not in ("ฤ", "ฦ"):
        return
    before = word[onset.end - 1] if onset.sound else ""
    sound = ("l" if word[onset.end] == "ฦ" else "r") + ("i" if before in _RI_AFTER and before else "ue")
    place = onset.end + 1 + (word[onset.end + 1 : onset.end + 2] == "ๅ")
    if not _depends(word, place):
        yield Reading(place, (onset.sound + sound,), 1.0)
    yield from _closed(word, place, (onset, sound, "ฤ"))


def _closed(word: str, place: int, opened: tuple[_Onset, str, str]) -> Iterator[Reading]:
    """The readings in which the letter at `place` ends the syllable."""
    onset, vowel, written = opened
    letter = word[place : place + 1]
    # ัว is a vowel of its own, and without a written vowel a glide ends nothing.
    rhyme = GLIDES.get((vowel, letter)) if written and written + letter != "ัว" else None
    if rhyme is None and letter in FINALS and letter:
        rhyme = vowel + FINALS[letter]
    if rhyme is None:
        return
    sound = (*onset.led, onset.sound + rhyme)
    end = place + 1
    if not _depends(word, end) and not _begins_syllable(word, place):
        cost = 1.0 + onset.cost + _doubt(word, place)
        yield Reading(end, sound, cost)
        if word[end + 1 : end + 2] == _SILENCED and word[end] in ONSETS:
            # The letter before a silenced one then is silent too: จันทร์, ศาสตร์.
            yield Reading(end + 2, sound, cost + 0.3)
        if letter in BORROWED_FINALS and end < len(word) and word[end] != _SILENCED:
            link = _link_cost(letter, word[end], written)
            yield Reading(end, (*sound, f"{ONSETS[letter]}a"), 1.0 + onset.cost + link)
        if word[place : place + 2] == "รณ":
            yield Reading(end, (*onset.led, onset.sound + vowel, "ra"), 1.0 + onset.cost)
    silent_end = _silent_ending(word, place, written)
    if silent_end:
        yield Reading(silent_end, sound, 1.1 + onset.cost)


def _link_cost(letter: str, following: str, vowel: str) -> float:
    """How seldom an unwritten a sounds behind a borrowed final: ราชการ, วิทยา, ศาสนา often, others seldom."""
    if letter == "ช":
        return 0.2
    return 0.4 if following in SONORANTS and (vowel in _SHORT or letter in "สศษ") else 0.9


def _goes_on(word: str, end: int) -> bool:
    return _depends(word, end) or word[end : end + 1] == _SILENCED


def _depends(word: str, place: int) -> bool:
    return word[place : place + 1] in DEPENDENT and place < len(word)


def _begins_syllable(word: str, place: int) -> bool:
    """Whether the letter at `place` must begin the next syllable: รร or ฤ makes its vowel."""
    return word.startswith("รร", place) or word.startswith("รร", place + 1) or word[place + 1 : place + 2] in ("ฤ", "ฦ")


def _doubt(word: str, place: int) -> float:
    """What speaks against a final: it would rather begin what follows."""
    doubt = 0.0
    following, behind = word[place + 1 : place + 2], word[place + 2 : place + 3]
    if word[place] in BORROWED_FINALS and following and following != _SILENCED:
        doubt += 0.5
    if word[place] + following == "รณ":
        doubt += 0.3
    if following in ("อ", "ว") and behind in FINALS and behind:
        doubt += 0.3
    if word[place : place + 2] in PAIRS and behind in DEPENDENT and behind:
        doubt += 0.3
    return doubt


def _silent_ending(word: str, place: int, vowel: str) -> int | None:
    """Where a syllable with letters that are written but not spoken ends: บัตร, พุทธ, ชาติ."""
    letter, rest = word[place], word[place + 1 :]
    if rest[:1] == "ร" and not _depends(word, place + 2) and letter in ("ตทกคช" if vowel in _SHORT else "ต"):
        return place + 2
    if len(rest) == 1 and letter + rest in SILENT_PAIRS and vowel:
        return place + 2
    if rest in ("ิ", "ุ") and letter in "ตมดท" and vowel in ("ั", "า", "ี", "ู", "เีย"):
        return place + 2
    return None
