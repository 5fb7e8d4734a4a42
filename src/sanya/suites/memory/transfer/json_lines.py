"""A namespace as lines of JSON and back, without loss: every row of every table, in the order of arrival."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument
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
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ImportCounts:
    created: int
    known: int
    """Rows that were there already and were left as they are."""


async def export_lines(store: MemoryStore, namespace: str) -> AsyncIterator[str]:
    """The first line says what the file is; then one row a line, its table beside it."""
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
    for made in await read_correction_rows(store.database, namespace):
        yield _format_line({"table": CORRECTIONS, "row": made})


async def import_lines(
    store: MemoryStore, namespace: str, lines: Iterable[str], progress: ProgressSink = ignore_progress
) -> ImportCounts:
    """Brings in what is not there yet. Each part lands whole, so that a broken import can be begun again."""
    records = _parse_records(lines, namespace)
    created = known = 0
    while some := list(islice(records, _AT_ONCE)):
        async with store.write_transaction(arrivals=sum(isinstance(one, Memory) for one in some)) as writer:
            for record in some:
                was_new = await (
                    _insert_record(writer, record)
                    if isinstance(record, MemoryRecord)
                    else insert_correction_row(writer, record)
                )
                created += was_new
                known += not was_new
        progress(Progress(created + known, None, "rows"))
    return ImportCounts(created, known)


async def _insert_record(writer: MemoryWriter, record: MemoryRecord) -> bool:
    number = writer.take_arrival() if isinstance(record, Memory) else 0
    known = await writer.read_row(record)
    if known is not None:
        if known.get("namespace", to_row(record).get("namespace")) != to_row(record).get("namespace"):
            raise InvalidArgument(
                f"{known.get('id')!s} is in the memory of {known['namespace']!s}; forget it there first"
            )
        return False
    if isinstance(record, Memory):
        await writer.put(replace(record, arrival=number))
    else:
        await writer.put(record)
    return True


def _parse_records(lines: Iterable[str], namespace: str) -> Iterator[MemoryRecord | CorrectionRow]:
    numbered = enumerate(lines, 1)
    _, first = next(numbered, (0, ""))
    header = _parse_line(first, 1)
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise InvalidArgument(f"line 1 is not the head of a {FORMAT} file of version {VERSION}")
    for number, line in numbered:
        if not line.strip():
            continue
        read = _parse_line(line, number)
        try:
            row: RowImage = dict(read["row"])
            if read["table"] == CORRECTIONS:
                yield parse_correction_row(row, namespace)
                continue
            kind = RECORD_TYPE_BY_TABLE[read["table"]]
            if "namespace" in row:
                row["namespace"] = namespace
            yield from_row_image(kind, row)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidArgument(f"line {number} holds no row of memory: {error!r}") from None


def _parse_line(line: str, number: int) -> dict[str, Any]:
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise InvalidArgument(f"line {number} is not a JSON object")
    return read


def _format_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_own_format(first_line: str) -> bool:
    return f'"{FORMAT}"' in first_line[:200]
