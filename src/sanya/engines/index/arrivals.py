"""Since which change each row has its vectors, beside the vectors themselves, and up to which change all is derived."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sanya.kernel.faults import StoreUnavailable

Changes = NDArray[np.int64]
_NUMBER_BYTES = 8


class Arrivals:
    """One number for each row: the change that its vectors came with, FOREVER while they are awaited. Rows are added at
    the end; one that awaited its vectors is written over when they come."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "arrivals"
        self._mark = folder / "derived"
        self._held: Changes = np.empty(0, dtype=np.int64)

    def write(self, first: int, changes: Sequence[int]) -> None:
        """Writes the rows from position `first` on; whatever stood there or behind is cut off first."""
        self._file.touch()
        with self._file.open("r+b") as file:
            file.truncate((first - 1) * _NUMBER_BYTES)
            file.seek(0, os.SEEK_END)
            file.write(np.array(changes, dtype=np.int64).tobytes())

    def put(self, changes: Sequence[tuple[int, int]]) -> None:
        """Writes over single rows: position, change."""
        with self._file.open("r+b") as file:
            for position, change in changes:
                file.seek((position - 1) * _NUMBER_BYTES)
                file.write(change.to_bytes(_NUMBER_BYTES, "little"))
            file.flush()
            os.fsync(file.fileno())

    def load(self, count: int) -> Changes:
        """Those of the first `count` rows. They change under the reader's eyes, but only from FOREVER to a change that
        is later than any that it has seen."""
        if count > len(self._held):
            if not self._file.exists() or self._file.stat().st_size < count * _NUMBER_BYTES:
                raise StoreUnavailable("the index lacks a part; run `sanya search rebuild` to make it anew")
            mapped = np.memmap(self._file, dtype=np.int64, mode="r", shape=(count,))
            self._held = mapped.view(np.ndarray)
        return self._held[:count]

    @property
    def derived(self) -> int:
        """The change up to which everything is derived. Lost or torn, it is 0: then late vectors are derived again."""
        try:
            return int(self._mark.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    def set_derived(self, seq: int) -> None:
        unfinished = self._mark.with_suffix(".unfinished")
        unfinished.write_text(str(seq), encoding="ascii")
        unfinished.replace(self._mark)
