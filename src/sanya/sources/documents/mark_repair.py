"""Puts back Thai marks that a text layer holds behind the next consonant: "ตัง้ครรภ์" for "ตั้งครรภ์".

Some programs write a mark after the letter that follows its own. Half of such words are still words, or two words, so a
name or a warning would be lost in silence. A mark is moved where that turns letters that are no words into words. What
cannot be Thai and is not repaired is counted, so that the page is recognised from its picture instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sanya.text.characters import CONSONANTS, TONES, is_inside_cluster
from sanya.text.dictionary import load_known_words

_RUN = re.compile("[\u0e01-\u0e4e]+")
_VOWELS = "\u0e31\u0e34-\u0e39"
# A mark that may belong to the letter before the one that it stands on.
_SUSPECT = re.compile(f"(?<=[{CONSONANTS}{_VOWELS}])([{CONSONANTS}][{_VOWELS}]?)([\u0e47-\u0e4c])")
# After these vowels a consonant ends the syllable, so it carries no tone.
_CERTAIN = re.compile(f"[\u0e31\u0e47][{TONES}]?[{CONSONANTS}][{TONES}\u0e47]|\u0e37[{CONSONANTS}][{TONES}]")
_IN_PLACE = re.compile(f"[\u0e47-\u0e4c][{CONSONANTS}]")
_WINDOW = 24
_LONGEST_WORD = 24
# A sound text gains a word by a move now and then, a loanword mostly. Where a program misplaces marks, most are.
_LEAST_SHARE = 0.25
_LEAST_MOVED = 2


@dataclass(frozen=True, slots=True)
class MarkRepair:
    text: str
    moved: int
    """The number of marks that were put back."""
    left: int
    """The number of marks that seem misplaced, but that no word tells where to put."""


def repair_marks(text: str) -> MarkRepair:
    """Repair a text in display form. A text that is spelt soundly comes back as it is."""
    moves = _Moves()
    repaired = _RUN.sub(lambda match: moves.repair_run(match[0]), text)
    is_faulty = _CERTAIN.search(text) is not None or (
        moves.all >= _LEAST_MOVED and moves.all >= _LEAST_SHARE * (moves.all + len(_IN_PLACE.findall(text)))
    )
    if is_faulty:
        return MarkRepair(repaired, moves.all, sum(map(_count_left, _RUN.findall(repaired))))
    if not moves.sure:
        return MarkRepair(text, 0, 0)
    moves = _Moves(only_sure=True)
    return MarkRepair(_RUN.sub(lambda match: moves.repair_run(match[0]), text), moves.sure, 0)


@dataclass(slots=True)
class _Moves:
    """Counts the marks that are put back. A sure one is a tone that goes onto a vowel and makes the letters words."""

    only_sure: bool = False
    all: int = 0
    sure: int = 0

    def repair_run(self, run: str) -> str:
        """Move marks one by one, from the left: a mark put back changes how the letters after it are read."""
        if not _SUSPECT.search(run) or not _count_unknown(run):
            return run
        at = 0
        while (suspect := _SUSPECT.search(run, at)) is not None:
            at = suspect.start() + 1
            candidate = run[: suspect.start()] + suspect[2] + suspect[1] + run[suspect.end() :]
            if _is_possible(candidate, suspect.start()):
                start, end = max(0, suspect.start() - _WINDOW), suspect.end() + _WINDOW
                unknown = _count_unknown(candidate[start:end])
                gain = _count_unknown(run[start:end]) - unknown
                is_on_vowel = suspect[2] in _TONE_SIGNS and _VOWEL.match(run, suspect.start() - 1) is not None
                is_sure = gain > 1 and not unknown and is_on_vowel
                if gain > 0 and (is_sure or not self.only_sure):
                    run = candidate
                    self.all += 1
                    self.sure += is_sure
        return run


_VOWEL = re.compile(f"[{_VOWELS}]")
_TONE_SIGNS = "\u0e48\u0e49\u0e4a\u0e4b"


def _is_possible(run: str, at: int) -> bool:
    """Return whether the mark at `at` can stand there: a short vowel or a silencer not over another mark."""
    if run[at] in _TONE_SIGNS or not _VOWEL.match(run, at - 1):
        return True
    return run[at] == "\u0e4c" and run[at - 1] in "\u0e34\u0e38"


def _count_left(run: str) -> int:
    """Return how many marks of a repaired run still stand in letters that are no word."""
    unknown = set(_find_unknown(run))
    suspects = sum(not unknown.isdisjoint(range(*match.span())) for match in _SUSPECT.finditer(run))
    return max(suspects, len(_CERTAIN.findall(run)))


def _count_unknown(letters: str) -> int:
    return len(_find_unknown(letters))


@lru_cache(maxsize=4096)
def _find_unknown(letters: str) -> tuple[int, ...]:
    """Return the places of the letters that belong to no word, where words cover as many letters as they can.

    The segmenter of the search writes its dictionary to a file, which the process that reads documents may not do.
    """
    known = load_known_words()
    best: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(letters) + 1):
        fewest = (best[end - 1][0] + 1, -1)
        is_end = not is_inside_cluster(letters, end)
        for length in range(2, min(end, _LONGEST_WORD) + 1) if is_end else ():
            if best[end - length][0] < fewest[0] and letters[end - length : end] in known:
                fewest = (best[end - length][0], length)
        best.append(fewest)
    unknown, at = [], len(letters)
    while at:
        length = best[at][1]
        if length < 0:
            unknown.append(at - 1)
        at -= abs(length)
    return tuple(unknown)
