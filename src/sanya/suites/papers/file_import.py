"""Imports files of PubMed records into the store, batch by batch.

A batch and the position up to which its file is stored are committed in one transaction. After a crash the same import
resumes at that position, and a file that is stored in full is skipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from pathlib import Path

from sanya.suite import InvalidArgument, Progress, ProgressSink, ignore_progress
from sanya.suite.runtime import collect_young_objects, format_timestamp, paused_collection
from sanya.suite.store import Transaction
from sanya.suites.papers.pubmed.files import BadFile, Deletion, FileItem, hash_file, open_file, read_items
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.store import PaperStore, UpsertResult

BATCH_ITEMS = 2000
_FORGET_FINISHED = "UPDATE paper_imports SET items = 0, finished_at = NULL WHERE digest = ? AND finished_at IS NOT NULL"
# Each refresh of the word index has a fixed cost, so it runs seldom. Until then the records are safe in the database.
# A file of PubMed's baseline has this many records.
_REFRESH_EVERY = 30_000


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of importing one file; `resumed_at` counts the items that an earlier import stored."""

    name: str
    stored: UpsertResult = UpsertResult()  # noqa: RUF009 - a tuple is immutable
    deleted: int = 0
    resumed_at: int = 0
    was_stored: bool = False


@dataclass(frozen=True, slots=True)
class _BatchResult:
    result: UpsertResult
    deleted: int
    items: int


async def import_file(
    store: PaperStore, path: Path, now: datetime, progress: ProgressSink = ignore_progress, *, again: bool = False
) -> FileReport:
    """Import one file. Raises InvalidArgument for a file that cannot be read; batches before the fault stay stored.

    A file that was imported before is read `again` for what a later version of the reader understands.
    """
    digest = await asyncio.to_thread(hash_file, path)
    if again:
        async with store.database.transaction() as transaction:
            await transaction.execute(_FORGET_FINISHED, (digest,))
    done, is_finished = await _read_progress(store, digest)
    if is_finished:
        return FileReport(path.name, was_stored=True)
    await store.index.prepare()
    with paused_collection():
        try:
            return await _FileImport(store, path, digest, now).run(done, progress)
        except BadFile as problem:
            raise InvalidArgument(f"{path.name} {problem}", field="file") from None
        finally:
            await store.index.refresh()


@dataclass(frozen=True, slots=True)
class _FileImport:
    store: PaperStore
    path: Path
    digest: str
    now: datetime

    async def run(self, done: int, progress: ProgressSink) -> FileReport:
        size = self.path.stat().st_size
        resumed_at, result, deleted, unrefreshed = done, UpsertResult(), 0, 0
        with open_file(self.path) as (file, blocks):
            items = read_items(blocks, skip=done)
            while batch := await asyncio.to_thread(_take_batch, items):
                stored = await self._store_batch(batch, done)
                done, result, deleted = stored.items, result.add(stored.result), deleted + stored.deleted
                progress(Progress(file.tell(), size, f"{done:,} records"))
                unrefreshed += len(batch)
                if unrefreshed >= _REFRESH_EVERY:
                    await self.store.index.refresh()
                    collect_young_objects()
                    unrefreshed = 0
        await self._finish(done)
        return FileReport(self.path.name, result, deleted, resumed_at)

    async def _store_batch(self, batch: Sequence[FileItem], done: int) -> _BatchResult:
        """Store the batch, or nothing where another process has stored it meanwhile."""
        result, deleted = UpsertResult(), 0
        async with self.store.database.transaction() as transaction:
            if await self._claim_position(transaction, done):
                for kind, items in groupby(batch, type):
                    if kind is PaperRecord:
                        records = [item for item in items if isinstance(item, PaperRecord)]
                        result = result.add(await self.store.upsert_pubmed_docs(records, transaction))
                    else:
                        pmids = [pmid for item in items if isinstance(item, Deletion) for pmid in item.pmids]
                        deleted += await self.store.delete_pubmed_docs(pmids, transaction)
                await transaction.execute(
                    "UPDATE paper_imports SET items = ? WHERE digest = ?", (done + len(batch), self.digest)
                )
        return _BatchResult(result, deleted, done + len(batch))

    async def _claim_position(self, transaction: Transaction, done: int) -> bool:
        """Lock the row of this file; return whether its position is still `done`."""
        await transaction.execute(
            "INSERT INTO paper_imports (digest, name, items) VALUES (?, ?, 0) ON CONFLICT (digest) DO NOTHING",
            (self.digest, self.path.name),
        )
        sql = "UPDATE paper_imports SET items = items WHERE digest = ? AND items = ?"
        return await transaction.execute(sql, (self.digest, done)) == 1

    async def _finish(self, done: int) -> None:
        async with self.store.database.transaction() as transaction:
            await self._claim_position(transaction, done)
            await transaction.execute(
                "UPDATE paper_imports SET finished_at = ? WHERE digest = ? AND items = ?",
                (format_timestamp(self.now), self.digest, done),
            )


def _take_batch(items: Iterator[FileItem]) -> list[FileItem]:
    return list(islice(items, BATCH_ITEMS))


async def _read_progress(store: PaperStore, digest: str) -> tuple[int, bool]:
    """Return how many items of the file are stored, and whether the file is finished."""
    sql = "SELECT items, finished_at FROM paper_imports WHERE digest = ?"
    rows = await store.database.fetch(sql, (digest,), touches=1)
    return (int(str(rows[0][0])), rows[0][1] is not None) if rows else (0, False)
