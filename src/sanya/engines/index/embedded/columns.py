"""Numbers of each row in a file beside the index: since when it has vectors, how long its texts are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sanya.kernel.faults import StoreUnavailable

Numbers = NDArray[np.int64]
_NUMBER_BYTES = 8


class Columns:
    """Some whole numbers for each row, in the order of positions, from 1 on."""

    def __init__(self, file: Path, width: int) -> None:
        self._file = file
        self._width = width
        self._held: Numbers = np.empty((0, width), dtype=np.int64)

    def write(self, first: int, rows: Numbers) -> None:
        """Writes the rows from position `first` on; whatever stood there or behind is cut off first."""
        self._file.touch()
        with self._file.open("r+b") as file:
            file.truncate((first - 1) * self._width * _NUMBER_BYTES)
            file.seek(0, os.SEEK_END)
            file.write(rows.astype(np.int64).tobytes())

    def put(self, rows: Mapping[int, int]) -> None:
        """Writes over the number of single positions."""
        with self._file.open("r+b") as file:
            for position, number in rows.items():
                file.seek((position - 1) * self._width * _NUMBER_BYTES)
                file.write(number.to_bytes(_NUMBER_BYTES, "little"))
            file.flush()
            os.fsync(file.fileno())

    def load(self, count: int) -> Numbers:
        """The first `count` rows, as they are in the file: what is written over shows at once."""
        if count > len(self._held):
            if not self._file.exists() or self._file.stat().st_size < count * self._width * _NUMBER_BYTES:
                raise StoreUnavailable("the index lacks a part; run `sanya search rebuild` to make it anew")
            mapped = np.memmap(self._file, dtype=np.int64, mode="r", shape=(count, self._width))
            self._held = mapped.view(np.ndarray)
        return self._held[:count]


class Mark:
    """The change up to which everything is derived. Lost or torn, it is 0: then late vectors are derived again."""

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
