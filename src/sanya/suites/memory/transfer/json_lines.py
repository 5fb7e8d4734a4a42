"""Export and import of a namespace as lines of JSON, without loss: every row of every table, memories by arrival."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sanya.suite import InvalidArgument, Progress, ProgressSink, ignore_progress
from sanya.suites.memory.storage.records import RECORD_TYPES, Memory, MemoryRecord, list_columns, to_row
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import RECORD_TYPE_BY_TABLE, MemoryWriter, RowImage, from_row_image
from sanya.suites.memory.transfer.correction_rows import (
    CORRECTIONS,
    CorrectionRow,
    insert_correction_row,
    parse_correction_row,
    read_correction_rows,
)

FORMAT = "sanya-memory"
VERSION = 1
_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class ImportCounts:
    created: int
    known: int
    """Rows that existed and stayed as they were."""


async def export_lines(store: MemoryStore, namespace: str) -> AsyncIterator[str]:
    """Yield a header line, then one line for each row with the name of its table."""
    yield _format_line({"format": FORMAT, "version": VERSION, "namespace": namespace})
    for kind in RECORD_TYPES:
        columns = list_columns(kind)
        where = "namespace = ?"
        if "namespace" not in columns:
            where = "memory_id IN (SELECT id FROM memories WHERE namespace = ?)"
        order = "arrival" if kind is Memory else ", ".join(kind.key)
        sql = f"SELECT {', '.join(columns)} FROM {kind.table} WHERE {where} ORDER BY {order}"  # noqa: S608 - our names
        for row in await store.database.fetch(sql, (namespace,)):
            yield _format_line({"table": kind.table, "row": dict(zip(columns, row, strict=True))})
    for correction in await read_correction_rows(store.database, namespace):
        yield _format_line({"table": CORRECTIONS, "row": correction})


async def import_lines(
    store: MemoryStore, namespace: str, lines: Iterable[str], progress: ProgressSink = ignore_progress
) -> ImportCounts:
    """Insert the rows that do not exist yet. Each batch is one transaction, so a failed import can be repeated."""
    records = _parse_records(lines, namespace)
    created = known = 0
    while batch := list(islice(records, _BATCH_SIZE)):
        async with store.write_transaction(arrivals=sum(isinstance(record, Memory) for record in batch)) as writer:
            for record in batch:
                if isinstance(record, MemoryRecord):
                    is_new = await _insert_record(writer, record)
                else:
                    is_new = await insert_correction_row(writer, record)
                created += is_new
                known += not is_new
        progress(Progress(created + known, None, "rows"))
    return ImportCounts(created, known)


async def _insert_record(writer: MemoryWriter, record: MemoryRecord) -> bool:
    """Insert a record unless it exists. Return True if it is new."""
    arrival = writer.take_arrival() if isinstance(record, Memory) else 0
    existing = await writer.read_row(record)
    if existing is not None:
        namespace = to_row(record).get("namespace")
        if existing.get("namespace", namespace) != namespace:
            raise InvalidArgument(
                f"{existing.get('id')!s} is in the namespace {existing['namespace']!s}; forget it there first"
            )
        return False
    await writer.put(replace(record, arrival=arrival) if isinstance(record, Memory) else record)
    return True


def _parse_records(lines: Iterable[str], namespace: str) -> Iterator[MemoryRecord | CorrectionRow]:
    numbered = enumerate(lines, 1)
    _, first = next(numbered, (0, ""))
    header = _parse_line(first, 1)
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise InvalidArgument(f"line 1 is not the header of a {FORMAT} file of version {VERSION}")
    for number, line in numbered:
        if not line.strip():
            continue
        parsed = _parse_line(line, number)
        try:
            row: RowImage = dict(parsed["row"])
            if parsed["table"] == CORRECTIONS:
                yield parse_correction_row(row, namespace)
                continue
            kind = RECORD_TYPE_BY_TABLE[parsed["table"]]
            if "namespace" in row:
                row["namespace"] = namespace
            yield from_row_image(kind, row)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidArgument(f"line {number} is not a row of a memory export: {error!r}") from None


def _parse_line(line: str, number: int) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise InvalidArgument(f"line {number} is not a JSON object")
    return parsed


def _format_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_own_format(first_line: str) -> bool:
    return f'"{FORMAT}"' in first_line[:200]
