"""Watched files are imported again when they change, and only then."""

from __future__ import annotations

import os
from pathlib import Path

from sanya.suites.tasks.importing.task_import import TaskImportReport
from sanya.suites.tasks.importing.watching import FileWatcher
from sanya.surfaces.cli.task_watch import import_changed


def write(path: Path, text: str, second: int) -> Path:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (second, second))
    return path


def test_a_file_is_returned_when_it_is_new_or_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "todo.txt", "a", 1)
    watcher = FileWatcher([path])
    assert watcher.find_changed() == [path]
    watcher.mark_read(path)
    assert watcher.find_changed() == []
    write(path, "b", 2)
    # It may still be written: only a file that rests is read.
    assert watcher.find_changed() == []
    assert watcher.find_changed() == [path]
    watcher.mark_read(path)
    assert watcher.find_changed() == []


def test_a_folder_stands_for_its_task_files(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes.md", "- [ ] a", 1)
    (tmp_path / ".obsidian").mkdir()
    write(tmp_path / ".obsidian" / "own.md", "- [ ] b", 1)
    write(tmp_path / "picture.png", "", 1)
    (tmp_path / "sub").mkdir()
    below = write(tmp_path / "sub" / "list.csv", "title", 1)
    watcher = FileWatcher([tmp_path])
    assert watcher.find_changed() == [notes, below]
    new = write(tmp_path / "later.ics", "", 5)
    for path in (notes, below):
        watcher.mark_read(path)
    assert watcher.find_changed() == [new]


def test_a_file_that_is_gone_is_no_error(tmp_path: Path) -> None:
    path = write(tmp_path / "todo.txt", "a", 1)
    watcher = FileWatcher([path])
    watcher.find_changed()
    watcher.mark_read(path)
    path.unlink()
    assert watcher.find_changed() == []
    write(path, "a", 9)
    assert watcher.find_changed() == [path]


async def test_a_file_that_cannot_be_read_does_not_stop_the_watch(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.txt", "a", 1), write(tmp_path / "b.txt", "b", 1)
    read: list[Path] = []

    async def import_file(path: Path) -> TaskImportReport:
        if path == first:
            raise PermissionError(13, "Permission denied")
        read.append(path)
        return TaskImportReport(created=1)

    watcher = FileWatcher([first, second])
    assert await import_changed(watcher, import_file) == 2
    assert read == [second]
    assert await import_changed(watcher, import_file) == 0
