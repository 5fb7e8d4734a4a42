"""Decodes a file into numbered lines of text."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from sanya.suites.tasks.importing.rows import BadRow

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def convert_to_utf8(data: bytes) -> bytes:
    """Return the file as UTF-8 without a byte order mark; spreadsheets also write UTF-16."""
    if data.startswith(_UTF16_MARKS):
        whole = data[: len(data) // 2 * 2]
        # A lone surrogate becomes invalid UTF-8, so its line is refused like any other invalid one.
        return whole.decode("utf-16", "surrogatepass").encode("utf-8", "surrogatepass")
    return data.removeprefix(codecs.BOM_UTF8)


def number_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number from 1, without its line ending."""
    number, start = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        yield number, data[start:end].removesuffix(b"\r")
        start = end + 1


def decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRow(f"it is not UTF-8 text (byte {error.start + 1} of the line); save the file as UTF-8") from None
