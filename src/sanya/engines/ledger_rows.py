"""Rows of the ledger: chaining entries into rows, and reading rows back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sanya.kernel.ledger.chain import LedgerEntry, LedgerLink, hash_link
from sanya.kernel.storage.database import Row, Statement, Value
from sanya.kernel.storage.sql import format_placeholders

COLUMNS = (
    "chain, seq, id, at, tool, suite, effect, surface, caller, request_id, trace_id, in_hash, out_hash, latency_ms, "
    "status, fault, error_id, input, redacted, contract_hash, scopes, asked_by, code_hash, data_revision, prev_hash, "
    "row_hash"
)
_COLUMN_COUNT = COLUMNS.count(",") + 1
_REDACTED = COLUMNS.split(", ").index("redacted")
_FIRST_OF_ENTRY = 2
_AFTER_ENTRY = _FIRST_OF_ENTRY + len(LedgerEntry._fields)

# Rows are inserted in pieces of these sizes, one statement each. A statement releases the interpreter's lock and waits
# to get it back, so under load a statement for each row would starve.
_PIECE_SIZES = (64, 16, 4, 1)
_ROW = f"({format_placeholders(range(_COLUMN_COUNT))})"
_INSERTS = {size: f"INSERT INTO ledger ({COLUMNS}) VALUES {', '.join([_ROW] * size)}" for size in _PIECE_SIZES}  # noqa: S608
_MOVE_HEAD = "UPDATE ledger_heads SET row_hash = ? WHERE chain = ?"


class ChainWriter:
    """Continues a chain from its head, within one transaction."""

    def __init__(self, chain: str, head: tuple[int, str], code_hash: str, revisions: Mapping[str, int]) -> None:
        self._chain = chain
        self._seq, self._row_hash = head
        self._code_hash = code_hash
        self._revisions = revisions

    def build_statements(self, entries: Sequence[LedgerEntry]) -> list[Statement]:
        """Build statements that insert the entries and move the head to the last of them."""
        inserts: list[Statement] = [
            (_INSERTS[len(piece)], self._build_values(piece)) for piece in split_pieces(entries)
        ]
        return [*inserts, (_MOVE_HEAD, (self._row_hash, self._chain))]

    def _build_values(self, entries: Sequence[LedgerEntry]) -> list[Value]:
        values: list[Value] = []
        for original in entries:
            entry = _make_storable(original)
            revision, prev_hash = self._revisions.get(entry.suite, 0), self._row_hash
            self._seq += 1
            self._row_hash = hash_link(prev_hash, self._seq, entry, self._code_hash, revision)
            values += (self._chain, self._seq)
            values += entry
            values[_REDACTED - _AFTER_ENTRY] = int(entry.redacted)  # the driver is slow with a bool
            values += (self._code_hash, revision, prev_hash, self._row_hash)
        return values


def split_pieces(entries: Sequence[LedgerEntry]) -> Iterator[Sequence[LedgerEntry]]:
    start = 0
    for size in _PIECE_SIZES:
        while len(entries) - start >= size:
            yield entries[start : start + size]
            start += size


def read_link(row: Row) -> LedgerLink:
    values: list[Any] = list(row)
    values[_REDACTED] = values[_REDACTED] == 1
    return LedgerLink(
        values[0], values[1], LedgerEntry(*values[_FIRST_OF_ENTRY:_AFTER_ENTRY]), *values[_AFTER_ENTRY:_COLUMN_COUNT]
    )


def _make_storable(entry: LedgerEntry) -> LedgerEntry:
    """Replace characters that a database cannot store (U+0000, lone surrogates) in texts from outside. One such text
    would otherwise block every row behind it."""
    outside = (entry.caller, entry.request_id, entry.trace_id, entry.scopes, entry.asked_by)
    if all(text is None or text.isprintable() for text in outside):
        return entry
    caller, request_id, trace_id, scopes, asked_by = map(_replace_unprintable, outside)
    return entry._replace(
        caller=str(caller), request_id=str(request_id), trace_id=trace_id, scopes=scopes, asked_by=asked_by
    )


def _replace_unprintable(text: str | None) -> str | None:
    if text is None:
        return None
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
