"""Codes of ICD-10 by their form, where the document says that they are such: "C18" may be a column, "B12" a vitamin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.text.spans import Span

_SAID = re.compile(r"\bICD(?:-?\s?10)?(?:-?TM)?|รหัสโรค")
_NEAR = 24
_CODE = re.compile(r"[A-TV-Z][0-9]{2}(?:\.[0-9]{1,2})?(?![A-Za-z0-9])")
_MORE = re.compile(r"\s?(?:,|และ|and|หรือ|or|-|–)\s?")


def icd_codes(text: str) -> Iterator[Span]:
    """Every code behind the word, and those that follow it in a list."""
    for said in _SAID.finditer(text):
        code = _CODE.search(text, said.end(), said.end() + _NEAR)
        while code is not None:
            yield Span(*code.span())
            more = _MORE.match(text, code.end())
            code = _CODE.match(text, more.end()) if more else None
