"""Corrections as they were made, and how one is taken back: every row as it was, if nobody has changed it since."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sanya.kernel.faults import InvalidArgument
from sanya.suites.memory.extraction.removal import remove_model_findings
from sanya.suites.memory.secrets import redact_secrets
from sanya.suites.memory.storage.records import RECORD_TYPES, Memory, list_columns
from sanya.suites.memory.storage.store import MemoryReader, MemoryStore, RowReader
from sanya.suites.memory.storage.writer import MemoryWriter, RowChange, from_row_image, is_same_row

if TYPE_CHECKING:
    from sanya.suites.memory.writes.corrections import CorrectionRequest

_ADD = """
INSERT INTO memory_corrections
    (id, namespace, target_id, action, payload, caller, changes, created_at, undone_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)"""
_FIND = "SELECT changes, undone_at FROM memory_corrections WHERE namespace = ? AND id = ?"


def make_handle(key: str) -> str:
    return "cor_" + sha256(key.encode("utf-8")).hexdigest()[:16]


async def find_correction_time(store: MemoryStore, correction: CorrectionRequest) -> str | None:
    """When the correction of this key was made, if it was."""
    rows = await store.database.fetch(
        "SELECT created_at FROM memory_corrections WHERE namespace = ? AND id = ?",
        (correction.namespace, make_handle(correction.key)),
        touches=1,
    )
    return str(rows[0][0]) if rows else None


async def record_correction(writer: MemoryWriter, correction: CorrectionRequest) -> str:
    """Writes the audit row and returns the handle by which the correction is taken back."""
    handle = make_handle(correction.key)
    changes = [[one.table, one.before, one.after] for one in writer.changes]
    await writer.transaction.execute(
        _ADD,
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
    """What a correction says is kept as what a memory says is: without what looks like a secret."""
    match value:
        case str():
            return redact_secrets(value).text
        case list() | tuple():
            return [_redact(one) for one in value]
        case dict():
            return {name: _redact(one) for name, one in value.items()}
    return value


async def undo_correction(store: MemoryStore, namespace: str, handle: str, at: str) -> dict[str, Any]:
    async with store.write_transaction() as writer:
        changes = await _load_changes(writer, namespace, handle)
        for change in changes:
            row = change.after or change.before or {}
            if not is_same_row(await writer.read_current_row(change.table, row), change.after):
                raise InvalidArgument(
                    f"{handle} cannot be undone: {row.get('id', change.table)!s} has changed since; undo later "
                    "corrections first",
                    field="payload.undo",
                )
        for change in changes:
            if change.table == Memory.table and change.before is None and change.after is not None:
                await _remove_statements(writer, str(change.after["id"]))
            await writer.restore(change)
            await _remove_outdated_findings(store.make_reader(writer), writer, change)
        await writer.transaction.execute("UPDATE memory_corrections SET undone_at = ? WHERE id = ?", (at, handle))
    return {"undone": handle}


async def hash_namespace(reading: RowReader, namespace: str) -> str:
    """One hash over all that a namespace holds, whatever the numbers under which it was written."""
    found = sha256()
    for kind in RECORD_TYPES:
        columns = [name for name in list_columns(kind) if name not in ("revision", "arrival")]
        where = "namespace = ?"
        if "namespace" not in columns:
            where = "memory_id IN (SELECT id FROM memories WHERE namespace = ?)"
        sql = f"SELECT {', '.join(columns)} FROM {kind.table} WHERE {where}"  # noqa: S608 - names of our own
        rows = await reading.fetch(sql, (namespace,))
        found.update(json.dumps([kind.table, sorted(rows, key=repr)]).encode())
    return found.hexdigest()


async def _load_changes(writer: MemoryWriter, namespace: str, handle: str) -> Sequence[RowChange]:
    """Row by row what the correction did in all, the last first."""
    rows = await writer.transaction.fetch(_FIND, (namespace, handle))
    if not rows:
        raise InvalidArgument(f"there is no correction {handle[:80]!r}", field="payload.undo")
    if rows[0][1] is not None:
        raise InvalidArgument(f"{handle} was undone at {rows[0][1]!s}", field="payload.undo")
    by_row: dict[tuple[Any, ...], RowChange] = {}
    for table, before, after in json.loads(str(rows[0][0])):
        kind = next(one for one in RECORD_TYPES if one.table == table)
        key = (table, *((after or before)[name] for name in kind.key))
        known = by_row.get(key)
        by_row[key] = RowChange(table, known.before if known else before, after)
    return [by_row[key] for key in reversed(by_row)]


async def _remove_outdated_findings(reader: MemoryReader, writer: MemoryWriter, change: RowChange) -> None:
    """Of a memory that has its former words again, what a model found in the later ones."""
    if change.table != Memory.table or change.before is None or change.after is None:
        return
    if change.before["content"] != change.after["content"]:
        memory = from_row_image(Memory, change.before)
        await remove_model_findings(writer, reader, memory, memory.content)


async def _remove_statements(writer: MemoryWriter, memory_id: str) -> None:
    """A memory that goes takes along what was read out of it since."""
    for sql in (
        "DELETE FROM memory_edges WHERE memory_id = ?",
        "DELETE FROM memory_edges WHERE from_id = ?",
        "DELETE FROM memory_edges WHERE to_id = ?",
        "DELETE FROM memory_contradictions WHERE memory_id = ?",
        "DELETE FROM memory_contradictions WHERE other_id = ?",
    ):
        await writer.transaction.execute(sql, (memory_id,))
