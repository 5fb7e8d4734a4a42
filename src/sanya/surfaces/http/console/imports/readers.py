"""Reads what an import of tasks, funds or papers would change, and writes it as `sanya … import` does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sanya.kernel.calls.call import Progress, ProgressSink
from sanya.kernel.clock import read_clock
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.kernel.storage.database import Database
from sanya.surfaces.cli.input_hashes import describe_file
from sanya.surfaces.dry_run import DryRunDatabase

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.funds.importing.records import FundReadResult
    from sanya.suites.papers.store import PaperStore
    from sanya.surfaces.http.console.imports.batch import Batch

_MOST_LISTED = 200
_PMIDS_AT_ONCE = 500
_TASK_COUNTS = ("created", "updated", "unchanged", "projects_created", "samples_removed", "rejected_count")


class TaskImport:
    def __init__(self, app: App) -> None:
        self._app = app

    async def read_changes(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        self._refuse_attached()
        files = [await self._import(DryRunDatabase(self._app.database), path, progress) for path in batch.paths]
        return {"files": files}

    async def write(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        files = []
        for path in batch.paths:
            content = await asyncio.to_thread(describe_file, path)
            async with record_owner_action(self._app.ledger, "tasks.import", "tasks", content, by=batch.by) as action:
                file = await self._import(self._app.database, path, progress)
                action.add(format=file["format"], counts={name: file["counts"][name] for name in _TASK_COUNTS})
            files.append(file)
        return {"files": files}

    async def _import(self, database: Database, path: Path, progress: ProgressSink) -> dict[str, Any]:
        from sanya.suites.tasks.importing.formats import open_task_file
        from sanya.suites.tasks.importing.task_import import import_tasks

        data = await asyncio.to_thread(path.read_bytes)
        file = open_task_file(data, ZoneInfo(self._app.settings.time_zone), name=path.name)
        report = await import_tasks(database, file.parse_rows(), expected=file.expected_rows, progress=progress)
        return {
            "name": path.name,
            "format": file.format,
            "counts": {name: getattr(report, name) for name in _TASK_COUNTS},
            "refused": [
                {"place": f"{path.name}:{row.line}", "reason": row.reason, "text": row.excerpt}
                for row in report.rejected[:_MOST_LISTED]
            ],
            "notices": [
                {"place": f"{path.name}:{notice.line}", "reason": notice.text}
                for notice in report.notices[:_MOST_LISTED]
            ],
        }

    def _refuse_attached(self) -> None:
        if path := self._app.settings.tasks_database:
            raise InvalidArgument(
                f"Tasks come from {path}, which Sanya only reads. Clear the setting tasks_database first."
            )


class FundImport:
    def __init__(self, app: App) -> None:
        self._app = app

    async def read_changes(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        return await self._import(DryRunDatabase(self._app.database), await self._read(batch), progress)

    async def write(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        source = await self._read(batch)
        content = {"name": _name_batch(batch), "sha256": source.sha256}
        async with record_owner_action(self._app.ledger, "funds.import", "funds", content, by=batch.by) as action:
            report = await self._import(self._app.database, source, progress)
            action.add(counts=report["files"][0]["counts"])
        return report

    async def _read(self, batch: Batch) -> FundReadResult:
        from sanya.suites.funds.importing.files import NothingToImport, read_funds

        source = batch.paths[0] if len(batch.files) == 1 else batch.folder
        try:
            return await asyncio.to_thread(read_funds, source)
        except NothingToImport:
            raise InvalidArgument(
                "These files hold no funds. Send fund JSON files, or a consolidated CSV (see docs/funds.md)."
            ) from None

    async def _import(self, database: Database, source: FundReadResult, progress: ProgressSink) -> dict[str, Any]:
        from sanya.suites.funds.importing.writer import import_funds

        report = await import_funds(database, source.funds, progress=progress)
        counts = {**asdict(report), "repaired": len(source.repairs), "rejected_count": len(source.refused)}
        refused = [asdict(item) for item in (*source.refused, *source.skipped)][:_MOST_LISTED]
        notices = [
            {
                "place": repair.place,
                "reason": f"{repair.symbol}, {repair.field}: {repair.was!s:.60} → {repair.now!s:.60} ({repair.why})",
            }
            for repair in source.repairs[:_MOST_LISTED]
        ]
        return {"files": [{"name": "", "format": "funds", "counts": counts, "refused": refused, "notices": notices}]}


class PaperImport:
    def __init__(self, app: App) -> None:
        self._app = app

    async def read_changes(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        store = self._open_store()
        return {"files": [await self._look_through(store, path, progress) for path in batch.paths]}

    async def write(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]:
        from sanya.suites.papers.file_import import import_file

        store, files = self._open_store(), []
        for path in batch.paths:
            content = await asyncio.to_thread(describe_file, path)
            async with record_owner_action(
                self._app.ledger, "papers.import", "papers", content, in_steps=True, by=batch.by
            ) as action:
                report = await import_file(store, path, read_clock(), action.follow(progress))
                counts = {**report.stored._asdict(), "deleted": report.deleted}
                action.add(counts=counts)
            files.append({"name": path.name, "format": "pubmed", "counts": counts, "refused": [], "notices": []})
        await self._follow_citations()
        return {"files": files}

    async def _look_through(self, store: PaperStore, path: Path, progress: ProgressSink) -> dict[str, Any]:
        """Count the records of a file by whether they are here already. Nothing is written."""
        counts = {"inserted": 0, "known": 0, "deleted": 0}
        titles: list[str] = []
        batches = _iterate_batches(path)
        while (taken := await asyncio.to_thread(_take_next, batches)) is not None:
            records, deleted, read, size = taken
            stored = await store.find_stored_pmids([pmid for pmid, _ in records])
            counts["inserted"] += sum(pmid not in stored for pmid, _ in records)
            counts["known"] += len(stored)
            counts["deleted"] += deleted
            titles += [title for _, title in records][: max(0, 8 - len(titles))]
            progress(Progress(read, size, f"{counts['inserted'] + counts['known']:,} papers"))
        return {
            "name": path.name, "format": "pubmed", "counts": counts, "titles": titles, "refused": [], "notices": []
        }  # fmt: skip

    def _open_store(self) -> PaperStore:
        from sanya.suites.papers.indexing.paper_index import PaperIndex
        from sanya.suites.papers.store import PaperStore

        namespace = UUID(self._app.settings.papers_uuid_namespace)
        return PaperStore(self._app.database, PaperIndex(self._app.library, self._app.database, namespace))

    async def _follow_citations(self) -> None:
        from sanya.assembly.citations import follow_citations

        await follow_citations(self._app.kernel.catalogue.suites)


_Taken = tuple[list[tuple[str, str]], int, int, int]


def _take_next(batches: Iterator[_Taken]) -> _Taken | None:
    """Return the next batch. Its reader raises ValueError for a file that it does not understand."""
    return next(batches, None)


def _iterate_batches(path: Path) -> Iterator[_Taken]:
    """Yield the PMIDs and titles of some records, how many were withdrawn, and how far the file is read."""
    from sanya.suites.papers.pubmed.files import BadFile, Deletion, open_file, read_items

    records: list[tuple[str, str]] = []
    deleted, size = 0, path.stat().st_size
    try:
        with open_file(path) as (file, blocks):
            for item in read_items(blocks):
                if isinstance(item, Deletion):
                    deleted += len(item.pmids)
                else:
                    records.append((item.pmid, item.title or ""))
                if len(records) >= _PMIDS_AT_ONCE:
                    yield records, deleted, file.tell(), size
                    records, deleted = [], 0
            yield records, deleted, size, size
    except BadFile as problem:
        raise ValueError(f"{path.name} {problem}") from None


def _name_batch(batch: Batch) -> str:
    return batch.files[0] if len(batch.files) == 1 else f"{len(batch.files)} files"
