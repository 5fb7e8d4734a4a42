"""Writing memories: one transaction, one revision, and a log of every row as it was and as it is, for undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sanya.kernel.database import Transaction, Value
from sanya.kernel.revisions import advance_revision
from sanya.kernel.sql import build_insert
from sanya.suites.memory.storage.records import (
    RECORD_TYPES,
    AnyRecord,
    Memory,
    MemoryNode,
    MemoryRecord,
    MemorySource,
    NodeName,
    Provenance,
    fold_name,
    from_row,
    list_columns,
    to_row,
)

RECORD_TYPE_BY_TABLE: Mapping[str, type[MemoryRecord]] = {kind.table: kind for kind in RECORD_TYPES}
RowImage = dict[str, Value]
# Another value in one of these changes how a memory is found.
_SEARCHED = ("content", "letter", "digit", "retired_at")


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row before and after: None where there was, or is, none."""

    table: str
    before: RowImage | None
    after: RowImage | None


async def begin_writing(transaction: Transaction, arrivals: int = 0) -> MemoryWriter:
    """Takes a revision, which also makes writers queue, and a number for each memory that will arrive."""
    revision = await advance_revision(transaction, "memory", 1 + arrivals)
    return MemoryWriter(transaction, revision, revision - arrivals)


class MemoryWriter:
    """`changes` is what was done so far; `touched` are the memories whose place in the search has to be made anew."""

    def __init__(self, transaction: Transaction, revision: int, first_arrival: int) -> None:
        self.transaction = transaction
        self.revision = revision
        self.changes: list[RowChange] = []
        self.to_reindex: dict[str, Memory] = {}
        self._next_arrival = first_arrival

    def take_arrival(self) -> int:
        """One of the numbers that were asked for when the writing began."""
        self._next_arrival += 1
        return self._next_arrival

    async def add(self, records: Sequence[AnyRecord]) -> None:
        """Stores new records of one kind, in one trip. A source that is there already is left as it is."""
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
        """Stores each record, or replaces the one with its key; one that is there unchanged is left alone."""
        for record in records:
            before = await self._image(record)
            after = to_row(record)
            if before is None or _has_changed(before, after):
                await self._store(self._set_revision(record), before)

    async def put_node(self, node: MemoryNode) -> None:
        """Stores a node and the names it is found by."""
        await self.put(node)
        for folded in {fold_name(name) for name in (node.name, *node.aliases)}:
            await self.put(NodeName(node.namespace, folded, node.id))

    async def read_row(self, record: MemoryRecord) -> RowImage | None:
        """The row with its key, where there is one."""
        return await self._image(record)

    async def remove(self, record: MemoryRecord) -> None:
        before = await self._image(record)
        if before is not None:
            await self._delete(type(record), before)
            self.changes.append(RowChange(record.table, before, None))

    async def restore(self, change: RowChange) -> None:
        """Undoes one change. The caller has made sure that the row is as the change left it."""
        kind = RECORD_TYPE_BY_TABLE[change.table]
        if change.before is None:
            await self._delete(kind, _require_row(change.after))
            self.changes.append(RowChange(change.table, change.after, None))
        else:
            record = from_row_image(kind, change.before)
            await self._store(self._set_revision(record), change.after)

    async def read_current_row(self, table: str, row: RowImage) -> RowImage | None:
        """The row with the same key as it is now."""
        return await self._image(from_row_image(RECORD_TYPE_BY_TABLE[table], row))

    def _set_revision(self, record: MemoryRecord) -> MemoryRecord:
        return replace(record, revision=self.revision) if isinstance(record, Memory) else record

    async def _image(self, record: MemoryRecord) -> RowImage | None:
        columns = list_columns(type(record))
        row = to_row(record)
        where = " AND ".join(f"{name} = ?" for name in record.key)
        found = await self.transaction.fetch(
            f"SELECT {', '.join(columns)} FROM {record.table} WHERE {where}",  # noqa: S608 - names of our own
            [row[name] for name in record.key],
        )
        return dict(zip(columns, found[0], strict=True)) if found else None

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
        if isinstance(record, Memory) and (before is None or any(before[name] != after[name] for name in _SEARCHED)):
            self.to_reindex[record.id] = record

    async def _delete(self, kind: type[MemoryRecord], row: RowImage) -> None:
        where = " AND ".join(f"{name} = ?" for name in kind.key)
        sql = f"DELETE FROM {kind.table} WHERE {where}"  # noqa: S608
        await self.transaction.execute(sql, [row[name] for name in kind.key])
        if kind is Memory:
            gone = from_row_image(Memory, row)
            self.to_reindex[gone.id] = replace(gone, retired_at=gone.retired_at or gone.created_at)


def from_row_image(kind: type[AnyRecord], image: RowImage) -> AnyRecord:
    return from_row(kind, tuple(image[name] for name in list_columns(kind)))


def _build_insert(kind: type[AnyRecord]) -> str:
    return build_insert(kind.table, list_columns(kind))


def _has_changed(before: RowImage, after: RowImage) -> bool:
    return any(before[name] != after[name] for name in after if name != "revision")


def is_same_row(one: RowImage | None, other: RowImage | None) -> bool:
    """Whether two images are of the same state. When a row was written and read says nothing about that."""
    if one is None or other is None:
        return one is other
    return all(one[name] == other[name] for name in other if name not in ("revision", "consolidated_at"))


def _require_row(image: RowImage | None) -> RowImage:
    assert image is not None, "a change has a row before or after it"
    return image
