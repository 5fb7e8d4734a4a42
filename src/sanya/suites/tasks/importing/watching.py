"""Finds the task files that changed since they were last read, by time and size. It polls: no thread, no busy loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sanya.suites.tasks.importing.formats import SUFFIXES


class FileStamp(NamedTuple):
    """The time and size of a file, of which a write changes at least one."""

    modified_ns: int
    size: int


class FileWatcher:
    """Watches files and folders. A folder stands for all files below it whose suffix names a task format."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._read: dict[Path, FileStamp] = {}
        self._seen: dict[Path, FileStamp] = {}

    def find_changed(self) -> list[Path]:
        """Return the files that changed and then stayed the same since the call before, sorted.

        A file that is still being written changes from call to call, and is returned once it rests.
        """
        stamps = dict(self._iterate_stamps())
        rested = [path for path, stamp in stamps.items() if self._seen.get(path, stamp) == stamp]
        self._seen = stamps
        return sorted(path for path in rested if self._read.get(path) != stamps[path])

    def mark_read(self, path: Path) -> None:
        """Remember the state in which a file was found last."""
        self._read[path] = self._seen[path]

    def _iterate_stamps(self) -> Iterator[tuple[Path, FileStamp]]:
        for path in self._paths:
            files = _list_task_files(path) if path.is_dir() else [path]
            for file in files:
                try:
                    status = file.stat()
                except OSError:
                    continue  # editors replace a file by deleting it first
                yield file, FileStamp(status.st_mtime_ns, status.st_size)


def _list_task_files(folder: Path) -> list[Path]:
    """List the task files of a folder without hidden folders, such as an editor's own."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    return [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
