"""Rows of the correction log in an export, so that a correction can still be undone where it is imported."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

from sanya.suite import InvalidArgument
from sanya.suite.store import Database, Value, build_insert
from sanya.suites.memory.storage.records import Memory, to_row
from sanya.suites.memory.storage.writer import RECORD_TYPE_BY_TABLE, MemoryWriter, RowImage, from_row_image

CORRECTIONS = "memory_corrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRow:
    """A row of the table, with its columns in their order."""

    id: str
    namespace: str
    target_id: str
    action: str
    payload: str
    caller: str
    changes: str
    """The changed rows before and after, as JSON."""
    created_at: str
    undone_at: str | None
    revision: int


_COLUMNS = tuple(field.name for field in fields(CorrectionRow))
_READ = f"SELECT {', '.join(_COLUMNS)} FROM {CORRECTIONS} WHERE namespace = ? ORDER BY created_at, id"  # noqa: S608
_INSERT = build_insert(CORRECTIONS, _COLUMNS)


async def read_correction_rows(database: Database, namespace: str) -> list[dict[str, Value]]:
    return [dict(zip(_COLUMNS, row, strict=True)) for row in await database.fetch(_READ, (namespace,))]


def parse_correction_row(row: RowImage, namespace: str) -> CorrectionRow:
    """Parse a correction and put all its rows into the namespace. Raise KeyError, TypeError or ValueError."""
    texts: dict[str, Any] = {
        name: _require_text(row[name]) for name in _COLUMNS if name not in ("undone_at", "revision")
    }
    undone_at = row["undone_at"]
    changes = [
        (table, _normalise_image(table, before, namespace), _normalise_image(table, after, namespace))
        for table, before, after in json.loads(texts["changes"])
    ]
    if not isinstance(json.loads(texts["payload"]), dict):
        raise ValueError("the payload is not an object")
    texts |= {"namespace": namespace, "changes": json.dumps(changes, ensure_ascii=False)}
    return CorrectionRow(**texts, undone_at=None if undone_at is None else _require_text(undone_at), revision=0)


def _require_text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _normalise_image(table: str, image: RowImage | None, namespace: str) -> RowImage | None:
    if image is None:
        return None
    owned: RowImage = {**image, "namespace": namespace} if "namespace" in image else dict(image)
    # The record has exactly the columns of the table.
    return to_row(from_row_image(RECORD_TYPE_BY_TABLE[table], owned))


async def insert_correction_row(writer: MemoryWriter, correction: CorrectionRow) -> bool:
    """Insert a correction unless it exists. Return True if it is new."""
    existing = await writer.transaction.fetch(
        f"SELECT namespace FROM {CORRECTIONS} WHERE id = ?",  # noqa: S608 - our own table
        (correction.id,),
    )
    if existing and existing[0][0] != correction.namespace:
        raise InvalidArgument(f"{correction.id} is in the namespace {existing[0][0]!s}; forget it there first")
    if existing:
        return False
    changes = await _renumber_arrivals(writer, correction.changes)
    await writer.transaction.execute(_INSERT, astuple(replace(correction, changes=changes, revision=writer.revision)))
    return True


async def _renumber_arrivals(writer: MemoryWriter, changes: str) -> str:
    """Replace arrival numbers by those of this database. With the old ones, no row would match and no undo work."""
    parsed = json.loads(changes)
    for table, *images in parsed:
        for image in images if table == Memory.table else ():
            current = await writer.read_current_row(table, image) if image else None
            if current is not None:
                image["arrival"] = current["arrival"]
    return json.dumps(parsed, ensure_ascii=False)
