"""Checks whether the letters of a text layer are those that a reader sees. Thai PDFs often map glyphs to wrong letters:
some mappings are repaired, other pages need recognition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sanya.sources.documents.mark_repair import repair_marks
from sanya.text.characters import CONSONANTS, FOLLOWING_VOWELS, LEADING_VOWELS, MARKS
from sanya.text.normalisation import normalise


def _split_pairs(letters: str) -> frozenset[str]:
    return frozenset(letters[place : place + 2] for place in range(0, len(letters), 2))


# The most frequent letter pairs of our Thai and English texts. They are over half of any text, at least 0.26 of three
# hundred letters, and under 0.17 where letters are mapped wrongly.
_THAI_PAIRS = _split_pairs(
    "ยาาน้าารือระกาองลืเลาตอดต้่าิน้อ่อกรียกลักันราทีายเกตััวอก"
    "นเี่วาากพรงเามปรดเางรัอนรร้นนกาวลาริล็็ดังงตับเทน้สาร์รแเส"
    "ติะเ็งขอตรครอมิดเปื่แขาดนาหล้ำพิลัอยหน้ง่นาแผ่เหิงข็ข้วขกั"
    "าทัดกษปลลูสมดอูกนีควื้ยนมาเนนทตา่ผ่งดัมะนิรีเรสัจัอลลีหมรื"
    "บทิกวัอาาล่วโกกเษาคลพลชนผลงคสีหัหาลออรวนแกลิแคเดดีไมาเมเาห"
    "าสั้เพม่นื"
)
_ENGLISH_PAIRS = _split_pairs(
    "inanreonthtierntenatheleeditcostngorteicularndalceharidiuresofruraisasousene"
    "sodemeiocatrtslactnsidrcnonaroacecprtaiavehipeelciamolsalitutoir"
)
_THAI_RUN = re.compile("[\u0e01-\u0e4e]+")
_ENGLISH_RUN = re.compile("[a-z]+")
_LEAST_SHARE = 0.22
_LEAST_PAIRS = 80

_IMPOSSIBLE = re.compile(
    f"(?<![{CONSONANTS}{MARKS}])[{MARKS}]|[{LEADING_VOWELS}](?![{CONSONANTS}])|"
    f"(?<![{CONSONANTS}{MARKS}{FOLLOWING_VOWELS}])[{FOLLOWING_VOWELS}]"
)
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_LOST = re.compile("[\ufffd\ufffe\uffff\x00-\x08\x0e-\x1f]")
_VISIBLE = re.compile(r"\S")
_OLD_THAI = re.compile("[\xa1-\xfb]")
_MOST_IMPOSSIBLE = 0.03
_MOST_LOST = 0.03


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """The result of the check. `problem` says why the text cannot be trusted; `note` says what was repaired."""

    text: str
    problem: str | None = None
    note: str | None = None


def judge_text(text: str, unmapped: int = 0) -> TextVerdict:
    """Check a text. `unmapped` counts letters for which the fonts name no character."""
    seen = count_visible(text)
    if not seen:
        return TextVerdict("")
    if unmapped > _MOST_LOST * seen:
        return TextVerdict(normalise(text), "its fonts do not say which letters their glyphs are")
    if len(_LOST.findall(text)) > _MOST_LOST * seen:
        return TextVerdict(normalise(text), "letters of its text layer are lost")
    repaired = _repair_code_page(text)
    clean = normalise(repaired)
    if len(_PRIVATE.findall(clean)) > _MOST_LOST * seen:
        return TextVerdict(clean, "its text layer is in private characters")
    note = None if repaired == text else "its letters were in an old Thai code page and were converted"
    if problem := _find_misspelling(clean):
        return TextVerdict(clean, problem, note)
    marks = repair_marks(clean)
    if marks.left:
        return TextVerdict(marks.text, "its text layer has Thai marks behind the next letter", note)
    return TextVerdict(marks.text, None, "marks behind the next letter were put back" if marks.moved else note)


def count_visible(text: str) -> int:
    return len(_VISIBLE.findall(text))


def is_plausible_thai(text: str) -> bool:
    """Return whether the text contains Thai that is spelt as Thai can be."""
    thai = sum(map(len, _THAI_RUN.findall(text)))
    return thai > 0 and len(_IMPOSSIBLE.findall(text)) <= _MOST_IMPOSSIBLE * thai


def _find_misspelling(text: str) -> str | None:
    thai = sum(map(len, _THAI_RUN.findall(text)))
    if len(_IMPOSSIBLE.findall(text)) > max(3, _MOST_IMPOSSIBLE * thai):
        return "its text layer has Thai signs where none can stand"
    if _is_strange(_list_pairs(_THAI_RUN, text), _THAI_PAIRS) or _is_strange(
        _list_pairs(_ENGLISH_RUN, text.lower()), _ENGLISH_PAIRS
    ):
        return "its text layer spells no words"
    return None


def _list_pairs(run: re.Pattern[str], text: str) -> Iterator[str]:
    for letters in run.findall(text):
        yield from map("".join, pairwise(letters))


def _is_strange(pairs: Iterator[str], usual: frozenset[str]) -> bool:
    found = list(pairs)
    return len(found) >= _LEAST_PAIRS and sum(map(usual.__contains__, found)) < _LEAST_SHARE * len(found)


def _repair_code_page(text: str) -> str:
    """Convert text of fonts that hold Thai in the places of Western letters ("¡ÒÃ" for "การ"), where that applies."""
    old = len(_OLD_THAI.findall(text))
    if old < 8 or old < 0.25 * count_visible(text):
        return text
    repaired = "".join(map(_decode_old_thai, text))
    return repaired if is_plausible_thai(repaired) else text


def _decode_old_thai(letter: str) -> str:
    if letter.isascii():
        return letter
    try:
        return letter.encode("cp1252").decode("cp874")
    except UnicodeError:
        return letter
