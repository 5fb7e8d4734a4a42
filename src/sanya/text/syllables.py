"""Thai syllables by rule: a word has several possible readings (สวน: suan, sa-won), and the cheapest one wins.

A reading is cheap if Thai spelling often works that way, and expensive if it seldom does. Dynamic programming from the
end of the word finds the cheapest sequence of syllables. The costs were fitted on the official names of the
provinces."""

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


class SyllableReading(NamedTuple):
    """A possible reading from a place in a word: where it ends, the sounds of its syllables, its cost."""

    end: int
    sounds: tuple[str, ...]
    cost: float


class _Onset(NamedTuple):
    end: int
    led: tuple[str, ...]
    sound: str
    cost: float


@lru_cache(maxsize=50_000)
def split_syllables(word: str) -> tuple[str, ...]:
    """Return the sounds of the syllables of a Thai word."""
    plain = _strip_tones(word)
    cost = [0.0] * (len(plain) + 1)
    chosen: list[SyllableReading] = []
    for start in range(len(plain) - 1, -1, -1):
        stray = SyllableReading(start + 1, tuple(filter(None, [ONSETS.get(plain[start])])), 5.0)
        best = min([*_find_readings(plain, start), stray], key=lambda reading: reading.cost + cost[reading.end])
        cost[start] = best.cost + cost[best.end]
        chosen.append(best)
    chosen.reverse()
    sounds: list[str] = []
    place = 0
    while place < len(plain):
        sounds += chosen[place].sounds
        place = chosen[place].end
    return tuple(sounds)


def _strip_tones(word: str) -> str:
    """Return the word without tones; of a silenced letter only its mark is left."""
    return _SILENCED_LETTER.sub(_SILENCED, _UNHEARD.sub("", word))


_IRREGULAR = {_strip_tones(word): sounds for word, sounds in IRREGULAR_WORDS.items()}
_LONGEST_IRREGULAR = max(map(len, _IRREGULAR))


def _find_readings(word: str, start: int) -> Iterator[SyllableReading]:
    if word[start] == _SILENCED:
        yield SyllableReading(start + 1, (), 0.0)
    yield from _read_irregular(word, start)
    if word[start] in "ฤฦ":
        yield from _read_ru(word, _Onset(start, (), "", 0.0))
    leading = word[start] if word[start] in VOWELS else ""
    for onset in _find_onsets(word, start + len(leading), leading):
        for vowel in VOWELS[leading]:
            if word.startswith(vowel.behind, onset.end):
                yield from _read_syllable(word, onset, vowel)
        if not leading:
            yield from _read_ru(word, onset)
            yield from _read_unwritten_vowel(word, onset)


def _read_irregular(word: str, start: int) -> Iterator[SyllableReading]:
    for end in range(start + 1, min(len(word), start + _LONGEST_IRREGULAR) + 1):
        sounds, linked = _IRREGULAR.get(word[start:end], ((), ()))
        if sounds and not _is_continued(word, end) and (end - start > 1 or len(word) == 1):
            spoken = sounds + linked if end < len(word) else sounds
            yield SyllableReading(end, spoken, 0.3 * len(spoken))


def _find_onsets(word: str, place: int, leading: str) -> Iterator[_Onset]:
    first, pair = word[place : place + 1], word[place : place + 2]
    if first in ONSETS and first:
        yield _Onset(place + 1, (), ONSETS[first], 0.0)
    if pair in PAIRS:
        # แพร is phrae, but โจร is chon and แก้ว is kaeo.
        yield _Onset(place + 2, (), PAIRS[pair], -0.05 if pair[0] in "กขคปพผตบฟด" and pair[1] != "ว" else 0.05)
    elif leading and first in LEADERS and pair[1:] in SONORANTS and place + 2 < len(word):
        yield _Onset(place + 2, (f"{ONSETS[first]}a",), ONSETS[pair[1]], 0.4)


def _read_syllable(word: str, onset: _Onset, vowel: Vowel) -> Iterator[SyllableReading]:
    place = onset.end + len(vowel.behind)
    if vowel.open and not _is_dependent(word, place):
        yield SyllableReading(place, (*onset.led, onset.sound + vowel.sound), 1.0 + onset.cost)
    if vowel.closed:
        if vowel.behind == "ว" and word[onset.end - 1] in INDIC_LETTERS:
            onset = onset._replace(cost=onset.cost + 1.0)
        yield from _read_closed(word, place, (onset, vowel.sound, vowel.before + vowel.behind))


