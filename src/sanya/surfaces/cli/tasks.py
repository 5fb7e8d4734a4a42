"""`sanya tasks import`: fills the tasks suite from the files people have, and names every row it could not read."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.database import Database, Row, Transaction, Value
    from sanya.suites.tasks.importing.formats import TaskFile
    from sanya.suites.tasks.importing.writing import ImportReport

FORMATS = ("todotxt", "taskwarrior", "ical", "csv")
_STDIN = "-"
_COUNTS = ("created", "updated", "unchanged", "projects_created", "samples_removed", "rejected_count")

EXAMPLES = """Each file lands whole or not at all; a row that cannot be read is named and left out, and the exit code is
then 1. The same file twice changes nothing. The first import removes the sample tasks.

examples:
  sanya tasks import todo.txt
  task export | sanya tasks import - --format taskwarrior
  sanya tasks import calendar.ics tasks.csv --dry-run"""


@dataclass(frozen=True, slots=True)
class Imported:
    name: str
    format: str
    report: ImportReport


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    importing = actions.add_parser(
        "import", help="Import todo.txt, a Taskwarrior export, iCalendar or CSV.", allow_abbrev=False
    )
    importing.add_argument("files", nargs="+", metavar="FILE", help="A file to read, or - for stdin.")
    importing.add_argument("--format", choices=FORMATS, help="What the files are; by default their contents tell.")
    importing.add_argument("--dry-run", action="store_true", help="Show what would change and change nothing.")
    importing.add_argument("--json", action="store_true", help="Print the report as JSON.")


def run(options: Namespace) -> int:
    async def work(app: App) -> list[Imported]:
        _refuse_attached(app.settings.tasks_database)
        contents = [(name, _read(name)) for name in options.files]
        return [await _import(app, name, data, options) for name, data in contents]

    found = in_home(options, work)
    if options.json:
        write_json({"dry_run": options.dry_run, "files": [_as_json(one) for one in found]})
    else:
        _show(found, options.dry_run)
    return FAULT if any(one.report.rejected_count for one in found) else OK


def _refuse_attached(path: str) -> None:
    if path:
        raise CommandFailed(f"tasks are read from {path}, which is never changed; empty tasks_database to import here")


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == _STDIN else Path(name).expanduser().read_bytes()


async def _import(app: App, name: str, data: bytes, options: Namespace) -> Imported:
    from sanya.suites.tasks.importing.formats import task_file
    from sanya.suites.tasks.importing.writing import import_tasks

    file: TaskFile = task_file(data, ZoneInfo(app.settings.time_zone), name=name, format=options.format)
    database: Database = Rehearsal(app.database) if options.dry_run else app.database
    with progress_bar(Path(name).name) as progress:
        report = await import_tasks(database, file.rows(), expected=file.expected, progress=progress)
    return Imported(name, file.format, report)


class _Undo(Exception):
    """Ends a transaction without its changes."""


class Rehearsal:
    """A database on which everything happens and nothing stays."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.dialect: Literal["sqlite", "postgresql"] = database.dialect

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        return await self._database.fetch(sql, params, touches=touches)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        try:
            async with self._database.transaction() as transaction:
                yield transaction
                raise _Undo
        except _Undo:
            return


def _as_json(one: Imported) -> dict[str, Any]:
    return {"file": one.name, "format": one.format, **asdict(one.report)}


def _show(found: list[Imported], dry_run: bool) -> None:
    counts = [(one.name, one.format, *(str(getattr(one.report, count)) for count in _COUNTS)) for one in found]
    write_table(
        ("file", "format", "created", "updated", "unchanged", "projects", "samples removed", "rejected"), counts
    )
    rejected = [(one.name, str(row.line), row.reason, row.excerpt) for one in found for row in one.report.rejected]
    if rejected:
        write_line("\nNot imported:")
        write_table(("file", "line", "reason", "it begins"), rejected)
    untold = sum(one.report.rejected_count - len(one.report.rejected) for one in found)
    if untold:
        write_line(f"and {untold} more")
    notices = [(one.name, str(notice.line), notice.text) for one in found for notice in one.report.notices]
    if notices:
        write_line("\nLeft out on purpose:")
        write_table(("file", "line", "what"), notices)
    if dry_run:
        write_line("\nNothing was changed: this was a dry run.")
