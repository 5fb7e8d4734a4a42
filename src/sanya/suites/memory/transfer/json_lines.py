"""A namespace as lines of JSON and back, without loss: every row of every table, in the order of arrival."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument
from sanya.suites.memory.storage.records import RECORDS, Memory, Record, columns_of, row_of
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import KINDS, MemoryWriter, RowImage, record_of_image
from sanya.suites.memory.transfer.correction_rows import CORRECTIONS, Made, bring_made, corrections_made, made_of

FORMAT = "sanya-memory"
VERSION = 1
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Imported:
    created: int
    known: int
    """Rows that were there already and were left as they are."""


async def export_lines(store: MemoryStore, namespace: str) -> AsyncIterator[str]:
    """The first line says what the file is; then one row a line, its table beside it."""
    yield _line({"format": FORMAT, "version": VERSION, "namespace": namespace})
    for kind in RECORDS:
        columns = columns_of(kind)
        where = "namespace = ?"
        if "namespace" not in columns:
            where = "memory_id IN (SELECT id FROM memories WHERE namespace = ?)"
        order = "arrival" if kind is Memory else ", ".join(kind.key)
        sql = f"SELECT {', '.join(columns)} FROM {kind.table} WHERE {where} ORDER BY {order}"  # noqa: S608 - our names
        for row in await store.database.fetch(sql, (namespace,)):
            yield _line({"table": kind.table, "row": dict(zip(columns, row, strict=True))})
    for made in await corrections_made(store.database, namespace):
        yield _line({"table": CORRECTIONS, "row": made})


async def import_lines(
    store: MemoryStore, namespace: str, lines: Iterable[str], progress: ProgressSink = ignore_progress
) -> Imported:
    """Brings in what is not there yet. Each part lands whole, so that a broken import can be begun again."""
    records = _records(lines, namespace)
    created = known = 0
    while some := list(islice(records, _AT_ONCE)):
        async with store.writing(arrivals=sum(isinstance(one, Memory) for one in some)) as writer:
            for record in some:
                was_new = await (_bring(writer, record) if isinstance(record, Record) else bring_made(writer, record))
                created += was_new
                known += not was_new
        progress(Progress(created + known, None, "rows"))
    return Imported(created, known)


async def _bring(writer: MemoryWriter, record: Record) -> bool:
    number = writer.next_arrival() if isinstance(record, Memory) else 0
    known = await writer.known(record)
    if known is not None:
        if known.get("namespace", row_of(record).get("namespace")) != row_of(record).get("namespace"):
            raise InvalidArgument(
                f"{known.get('id')!s} is in the memory of {known['namespace']!s}; forget it there first"
            )
        return False
    if isinstance(record, Memory):
        await writer.put(replace(record, arrival=number))
    else:
        await writer.put(record)
    return True


def _records(lines: Iterable[str], namespace: str) -> Iterator[Record | Made]:
    numbered = enumerate(lines, 1)
    _, first = next(numbered, (0, ""))
    header = _read(first, 1)
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise InvalidArgument(f"line 1 is not the head of a {FORMAT} file of version {VERSION}")
    for number, line in numbered:
        if not line.strip():
            continue
        read = _read(line, number)
        try:
            row: RowImage = dict(read["row"])
            if read["table"] == CORRECTIONS:
                yield made_of(row, namespace)
                continue
            kind = KINDS[read["table"]]
            if "namespace" in row:
                row["namespace"] = namespace
            yield record_of_image(kind, row)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidArgument(f"line {number} holds no row of memory: {error!r}") from None


def _read(line: str, number: int) -> dict[str, Any]:
    try:
        read = json.loads(line)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise InvalidArgument(f"line {number} is not a JSON object")
    return read


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_own_format(first_line: str) -> bool:
    return f'"{FORMAT}"' in first_line[:200]
