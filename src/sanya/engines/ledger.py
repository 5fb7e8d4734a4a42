"""The ledger's table: rows are chained inside the transaction that inserts them, so that processes share one chain."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from sanya.engines.revisions import read_revisions
from sanya.kernel.database import Database, Row, Transaction, Value
from sanya.kernel.ledger import GENESIS, Answer, Entry, Link, entry_values, link_hash

_COLUMNS = (
    "chain, seq, id, at, tool, suite, effect, surface, caller, request_id, trace_id, in_hash, out_hash, latency_ms, "
    "status, fault, error_id, input, redacted, contract_hash, code_hash, data_revision, prev_hash, row_hash"
)
_INSERT = f"INSERT INTO ledger ({_COLUMNS}) VALUES ({', '.join('?' * 24)})"  # noqa: S608 - constants only
_SELECT = f"SELECT {_COLUMNS} FROM ledger"  # noqa: S608 - constants only
_PAGE_ROWS = 500


PAGE_FILTERS = ("tool", "suite", "caller", "surface", "status", "fault", "request_id")


class SqlLedgerStore:
    def __init__(self, database: Database, *, code_hash: Callable[[], str], chain: str = "main") -> None:
        self._database = database
        self._code_hash = code_hash
        self._chain = chain

    async def append(self, entries: Sequence[Entry], answers: Sequence[Answer]) -> None:
        async with self._database.transaction() as transaction:
            seq, prev_hash = await self._take_head(transaction, len(entries))
            revisions = await read_revisions(transaction)
            rows, row_hash = self._chained(entries, seq, prev_hash, revisions)
            await transaction.execute_many(_INSERT, rows)
            await transaction.execute("UPDATE ledger_heads SET row_hash = ? WHERE chain = ?", (row_hash, self._chain))
            if answers:
                await _keep_answers(transaction, answers, now=entries[-1].at)

    async def _take_head(self, transaction: Transaction, count: int) -> tuple[int, str]:
        """Moves the head on by `count` and returns where it was. The update locks the row until the end of the
        transaction: appenders on PostgreSQL queue here."""
        await transaction.execute(
            "INSERT INTO ledger_heads (chain, seq, row_hash) VALUES (?, 0, ?) ON CONFLICT (chain) DO NOTHING",
            (self._chain, GENESIS),
        )
        rows = await transaction.fetch(
            "UPDATE ledger_heads SET seq = seq + ? WHERE chain = ? RETURNING seq, row_hash", (count, self._chain)
        )
        return _integer(rows[0][0]) - count, str(rows[0][1])

    def _chained(
        self, entries: Sequence[Entry], seq: int, prev_hash: str, revisions: dict[str, int]
    ) -> tuple[list[Row], str]:
        rows: list[Row] = []
        code_hash = self._code_hash()
        for entry in entries:
            seq += 1
            revision = revisions.get(entry.suite, 0)
            row_hash = link_hash(prev_hash, seq, entry, code_hash, revision)
            rows.append((self._chain, seq, *entry_values(entry), code_hash, revision, prev_hash, row_hash))
            prev_hash = row_hash
        return rows, prev_hash

    async def answer(self, caller: str, request_id: str) -> Answer | None:
        rows = await self._database.fetch(
            "SELECT entry_id, caller, request_id, fingerprint, outcome, expires_at FROM answers "
            "WHERE caller = ? AND request_id = ?",
            (caller, request_id),
            touches=1,
        )
        return Answer(*map(str, rows[0])) if rows else None

    async def head(self, chain: str) -> tuple[int, str]:
        rows = await self._database.fetch("SELECT seq, row_hash FROM ledger_heads WHERE chain = ?", (chain,), touches=1)
        return (_integer(rows[0][0]), str(rows[0][1])) if rows else (0, GENESIS)

    async def links(self, chain: str, *, after: int = 0) -> AsyncIterator[Link]:
        sql = f"{_SELECT} WHERE chain = ? AND seq > ? ORDER BY seq LIMIT {_PAGE_ROWS}"
        while rows := await self._database.fetch(sql, (chain, after)):
            for row in rows:
                yield _link(row)
            after = _integer(rows[-1][1])

    async def find(self, id_or_seq: str | int) -> Link | None:
        """The row with this call id, or with this place in the chain."""
        text = str(id_or_seq)
        if text.isascii() and text.isdigit():
            place = (self._chain, int(text))
            rows = await self._database.fetch(f"{_SELECT} WHERE chain = ? AND seq = ?", place, touches=1)
        else:
            rows = await self._database.fetch(f"{_SELECT} WHERE id = ?", (text,), touches=1)
        return _link(rows[0]) if rows else None

    async def page(self, limit: int, before_seq: int | None = None, **wanted: str) -> list[Link]:
        """The newest rows first, those before `before_seq` when it is given. `wanted` narrows them by the columns of
        `PAGE_FILTERS`."""
        conditions, params = ["chain = ?"], [self._chain, *wanted.values()]
        for column in wanted:
            if column not in PAGE_FILTERS:
                raise ValueError(f"no filter {column!r}; there are {', '.join(PAGE_FILTERS)}")
            conditions.append(f"{column} = ?")
        values: list[Value] = [*params]
        if before_seq is not None:
            conditions.append("seq < ?")
            values.append(before_seq)
        sql = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY seq DESC LIMIT ?"
        rows = await self._database.fetch(sql, (*values, limit), touches=None if wanted else limit)
        return [_link(row) for row in rows]


async def _keep_answers(transaction: Transaction, answers: Sequence[Answer], *, now: str) -> None:
    await transaction.execute("DELETE FROM answers WHERE expires_at <= ?", (now,))
    await transaction.execute_many(
        "INSERT INTO answers (entry_id, caller, request_id, fingerprint, outcome, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (caller, request_id) DO UPDATE SET entry_id = excluded.entry_id, "
        "fingerprint = excluded.fingerprint, outcome = excluded.outcome, expires_at = excluded.expires_at",
        [(one.entry_id, one.caller, one.request_id, one.fingerprint, one.outcome, one.expires_at) for one in answers],
    )


def _link(row: Row) -> Link:
    values: list[Any] = list(row)
    values[18] = values[18] == 1
    return Link(values[0], values[1], Entry(*values[2:20]), *values[20:])


def _integer(value: Value) -> int:
    assert isinstance(value, int)
    return value
