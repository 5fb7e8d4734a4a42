"""The writer: one transaction, one revision, and a log of every changed row before and after, for undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sanya.suite.store import Transaction, Value, advance_revision, build_insert
from sanya.suites.memory.storage.records import (
    RECORD_TYPES,
    AnyRecord,
    Memory,
    MemoryRecord,
    MemorySource,
    Provenance,
    from_row,
    list_columns,
    to_row,
)

RECORD_TYPE_BY_TABLE: Mapping[str, type[MemoryRecord]] = {kind.table: kind for kind in RECORD_TYPES}
RowImage = dict[str, Value]
# A change of one of these columns changes how a memory is found.
_INDEXED_COLUMNS = ("content", "letter", "digit", "retired_at")


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row before and after a change. None means that the row did not exist, or no longer exists."""

    table: str
    before: RowImage | None
    after: RowImage | None


async def begin_writing(transaction: Transaction, arrivals: int = 0) -> MemoryWriter:
    """Take a revision, which makes writers wait for each other, and an arrival number for each new memory."""
    revision = await advance_revision(transaction, "memory", 1 + arrivals)
    return MemoryWriter(transaction, revision, revision - arrivals)


class MemoryWriter:
    """Writes records. `changes` logs what was done; `to_reindex` are the memories that the search index must update."""

    def __init__(self, transaction: Transaction, revision: int, first_arrival: int) -> None:
        self.transaction = transaction
        self.revision = revision
        self.changes: list[RowChange] = []
        self.to_reindex: dict[str, Memory] = {}
        self._next_arrival = first_arrival

    def take_arrival(self) -> int:
        """Return the next of the arrival numbers that were reserved when the transaction began."""
        self._next_arrival += 1
        return self._next_arrival

    async def add(self, records: Sequence[AnyRecord]) -> None:
        """Insert new records of one kind in one statement. A source that exists stays as it is."""
        if not records:
            return
        stamped = [self._set_revision(record) for record in records]
        rows = [to_row(record) for record in stamped]
        known = " ON CONFLICT DO NOTHING" if isinstance(records[0], MemorySource | Provenance) else ""
        await self.transaction.execute_many(
            _build_insert(type(records[0])) + known, [tuple(row.values()) for row in rows]
        )
        for record, row in zip(stamped, rows, strict=True):
            self._log_change(record, None, row)

    async def put(self, *records: MemoryRecord) -> None:
        """Insert or replace each record by its key. One that has not changed is not written."""
        for record in records:
            before = await self.read_row(record)
            after = to_row(record)
            if before is None or _has_changed(before, after):
                await self._store(self._set_revision(record), before)

    async def remove(self, record: MemoryRecord) -> None:
        before = await self.read_row(record)
        if before is not None:
            await self._delete(type(record), before)
            self.changes.append(RowChange(record.table, before, None))

    async def restore(self, change: RowChange) -> None:
        """Undo one change. The caller has checked that the row is still as the change left it."""
        kind = RECORD_TYPE_BY_TABLE[change.table]
        if change.before is None:
            await self._delete(kind, _require_row(change.after))
            self.changes.append(RowChange(change.table, change.after, None))
        else:
            record = from_row_image(kind, change.before)
            await self._store(self._set_revision(record), change.after)

    async def read_current_row(self, table: str, row: RowImage) -> RowImage | None:
        """Return the stored row with the key of an older image of it, or None."""
        return await self.read_row(from_row_image(RECORD_TYPE_BY_TABLE[table], row))

    def _set_revision(self, record: MemoryRecord) -> MemoryRecord:
        return replace(record, revision=self.revision) if isinstance(record, Memory) else record

    async def read_row(self, record: MemoryRecord) -> RowImage | None:
        """Return the stored row with the key of the record, or None."""
        columns = list_columns(type(record))
        row = to_row(record)
        where = " AND ".join(f"{name} = ?" for name in record.key)
        rows = await self.transaction.fetch(
            f"SELECT {', '.join(columns)} FROM {record.table} WHERE {where}",  # noqa: S608 - names of our own
            [row[name] for name in record.key],
        )
        return dict(zip(columns, rows[0], strict=True)) if rows else None

    async def _store(self, record: MemoryRecord, before: RowImage | None) -> None:
        after = to_row(record)
        if before is None:
            await self.transaction.execute(_build_insert(type(record)), list(after.values()))
        else:
            sets = ", ".join(f"{name} = ?" for name in after)
            where = " AND ".join(f"{name} = ?" for name in record.key)
            sql = f"UPDATE {record.table} SET {sets} WHERE {where}"  # noqa: S608
            await self.transaction.execute(sql, [*after.values(), *(after[name] for name in record.key)])
        self._log_change(record, before, after)

    def _log_change(self, record: MemoryRecord, before: RowImage | None, after: RowImage) -> None:
        self.changes.append(RowChange(record.table, before, after))
        if isinstance(record, Memory) and (
            before is None or any(before[name] != after[name] for name in _INDEXED_COLUMNS)
        ):
            self.to_reindex[record.id] = record

    async def _delete(self, kind: type[MemoryRecord], row: RowImage) -> None:
        where = " AND ".join(f"{name} = ?" for name in kind.key)
        sql = f"DELETE FROM {kind.table} WHERE {where}"  # noqa: S608
        await self.transaction.execute(sql, [row[name] for name in kind.key])
        if kind is Memory:
            # The index removes a memory that is retired, and so it does with one that is deleted.
            deleted = from_row_image(Memory, row)
            self.to_reindex[deleted.id] = replace(deleted, retired_at=deleted.retired_at or deleted.created_at)


def from_row_image(kind: type[AnyRecord], image: RowImage) -> AnyRecord:
    return from_row(kind, tuple(image[name] for name in list_columns(kind)))


def _build_insert(kind: type[AnyRecord]) -> str:
    return build_insert(kind.table, list_columns(kind))


def _has_changed(before: RowImage, after: RowImage) -> bool:
    return any(before[name] != after[name] for name in after if name != "revision")


def is_same_row(image: RowImage | None, other: RowImage | None) -> bool:
    """Compare two images of a row, apart from the columns that say when it was written and consolidated."""
    if image is None or other is None:
        return image is other
    return all(image[name] == other[name] for name in other if name not in ("revision", "consolidated_at"))


def _require_row(image: RowImage | None) -> RowImage:
    assert image is not None, "a change has a row before or after it"
    return image
