"""Files of whole numbers beside the index: when the vectors of each row arrived, how long its texts are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from sanya.engines.index.arrays import Int64Array
from sanya.kernel.faults import StoreUnavailable

_NUMBER_BYTES = 8


class ColumnFile:
    """A fixed number of whole numbers for each row, in the order of positions, from 1 on."""

    def __init__(self, file: Path, width: int) -> None:
        self._file = file
        self._width = width
        self._mapped: Int64Array = np.empty((0, width), dtype=np.int64)

    def write(self, first: int, rows: Int64Array) -> None:
        """Write the rows from position `first` on, after truncating the file there."""
        self._file.touch()
        with self._file.open("r+b") as file:
            file.truncate((first - 1) * self._width * _NUMBER_BYTES)
            file.seek(0, os.SEEK_END)
            file.write(rows.astype(np.int64).tobytes())

    def put(self, rows: Mapping[int, int]) -> None:
        """Overwrite the numbers at single positions."""
        with self._file.open("r+b") as file:
            for position, number in rows.items():
                file.seek((position - 1) * self._width * _NUMBER_BYTES)
                file.write(number.to_bytes(_NUMBER_BYTES, "little"))
            file.flush()
            os.fsync(file.fileno())

    def load(self, count: int) -> Int64Array:
        """Return the first `count` rows, mapped from the file: numbers that are overwritten later show at once."""
        if count > len(self._mapped):
            if not self._file.exists() or self._file.stat().st_size < count * self._width * _NUMBER_BYTES:
                raise StoreUnavailable("the search index lacks a file; run `sanya search rebuild` to build it again")
            mapped = np.memmap(self._file, dtype=np.int64, mode="r", shape=(count, self._width))
            self._mapped = mapped.view(np.ndarray)
        return self._mapped[:count]


class SequenceFile:
    """A file that holds the change up to which everything is derived. If it is missing or torn, the change is 0, and
    vectors that arrived later are derived again."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> int:
        try:
            return int(self._file.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    def write(self, seq: int) -> None:
        unfinished = self._file.with_suffix(".unfinished")
        unfinished.write_text(str(seq), encoding="ascii")
        unfinished.replace(self._file)
