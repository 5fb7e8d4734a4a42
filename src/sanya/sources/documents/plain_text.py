"""Reads text files in any common code page. Form feeds separate pages."""

from __future__ import annotations

import codecs

from sanya.sources.documents.text_checks import is_plausible_thai
from sanya.text.normalisation import normalise

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_text_pages(data: bytes) -> list[tuple[str, str | None]]:
    """Return the pages, each with a note."""
    text, note = decode_text(data)
    return [(normalise(page), note) for page in text.split("\f")]


def decode_text(data: bytes, named: str | None = None) -> tuple[str, str | None]:
    """Return the text, and a note where the code page was guessed. `named` is the one that the document declares."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), None
    if named is not None and (text := _decode_strictly(data, named)) is not None:
        return text, None
    if (text := _decode_strictly(data, "utf-8")) is not None:
        return text, None
    if (text := _decode_strictly(data, "cp874")) is not None and is_plausible_thai(text):
        return text, "read as windows-874 (TIS-620)"
    lost = data.decode("utf-8", "replace")
    if lost.count("\ufffd") <= 0.02 * len(lost):
        return lost, "some bytes are not letters and were replaced"
    return data.decode("cp1252", "replace"), "read as windows-1252"


def _decode_strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
