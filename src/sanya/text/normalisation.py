"""Text normalisation. The display form repairs the encoding and loses nothing that a reader sees. The search form also
folds what people do not mean to distinguish: Thai digits, character widths, case."""

from __future__ import annotations

import re
import unicodedata

from sanya.text.characters import CONSONANTS, FOLLOWING_VOWELS, MARKS, TONES, has_thai

_NIKHAHIT, _AA, _AM = "\u0e4d", "\u0e32", "\u0e33"

# Controls, zero-width characters, bidirectional overrides and tag characters: invisible, so they can only mislead.
_UNSEEN_SET = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_LINE_END_SET = "\x0b\x0c\r\x85\u2028\u2029"
_BLANK_SET = "\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_JOINER_SET = "\u200c\u200d"
_SURROGATE_SET = "\ud800-\udfff"
_SHIFTED_SET = "\uf700-\uf71a"
_RARE = re.compile(f"[{_UNSEEN_SET}{_LINE_END_SET}{_BLANK_SET}{_JOINER_SET}{_SURROGATE_SET}{_SHIFTED_SET}]")

_UNSEEN = re.compile(f"[{_UNSEEN_SET}]+")
_LINE_END = re.compile(f"\r\n|[{_LINE_END_SET}]")
_BLANK = re.compile(f"[{_BLANK_SET}]")
_SURROGATE = re.compile(f"[{_SURROGATE_SET}]")
_SHIFTED = re.compile(f"[{_SHIFTED_SET}]")
# Joiners shape emoji and some scripts; beside Thai or Latin they are noise.
_PLAIN = "[\x00-\u024f\u0e01-\u0e5b]"
_STRAY_JOINER = re.compile(f"(?<={_PLAIN})[{_JOINER_SET}]+|(?<![{_JOINER_SET}])[{_JOINER_SET}]+(?={_PLAIN})")
_MANY_BLANKS = re.compile("  +")
_LINE_EDGE = re.compile(" ?\n ?")
_MANY_LINES = re.compile("\n{3,}")

# Old Thai fonts keep shifted glyphs of the same marks in the private use area; text layers of PDFs contain them.
_SHIFTED_GLYPHS = {
    "\uf700": "\u0e10",
    "\uf70f": "\u0e0d",
    "\uf710": "\u0e31",
    "\uf711": _NIKHAHIT,
    "\uf712": "\u0e47",
    **{chr(0xF701 + i): chr(0x0E34 + i) for i in range(4)},
    **{chr(start + i): chr(0x0E48 + i) for start in (0xF705, 0xF70A, 0xF713) for i in range(5)},
    **{chr(0xF718 + i): chr(0x0E38 + i) for i in range(3)},
}

# All marks on one consonant, unless they are in order already: vowel, tone, silencer, following vowel.
_CLINGING = f"[{MARKS}{FOLLOWING_VOWELS}]"
_IN_ORDER = f"[\u0e31\u0e34-\u0e3a\u0e47]?[{TONES}]?\u0e4c?[{FOLLOWING_VOWELS}]*(?!{_CLINGING})"
_SIGNS = re.compile(f"(?<=[{CONSONANTS}])(?!{_IN_ORDER}){_CLINGING}+")
_BELONGS_BEFORE = re.compile(f"[{TONES}{_NIKHAHIT}]+")
_MARKS = re.compile(f"[{MARKS}]+")
_RANK = {"\u0e3a": 0, **dict.fromkeys("\u0e48\u0e49\u0e4a\u0e4b", 2), **dict.fromkeys("\u0e4c\u0e4e", 3)}

_FOLDS = {
    **{chr(0x0E50 + digit): str(digit) for digit in range(10)},
    **{chr(0xFF01 + i): chr(0x21 + i) for i in range(94)},
    **dict(
        zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)
    ),
    **dict.fromkeys("\u2018\u2019\u201b\u2032\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
}
_FOLDABLE = re.compile(f"[{''.join(_FOLDS)}]")
# The vowel sign of long ฤ and ฦ, often typed in place of า.
_LONE_LAKKHANGYAO = re.compile("(?<![\u0e24\u0e26])\u0e45")


def normalise(text: str) -> str:
    """Return the display form: NFC, Thai marks in order and once, nothing invisible, plain spaces. Idempotent."""
    # Most texts are plain English, which two cheap tests recognise.
    is_ascii = text.isascii()
    if not (is_ascii and text.isprintable()) and _RARE.search(text):
        text = _replace_rare(text)
    if not is_ascii:
        text = unicodedata.normalize("NFC", text)
        if has_thai(text):
            text = _SIGNS.sub(_order_signs, text.replace("\u0e40\u0e40", "\u0e41"))
            text = unicodedata.normalize("NFC", text)
    if "  " in text:
        text = _MANY_BLANKS.sub(" ", text)
    if "\n" in text:
        text = _MANY_LINES.sub("\n\n", _LINE_EDGE.sub("\n", text))
    return text.strip(" \n")


def to_search_form(text: str) -> str:
    """Return the form in which texts are compared: display form, with digits, widths, signs and case folded.
    Idempotent."""
    text = normalise(text)
    if text.isascii():
        return text.lower()
    folded = _FOLDABLE.sub(lambda character: _FOLDS[character[0]], text)
    folded = _LONE_LAKKHANGYAO.sub(_AA, folded).casefold()
    return text if folded == text else normalise(folded)


def _replace_rare(text: str) -> str:
    text = _SURROGATE.sub("\ufffd", text)
    text = _SHIFTED.sub(lambda glyph: _SHIFTED_GLYPHS[glyph[0]], text)
    text = _STRAY_JOINER.sub("", _UNSEEN.sub("", text))
    return _BLANK.sub(" ", _LINE_END.sub("\n", text))


def _order_signs(run: re.Match[str]) -> str:
    """Return the marks of one consonant, each once: vowels, tones, silencers, then the following vowel."""
    leading = _MARKS.match(run[0])
    before = leading[0] if leading else ""
    behind = run[0][len(before) :]
    before += "".join(_BELONGS_BEFORE.findall(behind))
    behind = _BELONGS_BEFORE.sub("", behind)
    if _NIKHAHIT in before and behind.startswith((_AA, _AM)):
        before, behind = before.replace(_NIKHAHIT, ""), _AM + behind[1:]
    return _deduplicate_signs(before) + _MARKS.sub(lambda marks: _deduplicate_signs(marks[0]), behind)


def _deduplicate_signs(signs: str) -> str:
    return "".join(sorted(dict.fromkeys(signs), key=_rank))


def _rank(sign: str) -> int:
    return _RANK.get(sign, 1)
