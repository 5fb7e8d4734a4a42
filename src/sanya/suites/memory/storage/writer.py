"""Writing memories: one transaction, one revision, and a log of every row as it was and as it is, for undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sanya.kernel.database import Transaction, Value
from sanya.kernel.revisions import advance_revision
from sanya.kernel.sql import build_insert
from sanya.suites.memory.storage.records import (
    RECORDS,
    AnyRecord,
    Memory,
    Name,
    Node,
    Provenance,
    Record,
    Source,
    columns_of,
    fold_name,
    record_of,
    row_of,
)

KINDS: Mapping[str, type[Record]] = {kind.table: kind for kind in RECORDS}
RowImage = dict[str, Value]
# Another value in one of these changes how a memory is found.
_SEARCHED = ("content", "letter", "digit", "retired_at")


@dataclass(frozen=True, slots=True)
class Change:
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
        self.changes: list[Change] = []
        self.touched: dict[str, Memory] = {}
        self._next_arrival = first_arrival

    def next_arrival(self) -> int:
        """One of the numbers that were asked for when the writing began."""
        self._next_arrival += 1
        return self._next_arrival

    async def add(self, records: Sequence[AnyRecord]) -> None:
        """Stores new records of one kind, in one trip. A source that is there already is left as it is."""
        if not records:
            return
        stamped = [self._stamped(record) for record in records]
        rows = [row_of(record) for record in stamped]
        known = " ON CONFLICT DO NOTHING" if isinstance(records[0], Source | Provenance) else ""
        await self.transaction.execute_many(
            _build_insert(type(records[0])) + known, [tuple(row.values()) for row in rows]
        )
        for record, row in zip(stamped, rows, strict=True):
            self._note(record, None, row)

    async def put(self, *records: Record) -> None:
        """Stores each record, or replaces the one with its key; one that is there unchanged is left alone."""
        for record in records:
            before = await self._image(record)
            after = row_of(record)
            if before is None or _differ(before, after):
                await self._store(self._stamped(record), before)

    async def put_node(self, node: Node) -> None:
        """Stores a node and the names it is found by."""
        await self.put(node)
        for folded in {fold_name(name) for name in (node.name, *node.aliases)}:
            await self.put(Name(node.namespace, folded, node.id))

    async def known(self, record: Record) -> RowImage | None:
        """The row with its key, where there is one."""
        return await self._image(record)

    async def remove(self, record: Record) -> None:
        before = await self._image(record)
        if before is not None:
            await self._delete(type(record), before)
            self.changes.append(Change(record.table, before, None))

    async def restore(self, change: Change) -> None:
        """Undoes one change. The caller has made sure that the row is as the change left it."""
        kind = KINDS[change.table]
        if change.before is None:
            await self._delete(kind, _given(change.after))
            self.changes.append(Change(change.table, change.after, None))
        else:
            record = record_of_image(kind, change.before)
            await self._store(self._stamped(record), change.after)

    async def image(self, table: str, row: RowImage) -> RowImage | None:
        """The row with the same key as it is now."""
        return await self._image(record_of_image(KINDS[table], row))

    def _stamped(self, record: Record) -> Record:
        return replace(record, revision=self.revision) if isinstance(record, Memory) else record

    async def _image(self, record: Record) -> RowImage | None:
        columns = columns_of(type(record))
        row = row_of(record)
        where = " AND ".join(f"{name} = ?" for name in record.key)
        found = await self.transaction.fetch(
            f"SELECT {', '.join(columns)} FROM {record.table} WHERE {where}",  # noqa: S608 - names of our own
            [row[name] for name in record.key],
        )
        return dict(zip(columns, found[0], strict=True)) if found else None

    async def _store(self, record: Record, before: RowImage | None) -> None:
        after = row_of(record)
        if before is None:
            await self.transaction.execute(_build_insert(type(record)), list(after.values()))
        else:
            sets = ", ".join(f"{name} = ?" for name in after)
            where = " AND ".join(f"{name} = ?" for name in record.key)
            sql = f"UPDATE {record.table} SET {sets} WHERE {where}"  # noqa: S608
            await self.transaction.execute(sql, [*after.values(), *(after[name] for name in record.key)])
        self._note(record, before, after)

    def _note(self, record: Record, before: RowImage | None, after: RowImage) -> None:
        self.changes.append(Change(record.table, before, after))
        if isinstance(record, Memory) and (before is None or any(before[name] != after[name] for name in _SEARCHED)):
            self.touched[record.id] = record

    async def _delete(self, kind: type[Record], row: RowImage) -> None:
        where = " AND ".join(f"{name} = ?" for name in kind.key)
        sql = f"DELETE FROM {kind.table} WHERE {where}"  # noqa: S608
        await self.transaction.execute(sql, [row[name] for name in kind.key])
        if kind is Memory:
            gone = record_of_image(Memory, row)
            self.touched[gone.id] = replace(gone, retired_at=gone.retired_at or gone.created_at)


def record_of_image(kind: type[AnyRecord], image: RowImage) -> AnyRecord:
    return record_of(kind, tuple(image[name] for name in columns_of(kind)))


def _build_insert(kind: type[AnyRecord]) -> str:
    return build_insert(kind.table, columns_of(kind))


def _differ(before: RowImage, after: RowImage) -> bool:
    return any(before[name] != after[name] for name in after if name != "revision")


def same_row(one: RowImage | None, other: RowImage | None) -> bool:
    """Whether two images are of the same state. When a row was written and read says nothing about that."""
    if one is None or other is None:
        return one is other
    return all(one[name] == other[name] for name in other if name not in ("revision", "consolidated_at"))


def _given(image: RowImage | None) -> RowImage:
    assert image is not None, "a change has a row before or after it"
    return image
