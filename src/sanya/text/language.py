"""Language detection by script. Sanya reads two languages, so the script decides: Thai, Latin letters (English),
other."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.text.characters import THAI

TextLanguage = Literal["th", "en", "other"]

_LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
# Greek letters are symbols in both languages (α-pinene, µg): they take the language of the text around them.
_GREEK = "\u00b5\u0370-\u03ff\u1f00-\u1fff"
_LETTERS = re.compile(f"([{THAI}]+)|([{_LATIN}]+)|([^\\W\\d_{THAI}{_LATIN}{_GREEK}]+)")
_LATIN_LETTER = re.compile(f"[{_LATIN}]")
_FOREIGN_LETTER = re.compile(f"[{THAI}]|[^\\W\\d_{_LATIN}{_GREEK}]")


class LanguageSpan(NamedTuple):
    start: int
    end: int
    language: TextLanguage


def find_language_spans(text: str) -> list[LanguageSpan]:
    """Return spans of one language that cover the text exactly; neighbours differ in language.

    Characters without a language (digits, signs, blanks) belong to the letters before them, at the beginning to those
    after them."""
    # Most texts have only Latin letters.
    if _FOREIGN_LETTER.search(text) is None and _LATIN_LETTER.search(text):
        return [LanguageSpan(0, len(text), "en")]
    starts: list[tuple[int, TextLanguage]] = []
    for run in _LETTERS.finditer(text):
        language = _LANGUAGES[run.lastindex or 0]
        if not starts:
            starts.append((0, language))
        elif starts[-1][1] != language:
            starts.append((run.start(), language))
    if not starts:
        return [LanguageSpan(0, len(text), "other")] if text else []
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [LanguageSpan(start, end, language) for (start, language), end in zip(starts, ends, strict=True)]


def detect_language(text: str) -> TextLanguage:
    """Return the language of a whole text. One Thai letter makes it Thai: Thai text borrows Latin words, not vice
    versa."""
    scripts = {run.lastindex for run in _LETTERS.finditer(text)}
    if 1 in scripts:
        return "th"
    return "en" if 2 in scripts else "other"


_LANGUAGES: dict[int, TextLanguage] = {0: "other", 1: "th", 2: "en", 3: "other"}
