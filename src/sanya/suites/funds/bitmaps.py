"""Bitmap indexes over funds: the rows that meet a condition are the bits of one integer.

Conditions combine with one `&` or `|`, however many funds there are. Bit n stands for row n; rows are sorted by symbol.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Generic, TypeVar

from sanya.suite.runtime import LruCache

_Value = TypeVar("_Value", bound=Hashable)
_TRIGRAM = 3
# If more than one row in this many may match, a scan over all texts is faster than the index.
_SCAN_SHARE = 4
_MAX_SCANS = 256
_DIGITS = bytes.maketrans(b"\0\1", b"01")


class BitmapIndex(Generic[_Value]):
    """An index from values that many rows share, such as a fund company, to bitmaps of rows."""

    def __init__(self, labels: Sequence[Iterable[_Value]]) -> None:
        rows = defaultdict[_Value, list[int]](list)
        for row, values in enumerate(labels):
            for value in values:
                rows[value].append(row)
        self._bits = {value: build_bitmap(numbers, len(labels)) for value, numbers in rows.items()}

    def __iter__(self) -> Iterator[_Value]:
        return iter(self._bits)

    def find(self, value: _Value) -> int:
        return self._bits.get(value, 0)

    def match(self, keep: Callable[[_Value], bool]) -> int:
        return reduce(or_, (bits for value, bits in self._bits.items() if keep(value)), 0)

    def group_by_overlap(self, values: Iterable[_Value]) -> list[int]:
        """Group rows by how many of the values they have: entry n holds the rows with exactly n of them.

        `at_least[n]` collects the rows with n or more values so far. Each value moves its rows one entry up, from the
        highest entry down, so that a row moves only once per value.
        """
        at_least = [self.match(lambda _: True)]
        for value in values:
            bits = self.find(value)
            at_least.append(0)
            for count in reversed(range(1, len(at_least))):
                at_least[count] |= at_least[count - 1] & bits
        return [rows & ~more for rows, more in zip(at_least, [*at_least[1:], 0], strict=True)]


class TrigramIndex:
    """A substring index: a search tests only the texts that contain the rarest trigram of the query.

    Words that many texts contain need a scan of all, so the results of scans are kept.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._scans = LruCache[str, int](_MAX_SCANS)

    def find_containing(self, text: str) -> int:
        candidates: list[Sequence[int]] = [self._rows.get(trigram, ()) for trigram in _split_trigrams(text)]
        rows = min(candidates, key=len, default=range(len(self._texts)))
        if len(rows) * _SCAN_SHARE > len(self._texts):
            return self._scan(text)
        return build_bitmap([row for row in rows if text in self._texts[row]], len(self._texts))

    def _scan(self, text: str) -> int:
        rows = self._scans.get(text)
        if rows is None:
            rows = int(bytes([text in other for other in self._texts]).translate(_DIGITS)[::-1] or b"0", 2)
            self._scans.put(text, rows)
        return rows

    @cached_property
    def _rows(self) -> dict[str, array[int]]:
        rows: defaultdict[str, array[int]] = defaultdict(lambda: array("L"))
        for row, text in enumerate(self._texts):
            for trigram in _split_trigrams(text):
                rows[trigram].append(row)
        return dict(rows)


def _split_trigrams(text: str) -> set[str]:
    return {text[at : at + _TRIGRAM] for at in range(len(text) - _TRIGRAM + 1)}


def build_bitmap(rows: Iterable[int], count: int) -> int:
    digits = bytearray(b"0") * (count + 1)
    for row in rows:
        digits[count - row] = ord("1")
    return int(digits, 2)


def iterate_rows(bits: int) -> Iterator[int]:
    """Yield the rows of a bitmap in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
