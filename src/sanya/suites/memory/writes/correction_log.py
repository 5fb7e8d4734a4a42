"""The log of corrections, and undoing one: every row is restored, unless another change has touched it since."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sanya.suite import InvalidArgument
from sanya.suites.memory.extraction.removal import remove_model_findings
from sanya.suites.memory.secrets import redact_secrets
from sanya.suites.memory.storage.identifiers import make_correction_id
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import (
    RECORD_TYPE_BY_TABLE,
    MemoryWriter,
    RowChange,
    from_row_image,
    is_same_row,
)

if TYPE_CHECKING:
    from sanya.suites.memory.writes.corrections import CorrectionRequest

_INSERT = """
INSERT INTO memory_corrections
    (id, namespace, target_id, action, payload, caller, changes, created_at, undone_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)"""
_FIND_CHANGES = "SELECT changes, undone_at FROM memory_corrections WHERE namespace = ? AND id = ?"


async def find_correction_time(store: MemoryStore, correction: CorrectionRequest) -> str | None:
    """Return when a correction with this key was made, or None."""
    rows = await store.database.fetch(
        "SELECT created_at FROM memory_corrections WHERE namespace = ? AND id = ?",
        (correction.namespace, make_correction_id(correction.key)),
        touches=1,
    )
    return str(rows[0][0]) if rows else None


async def record_correction(writer: MemoryWriter, correction: CorrectionRequest) -> str:
    """Log a correction with all changed rows, and return the handle that undoes it."""
    handle = make_correction_id(correction.key)
    changes = [[change.table, change.before, change.after] for change in writer.changes]
    await writer.transaction.execute(
        _INSERT,
        (
            handle,
            correction.namespace,
            correction.target_id,
            correction.action,
            json.dumps(_redact(correction.payload or {}), ensure_ascii=False),
            correction.caller,
            json.dumps(changes, ensure_ascii=False),
            correction.at,
            writer.revision,
        ),
    )
    return handle


def _redact(value: Any) -> Any:
    """Redact secrets in all texts of a payload."""
    match value:
        case str():
            return redact_secrets(value).text
        case list() | tuple():
            return [_redact(item) for item in value]
        case dict():
            return {name: _redact(item) for name, item in value.items()}
    return value


async def undo_correction(store: MemoryStore, namespace: str, handle: str, at: str) -> dict[str, Any]:
    async with store.write_transaction() as writer:
        changes = await _load_changes(writer, namespace, handle)
        for change in changes:
            row = change.after or change.before or {}
            if not is_same_row(await writer.read_current_row(change.table, row), change.after):
                raise InvalidArgument(
                    f"{handle} cannot be undone: {row.get('id', change.table)!s} has changed since. Undo later "
                    "corrections first.",
                    field="payload.undo",
                )
        for change in changes:
            if change.table == Memory.table and change.before is None and change.after is not None:
                await _remove_statements(writer, str(change.after["id"]))
            await writer.restore(change)
            await _remove_outdated_findings(store.make_reader(writer), writer, change)
        await writer.transaction.execute("UPDATE memory_corrections SET undone_at = ? WHERE id = ?", (at, handle))
    return {"undone": handle}


async def _load_changes(writer: MemoryWriter, namespace: str, handle: str) -> Sequence[RowChange]:
    """Return the net change of each row, the last one first."""
    rows = await writer.transaction.fetch(_FIND_CHANGES, (namespace, handle))
    if not rows:
        raise InvalidArgument(
            f"there is no correction {handle[:80]!r}; use a handle from details.undo", field="payload.undo"
        )
    if rows[0][1] is not None:
        raise InvalidArgument(f"{handle} was undone at {rows[0][1]!s} and cannot be undone twice", field="payload.undo")
    by_row: dict[tuple[Any, ...], RowChange] = {}
    for table, before, after in json.loads(str(rows[0][0])):
        key = (table, *((after or before)[name] for name in RECORD_TYPE_BY_TABLE[table].key))
        earlier = by_row.get(key)
        by_row[key] = RowChange(table, earlier.before if earlier else before, after)
    return [by_row[key] for key in reversed(by_row)]


async def _remove_outdated_findings(reader: MemoryReader, writer: MemoryWriter, change: RowChange) -> None:
    """Remove what a model found in text that the memory no longer has."""
    if change.table != Memory.table or change.before is None or change.after is None:
        return
    if change.before["content"] != change.after["content"]:
        memory = from_row_image(Memory, change.before)
        await remove_model_findings(writer, reader, memory, memory.content)


async def _remove_statements(writer: MemoryWriter, memory_id: str) -> None:
    """Remove the edges and contradictions of a memory that the undo deletes."""
    for sql in (
        "DELETE FROM memory_edges WHERE memory_id = ?",
        "DELETE FROM memory_edges WHERE from_id = ?",
        "DELETE FROM memory_edges WHERE to_id = ?",
        "DELETE FROM memory_contradictions WHERE memory_id = ?",
        "DELETE FROM memory_contradictions WHERE other_id = ?",
    ):
        await writer.transaction.execute(sql, (memory_id,))
