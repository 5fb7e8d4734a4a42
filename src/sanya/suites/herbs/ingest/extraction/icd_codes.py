"""ICD-10 codes, where the document says that they are codes: "C18" alone may be a column, "B12" a vitamin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.suite.text import Span

_INTRODUCTION = re.compile(r"\bICD(?:-?\s?10)?(?:-?TM)?|รหัสโรค")
_MAX_DISTANCE = 24
_CODE = re.compile(r"[A-TV-Z][0-9]{2}(?:\.[0-9]{1,2})?(?![A-Za-z0-9])")
_SEPARATOR = re.compile(r"\s?(?:,|และ|and|หรือ|or|-|–)\s?")


def find_icd_codes(text: str) -> Iterator[Span]:
    """Yield every code that follows the word "ICD", and the codes that continue its list."""
    for introduction in _INTRODUCTION.finditer(text):
        code = _CODE.search(text, introduction.end(), introduction.end() + _MAX_DISTANCE)
        while code is not None:
            yield Span(*code.span())
            separator = _SEPARATOR.match(text, code.end())
            code = _CODE.match(text, separator.end()) if separator else None
