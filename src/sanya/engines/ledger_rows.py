"""The ledger's rows: how entries are chained into them, and how they are read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sanya.kernel.database import Row, Statement, Value
from sanya.kernel.ledger import Entry, Link, link_hash
from sanya.kernel.sql import format_placeholders

COLUMNS = (
    "chain, seq, id, at, tool, suite, effect, surface, caller, request_id, trace_id, in_hash, out_hash, latency_ms, "
    "status, fault, error_id, input, redacted, contract_hash, code_hash, data_revision, prev_hash, row_hash"
)
_COLUMN_COUNT = COLUMNS.count(",") + 1
_REDACTED = COLUMNS.split(", ").index("redacted")
_FIRST_OF_ENTRY, _AFTER_ENTRY = 2, 20

# Rows go in by pieces of these sizes, one statement each. A statement gives up the interpreter's lock and waits to get
# it back, so that under load one statement for each row would starve.
_PIECES = (64, 16, 4, 1)
_ROW = f"({format_placeholders(range(_COLUMN_COUNT))})"
_INSERTS = {size: f"INSERT INTO ledger ({COLUMNS}) VALUES {', '.join([_ROW] * size)}" for size in _PIECES}  # noqa: S608
_MOVE_HEAD = "UPDATE ledger_heads SET row_hash = ? WHERE chain = ?"


class Chaining:
    """Continues a chain from its head. Knows what is true of all rows of one transaction."""

    def __init__(self, chain: str, head: tuple[int, str], code_hash: str, revisions: Mapping[str, int]) -> None:
        self._chain = chain
        self._seq, self._row_hash = head
        self._code_hash = code_hash
        self._revisions = revisions

    def statements(self, entries: Sequence[Entry]) -> list[Statement]:
        """Inserts the entries and moves the head to the last of them."""
        inserts: list[Statement] = [(_INSERTS[len(piece)], self._values(piece)) for piece in pieces(entries)]
        return [*inserts, (_MOVE_HEAD, (self._row_hash, self._chain))]

    def _values(self, entries: Sequence[Entry]) -> list[Value]:
        values: list[Value] = []
        for given in entries:
            entry = _storable(given)
            revision, prev_hash = self._revisions.get(entry.suite, 0), self._row_hash
            self._seq += 1
            self._row_hash = link_hash(prev_hash, self._seq, entry, self._code_hash, revision)
            values += (self._chain, self._seq)
            values += entry
            values[_REDACTED - _AFTER_ENTRY] = int(entry.redacted)  # a bool would take the driver's slow way
            values += (self._code_hash, revision, prev_hash, self._row_hash)
        return values


def pieces(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    start = 0
    for size in _PIECES:
        while len(entries) - start >= size:
            yield entries[start : start + size]
            start += size


def link_of(row: Row) -> Link:
    values: list[Any] = list(row)
    values[_REDACTED] = values[_REDACTED] == 1
    return Link(values[0], values[1], Entry(*values[_FIRST_OF_ENTRY:_AFTER_ENTRY]), *values[_AFTER_ENTRY:_COLUMN_COUNT])


def _storable(entry: Entry) -> Entry:
    """The entry without what a database cannot hold (U+0000, lone surrogates) in the texts that come from outside.
    One such text would otherwise hold up every row behind it."""
    if entry.caller.isprintable() and entry.request_id.isprintable() and (entry.trace_id or "").isprintable():
        return entry
    trace_id = None if entry.trace_id is None else _printable(entry.trace_id)
    return entry._replace(caller=_printable(entry.caller), request_id=_printable(entry.request_id), trace_id=trace_id)


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else "\ufffd" for one in text)
