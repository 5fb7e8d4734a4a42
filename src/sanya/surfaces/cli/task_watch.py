"""`sanya tasks watch`: import task files again whenever they change, while the server runs."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.output.terminal import write_line

if TYPE_CHECKING:
    from sanya.suites.tasks.importing.task_import import TaskImportReport
    from sanya.suites.tasks.importing.watching import FileWatcher

Importer = Callable[[Path], Awaitable["TaskImportReport"]]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="File, or folder of task files, to watch.")
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="Seconds between two looks.")


def open_watcher(options: Namespace) -> FileWatcher:
    from sanya.suites.tasks.importing.watching import FileWatcher

    paths = [Path(path).expanduser() for path in options.paths]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise CommandFailed(f"{missing[0]} does not exist; name files or folders to watch")
    if options.every <= 0:
        raise CommandFailed("--every takes a number of seconds above 0")
    return FileWatcher(paths)


async def watch(watcher: FileWatcher, import_file: Importer, every: float) -> None:
    """Import changed files until the command is cancelled."""
    while True:
        await import_changed(watcher, import_file)
        await asyncio.sleep(every)


async def import_changed(watcher: FileWatcher, import_file: Importer) -> int:
    """Import the files that changed and return how many. A file that cannot be read is tried again when it changes."""
    changed = await asyncio.to_thread(watcher.find_changed)
    for path in changed:
        watcher.mark_read(path)
        try:
            report = await import_file(path)
        except OSError as problem:
            write_line(f"{path}: not read: {problem.strerror or problem}")
            continue
        counts = f"{report.created} created, {report.updated} updated, {report.unchanged} unchanged"
        write_line(f"{path}: {counts}, {report.rejected_count} rejected")
    return len(changed)