def _read_unwritten_vowel(word: str, onset: _Onset) -> Iterator[SyllableReading]:
    """Yield readings of consonants without a written vowel: o before a final (คน), a before another syllable (ขนม)."""
    if _is_dependent(word, onset.end):
        return
    if onset.end < len(word) and word[onset.end] != _SILENCED:
        yield SyllableReading(onset.end, (f"{onset.sound}a",), 1.3)
    for reading in _read_closed(word, onset.end, (onset, "o", "")):
        yield reading._replace(cost=reading.cost + 0.2)


def _read_ru(word: str, onset: _Onset) -> Iterator[SyllableReading]:
    if word[onset.end : onset.end + 1] not in ("ฤ", "ฦ"):
        return
    before = word[onset.end - 1] if onset.sound else ""
    sound = ("l" if word[onset.end] == "ฦ" else "r") + ("i" if before in _RI_AFTER and before else "ue")
    place = onset.end + 1 + (word[onset.end + 1 : onset.end + 2] == "ๅ")
    if not _is_dependent(word, place):
        yield SyllableReading(place, (onset.sound + sound,), 1.0)
    yield from _read_closed(word, place, (onset, sound, "ฤ"))


def _read_closed(word: str, place: int, opened: tuple[_Onset, str, str]) -> Iterator[SyllableReading]:
    """Yield the readings in which the letter at `place` ends the syllable."""
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
    if not _is_dependent(word, end) and not _is_syllable_start(word, place):
        cost = 1.0 + onset.cost + _estimate_doubt(word, place)
        yield SyllableReading(end, sound, cost)
        if word[end + 1 : end + 2] == _SILENCED and word[end] in ONSETS:
            # The letter before a silenced one is then silent too: จันทร์, ศาสตร์.
            yield SyllableReading(end + 2, sound, cost + 0.3)
        if letter in BORROWED_FINALS and end < len(word) and word[end] != _SILENCED:
            link = _estimate_link_cost(letter, word[end], written)
            yield SyllableReading(end, (*sound, f"{ONSETS[letter]}a"), 1.0 + onset.cost + link)
        if word[place : place + 2] == "รณ":
            yield SyllableReading(end, (*onset.led, onset.sound + vowel, "ra"), 1.0 + onset.cost)
    silent_end = _find_silent_ending(word, place, written)
    if silent_end:
        yield SyllableReading(silent_end, sound, 1.1 + onset.cost)


def _estimate_link_cost(letter: str, following: str, vowel: str) -> float:
    """Return the cost of an unwritten a behind a borrowed final: low in ราชการ, วิทยา, ศาสนา, high elsewhere."""
    if letter == "ช":
        return 0.2
    return 0.4 if following in SONORANTS and (vowel in _SHORT or letter in "สศษ") else 0.9


def _is_continued(word: str, end: int) -> bool:
    return _is_dependent(word, end) or word[end : end + 1] == _SILENCED


def _is_dependent(word: str, place: int) -> bool:
    return word[place : place + 1] in DEPENDENT and place < len(word)


def _is_syllable_start(word: str, place: int) -> bool:
    """Return whether the letter at `place` must begin the next syllable, because รร or ฤ is its vowel."""
    return word.startswith("รร", place) or word.startswith("รร", place + 1) or word[place + 1 : place + 2] in ("ฤ", "ฦ")


def _estimate_doubt(word: str, place: int) -> float:
    """Return the extra cost of a final that rather begins the next syllable."""
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


def _find_silent_ending(word: str, place: int, vowel: str) -> int | None:
    """Return where a syllable with silent letters at its end ends, or None: บัตร, พุทธ, ชาติ."""
    letter, rest = word[place], word[place + 1 :]
    if rest[:1] == "ร" and not _is_dependent(word, place + 2) and letter in ("ตทกคช" if vowel in _SHORT else "ต"):
        return place + 2
    if len(rest) == 1 and letter + rest in SILENT_PAIRS and vowel:
        return place + 2
    if rest in ("ิ", "ุ") and letter in "ตมดท" and vowel in ("ั", "า", "ี", "ู", "เีย"):
        return place + 2
    return None
