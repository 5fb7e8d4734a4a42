"""Which process derives the index of a folder: the one that holds the lock. It is let go when the process ends."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import BinaryIO


class FolderLock:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._file: BinaryIO | None = None

    @property
    def is_held(self) -> bool:
        return self._file is not None

    def take(self) -> bool:
        """Takes the lock if it is free; says whether it is held now."""
        return self._locked(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def wait(self) -> None:
        self._locked(fcntl.LOCK_EX)

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _locked(self, how: int) -> bool:
        if self._file is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = self._path.open("ab")
        try:
            fcntl.flock(file, how)
        except BlockingIOError:
            file.close()
            return False
        self._file = file
        return True
