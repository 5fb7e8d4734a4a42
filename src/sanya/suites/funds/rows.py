"""Which funds meet a condition, as the bits of one number: conditions combine at once, however many funds there are.

The bit of a fund is its row, and rows stand in the order of symbols.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Generic, TypeVar

Value = TypeVar("Value", bound=Hashable)
_PIECE = 3
# Where one in so many may match, it is faster to look at all.
_MANY = 4
_DIGITS = bytes.maketrans(b"\0\1", b"01")


class Labels(Generic[Value]):
    """Rows by values that many of them share."""

    def __init__(self, labels: Sequence[Iterable[Value]]) -> None:
        rows = defaultdict[Value, list[int]](list)
        for row, values in enumerate(labels):
            for value in values:
                rows[value].append(row)
        self._bits = {value: bits_of(those, len(labels)) for value, those in rows.items()}

    def __iter__(self) -> Iterator[Value]:
        return iter(self._bits)

    def having(self, value: Value) -> int:
        return self._bits.get(value, 0)

    def where(self, keep: Callable[[Value], bool]) -> int:
        return reduce(or_, (bits for value, bits in self._bits.items() if keep(value)), 0)

    def sharing(self, values: Iterable[Value]) -> list[int]:
        """By how many of the values: the rows that have exactly none of them, exactly one, and so on."""
        everyone = self.where(lambda _: True)
        at_least = [everyone]
        for value in values:
            bits = self.having(value)
            at_least.append(0)
            for count in reversed(range(1, len(at_least))):
                at_least[count] |= at_least[count - 1] & bits
        return [some & ~more for some, more in zip(at_least, [*at_least[1:], 0], strict=True)]


class Pieces:
    """Finds the texts that have a given one in them: only those that share its rarest three letters are looked at."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def having(self, text: str) -> int:
        found: list[Sequence[int]] = [self._rows.get(piece, ()) for piece in _pieces(text)]
        rows = min(found, key=len, default=range(len(self._texts)))
        if len(rows) * _MANY > len(self._texts):
            return int(bytes([text in one for one in self._texts]).translate(_DIGITS)[::-1] or b"0", 2)
        return bits_of([row for row in rows if text in self._texts[row]], len(self._texts))

    @cached_property
    def _rows(self) -> dict[str, array[int]]:
        rows: defaultdict[str, array[int]] = defaultdict(lambda: array("L"))
        for row, text in enumerate(self._texts):
            for piece in _pieces(text):
                rows[piece].append(row)
        return dict(rows)


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1)}


def bits_of(rows: Iterable[int], count: int) -> int:
    digits = bytearray(b"0") * (count + 1)
    for row in rows:
        digits[count - row] = ord("1")
    return int(digits, 2)


def rows_of(bits: int) -> Iterator[int]:
    """From the first on."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
