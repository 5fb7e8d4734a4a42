"""`sanya tasks import`: import tasks from common file formats and list every row that cannot be read."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from sanya.kernel.ledger.owner_actions import OwnerAction, record_owner_action
from sanya.surfaces.cli import task_watch
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.input_hashes import describe_input
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.dry_run import DryRunDatabase

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.storage.database import Database
    from sanya.suites.tasks.importing.formats import TaskFile
    from sanya.suites.tasks.importing.task_import import TaskImportReport

FORMATS = ("todotxt", "taskwarrior", "ical", "csv", "markdown", "todoist", "things")
_STDIN = "-"
_COUNTS = ("created", "updated", "unchanged", "projects_created", "samples_removed", "rejected_count")

EXAMPLES = """The import of a file succeeds completely or changes nothing. Rows that cannot be read are listed and
skipped, and the exit code is then 1. Importing the same file again changes nothing. The first import removes the
sample tasks.

examples:
  sanya tasks import todo.txt
  task export | sanya tasks import - --format taskwarrior
  sanya tasks import calendar.ics tasks.csv --dry-run
  sanya tasks watch ~/notes ~/todo.txt"""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    name: str
    format: str
    report: TaskImportReport


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    importing = actions.add_parser(
        "import", help="Import Markdown, todo.txt, Taskwarrior, iCalendar, CSV, Todoist or Things.", allow_abbrev=False
    )
    importing.add_argument("files", nargs="+", metavar="FILE", help="File to read, or - for stdin.")
    importing.add_argument("--format", choices=FORMATS, help="Format of the files (default: detected).")
    importing.add_argument("--dry-run", action="store_true", help="Show what would change, but change nothing.")
    importing.add_argument("--json", action="store_true", help="Print the report as JSON.")
    watching = actions.add_parser(
        "watch", help="Import files again whenever they change, until interrupted.", allow_abbrev=False
    )
    task_watch.add_arguments(watching)


def run(options: Namespace) -> int:
    return _run_watch(options) if options.action == "watch" else _run_import(options)


def _run_watch(options: Namespace) -> int:
    watcher = task_watch.open_watcher(options)
    options.format, options.dry_run = None, False

    async def work(app: App) -> None:
        _refuse_attached(app.settings.tasks_database)

        async def import_file(path: Path) -> TaskImportReport:
            return (await _import(app, str(path), _read(str(path)), options)).report

        write_line(f"Watching {', '.join(options.paths)}; press Ctrl+C to stop.")
        await task_watch.watch(watcher, import_file, options.every)

    run_in_home(options, work)
    return OK


def _run_import(options: Namespace) -> int:
    async def work(app: App) -> list[ImportedFile]:
        _refuse_attached(app.settings.tasks_database)
        contents = [(name, _read(name)) for name in options.files]
        return [await _import(app, name, data, options) for name, data in contents]

    files = run_in_home(options, work)
    if options.json:
        write_json({"dry_run": options.dry_run, "files": [_as_json(file) for file in files]})
    else:
        _show(files, options.dry_run)
    return FAULT if any(file.report.rejected_count for file in files) else OK


def _refuse_attached(path: str) -> None:
    if path:
        raise CommandFailed(f"tasks come from {path}, which Sanya only reads; clear the setting tasks_database first")


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == _STDIN else Path(name).expanduser().read_bytes()


async def _import(app: App, name: str, data: bytes, options: Namespace) -> ImportedFile:
    from sanya.suites.tasks.importing.formats import open_task_file
    from sanya.suites.tasks.importing.task_import import import_tasks

    file: TaskFile = open_task_file(data, ZoneInfo(app.settings.time_zone), name=name, format=options.format)
    database: Database = DryRunDatabase(app.database) if options.dry_run else app.database
    async with _record(app, name, data, file.format, dry_run=options.dry_run) as action:
        with progress_bar(Path(name).name) as progress:
            report = await import_tasks(database, file.parse_rows(), expected=file.expected_rows, progress=progress)
        if action is not None:
            action.add(counts={count: getattr(report, count) for count in _COUNTS})
    return ImportedFile(name, file.format, report)


@asynccontextmanager
async def _record(app: App, name: str, data: bytes, format: str, *, dry_run: bool) -> AsyncIterator[OwnerAction | None]:
    """Record the import of a file in the ledger, unless it is a dry run."""
    if dry_run:
        yield None
        return
    content = {**describe_input(name, data), "format": format}
    async with record_owner_action(app.ledger, "tasks.import", "tasks", content) as action:
        yield action


def _as_json(file: ImportedFile) -> dict[str, Any]:
    return {"file": file.name, "format": file.format, **asdict(file.report)}


def _show(files: list[ImportedFile], dry_run: bool) -> None:
    counts = [(file.name, file.format, *(str(getattr(file.report, count)) for count in _COUNTS)) for file in files]
    write_table(
        ("file", "format", "created", "updated", "unchanged", "projects", "samples removed", "rejected"), counts
    )
    rejected = [(file.name, str(row.line), row.reason, row.excerpt) for file in files for row in file.report.rejected]
    if rejected:
        write_line("\nNot imported:")
        write_table(("file", "line", "reason", "excerpt"), rejected)
    unlisted = sum(file.report.rejected_count - len(file.report.rejected) for file in files)
    if unlisted:
        write_line(f"and {unlisted} more")
    notices = [(file.name, str(notice.line), notice.text) for file in files for notice in file.report.notices]
    if notices:
        write_line("\nLeft out on purpose:")
        write_table(("file", "line", "notice"), notices)
    if dry_run:
        write_line("\nDry run: nothing was changed.")
