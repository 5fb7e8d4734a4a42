"""Corrections that were made, as an export carries them: what was corrected elsewhere can still be undone here."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

from sanya.kernel.database import Database, Value
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.sql import build_insert
from sanya.suites.memory.storage.records import Memory, to_row
from sanya.suites.memory.storage.writer import RECORD_TYPE_BY_TABLE, MemoryWriter, RowImage, from_row_image

CORRECTIONS = "memory_corrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRow:
    """A row of the table, its columns in their order."""

    id: str
    namespace: str
    target_id: str
    action: str
    payload: str
    caller: str
    changes: str
    """Rows before and after, as JSON."""
    created_at: str
    undone_at: str | None
    revision: int


_COLUMNS = tuple(one.name for one in fields(CorrectionRow))
_READ = f"SELECT {', '.join(_COLUMNS)} FROM {CORRECTIONS} WHERE namespace = ? ORDER BY created_at, id"  # noqa: S608
_ADD = build_insert(CORRECTIONS, _COLUMNS)


async def read_correction_rows(database: Database, namespace: str) -> list[dict[str, Value]]:
    return [dict(zip(_COLUMNS, row, strict=True)) for row in await database.fetch(_READ, (namespace,))]


def parse_correction_row(row: RowImage, namespace: str) -> CorrectionRow:
    """Raises KeyError, TypeError or ValueError for what is no correction. All its rows are of the namespace."""
    texts: dict[str, Any] = {
        name: _require_text(row[name]) for name in _COLUMNS if name not in ("undone_at", "revision")
    }
    undone_at = row["undone_at"]
    changes = [
        (table, _normalise_image(table, before, namespace), _normalise_image(table, after, namespace))
        for table, before, after in json.loads(texts["changes"])
    ]
    if not isinstance(json.loads(texts["payload"]), dict):
        raise ValueError("the payload is no object")
    texts |= {"namespace": namespace, "changes": json.dumps(changes, ensure_ascii=False)}
    return CorrectionRow(**texts, undone_at=None if undone_at is None else _require_text(undone_at), revision=0)


def _require_text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _normalise_image(table: str, image: RowImage | None, namespace: str) -> RowImage | None:
    if image is None:
        return None
    owned: RowImage = {**image, "namespace": namespace} if "namespace" in image else dict(image)
    # Through the record, which has every column and no other.
    return to_row(from_row_image(RECORD_TYPE_BY_TABLE[table], owned))


async def insert_correction_row(writer: MemoryWriter, made: CorrectionRow) -> bool:
    """Stores it, unless it is there; says whether it did."""
    known = await writer.transaction.fetch(f"SELECT namespace FROM {CORRECTIONS} WHERE id = ?", (made.id,))  # noqa: S608
    if known and known[0][0] != made.namespace:
        raise InvalidArgument(f"{made.id} is in the memory of {known[0][0]!s}; forget it there first")
    if known:
        return False
    brought = replace(made, changes=await _renumber_arrivals(writer, made.changes), revision=writer.revision)
    await writer.transaction.execute(_ADD, astuple(brought))
    return True


async def _renumber_arrivals(writer: MemoryWriter, changes: str) -> str:
    """With the numbers of arrival that the memories have here, or none of these rows would be as the correction left
    them."""
    read = json.loads(changes)
    for table, *images in read:
        for image in images if table == Memory.table else ():
            here = await writer.read_current_row(table, image) if image else None
            if here is not None:
                image["arrival"] = here["arrival"]
    return json.dumps(read, ensure_ascii=False)
