"""A file lock that picks the process that derives the index of a folder. The system releases it when the process
ends. Other processes ask the one that holds it for what they have stored, by the time of the file."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import BinaryIO


class FolderLock:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._file: BinaryIO | None = None
        self._asked_at = self._read_time()

    @property
    def is_held(self) -> bool:
        return self._file is not None

    def try_acquire(self) -> bool:
        """Take the lock if it is free. Return whether this process holds it now."""
        return self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def acquire(self) -> None:
        self._lock(fcntl.LOCK_EX)

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def ask_holder(self) -> None:
        """Ask the process that holds the lock to derive what others have stored."""
        if self._path.exists():
            os.utime(self._path)

    def take_request(self) -> bool:
        """Return whether a process has asked since the last call."""
        former, self._asked_at = self._asked_at, self._read_time()
        return self._asked_at != former

    def _read_time(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def _lock(self, operation: int) -> bool:
        if self._file is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = self._path.open("ab")
        try:
            fcntl.flock(file, operation)
        except BlockingIOError:
            file.close()
            return False
        self._file = file
        return True
