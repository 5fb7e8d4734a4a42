"""Imports parsed rows in one transaction. Importing a file twice changes nothing, and the changelog has each change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from sanya.suite import Progress, ProgressSink, ignore_progress
from sanya.suite.runtime import format_timestamp, read_clock
from sanya.suite.store import (
    Database,
    Row,
    Transaction,
    Value,
    advance_revision,
    build_insert,
    format_placeholders,
    take_back_revision,
)
from sanya.suites.tasks.importing.changes import TaskChange, compute_change
from sanya.suites.tasks.importing.rows import (
    ImportedTask,
    ImportNotice,
    ParsedRow,
    ProjectName,
    RejectedRow,
    digest_content,
    reject_row,
)
from sanya.suites.tasks.search import fold_texts
from sanya.suites.tasks.starter import remove_starter
from sanya.suites.tasks.tables import TASK_COLUMNS

_BATCH = 500
_MAX_REPORTED = 1000


@dataclass(slots=True)
class TaskImportReport:
    """The result of an import. The lists hold the first thousand rows; `rejected_count` counts all."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    projects_created: int = 0
    samples_removed: int = 0
    rejected_count: int = 0
    rejected: list[RejectedRow] = field(default_factory=list)
    notices: list[ImportNotice] = field(default_factory=list)

    @property
    def imported(self) -> int:
        return self.created + self.updated + self.unchanged

    def add_rejected(self, row: RejectedRow) -> None:
        self.rejected_count += 1
        if len(self.rejected) < _MAX_REPORTED:
            self.rejected.append(row)


async def import_tasks(
    database: Database,
    rows: Iterable[ParsedRow],
    *,
    expected: int | None = None,
    progress: ProgressSink = ignore_progress,
    now: datetime | None = None,
) -> TaskImportReport:
    """Write the rows in one transaction. Tasks that the source no longer has stay as they are."""
    async with database.transaction() as transaction:
        # First of all: two imports at once take turns at this row.
        revision = await advance_revision(transaction, "tasks")
        work = _TaskImport(transaction, revision, now or read_clock())
        pending, done = iter(rows), 0
        while batch := list(islice(pending, _BATCH)):
            await work.import_batch(batch)
            done += len(batch)
            progress(Progress(done, expected, f"{work.report.imported:,} tasks"))
        if not work.has_changed:
            await take_back_revision(transaction, "tasks")
    return work.report


class _TaskImport:
    """The state of one import between its batches."""

    def __init__(self, transaction: Transaction, revision: int, now: datetime) -> None:
        self.report = TaskImportReport()
        self._transaction = transaction
        self._revision = revision
        self._now = now
        self._entries = 0
        self._projects: set[str] = set()
        self._seen: set[str] = set()
        self._identities: Counter[str] = Counter()

    @property
    def has_changed(self) -> bool:
        report = self.report
        return bool(report.created or report.updated or report.projects_created or report.samples_removed)

    async def import_batch(self, batch: list[ParsedRow]) -> None:
        tasks: dict[str, ImportedTask] = {}
        for row in batch:
            match row:
                case RejectedRow():
                    self.report.add_rejected(row)
                case ImportNotice():
                    self.report.notices = [*self.report.notices, row][:_MAX_REPORTED]
                case ImportedTask():
                    self._accept(row, tasks)
        if tasks:
            await self._write(tasks)

    def _accept(self, task: ImportedTask, tasks: dict[str, ImportedTask]) -> None:
        id = task.key or self._make_id(task.identity)
        if id in self._seen:
            self.report.add_rejected(
                reject_row(task.line, f"the id {id[:80]!r} is in this file already; give each task its own", task.title)
            )
            return
        self._seen.add(id)
        tasks[id] = task

    def _make_id(self, identity: tuple[str, ...]) -> str:
        """Return an id made of the contents. Further rows with the same identity are numbered in file order."""
        digest = digest_content(*identity)
        self._identities[digest] += 1
        turn = self._identities[digest]
        return f"{identity[0]}-{digest}" + (f"-{turn}" if turn > 1 else "")

    async def _write(self, tasks: dict[str, ImportedTask]) -> None:
        self.report.samples_removed += await self._remove_samples()
        await self._write_projects([task.project for task in tasks.values() if task.project is not None])
        stored = await self._fetch_stored(list(tasks))
        changes: list[TaskChange] = []
        for id, task in tasks.items():
            change = compute_change(id, task, stored.get(id), self._now)
            if change is None:
                self.report.unchanged += 1
            else:
                changes.append(change)
        await self._write_changes(changes)

    async def _remove_samples(self) -> int:
        return await remove_starter(self._transaction) if self.report.imported == 0 else 0

    async def _write_projects(self, projects: list[ProjectName]) -> None:
        at = format_timestamp(self._now)
        for project in projects:
            if project.id in self._projects:
                continue
            self._projects.add(project.id)
            self.report.projects_created += await self._transaction.execute(
                "INSERT INTO projects (id, name, description, color, status, created_at, updated_at) "
                "VALUES (?, ?, NULL, NULL, 'ACTIVE', ?, ?) ON CONFLICT (id) DO NOTHING",
                (project.id, project.name, at, at),
            )

    async def _fetch_stored(self, ids: list[str]) -> dict[str, Row]:
        sql = f"SELECT {', '.join(TASK_COLUMNS)} FROM tasks WHERE id IN ({format_placeholders(ids)})"  # noqa: S608 - placeholders only
        rows = await self._transaction.fetch(sql, ids)
        return {str(row[0]): row for row in rows}

    async def _write_changes(self, changes: list[TaskChange]) -> None:
        created = [_add_folded(change) for change in changes if change.moved_from is None]
        updated = [_add_folded(change) for change in changes if change.moved_from is not None]
        await self._transaction.execute_many(_INSERT, created)
        await self._transaction.execute_many(_UPDATE, [(*values[1:], values[0]) for values in updated])
        await self._transaction.execute_many(_LOG, list(self._build_log_rows(changes)))
        self.report.created += len(created)
        self.report.updated += len(updated)

    def _build_log_rows(self, changes: list[TaskChange]) -> Iterator[tuple[Value, ...]]:
        for change in changes:
            for entry in change.entries:
                self._entries += 1
                # Ids rise, so that entries with the same timestamp stay in order.
                id = f"{self._revision:010d}-{self._entries:010d}"
                yield (id, change.values[0], *entry, self._revision, change.moved_from)


def _add_folded(change: TaskChange) -> tuple[Value, ...]:
    title, description, notes = (None if text is None else str(text) for text in change.values[1:4])
    return (*change.values, fold_texts(title or "", description, notes))


_NAMES = (*TASK_COLUMNS, "folded")
_INSERT = build_insert("tasks", _NAMES)
_UPDATE = f"UPDATE tasks SET {', '.join(f'{name} = ?' for name in _NAMES[1:])} WHERE id = ?"  # noqa: S608
_LOG = (
    "INSERT INTO task_changelogs (id, task_id, action, field_name, old_value, new_value, created_at, revision, "
    "moved_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
