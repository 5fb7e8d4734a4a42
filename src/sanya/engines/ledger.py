"""The ledger's table: rows are chained inside the transaction that inserts them, so that processes can share it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime

from sanya.engines.ledger_rows import COLUMNS, Chaining, link_of, pieces
from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.ledger import GENESIS, MAIN_CHAIN, Answer, Entry, Link
from sanya.kernel.revisions import READ_REVISIONS, index_revisions
from sanya.kernel.sql import format_placeholders

PAGE_FILTERS = ("tool", "suite", "caller", "surface", "status", "fault", "request_id")
# From this moment on, and before that one.
TIME_FILTERS = {"since": "at >= ?", "until": "at < ?"}

_SELECT = f"SELECT {COLUMNS} FROM ledger"  # noqa: S608 - constants only
_PAGE_ROWS = 500
_MAX_DIGITS = 19  # what is longer is no 64-bit number
# How many entries are hashed before the event loop gets its turn again.
_GROUP = 256
_TAKE_HEAD = "UPDATE ledger_heads SET seq = seq + ? WHERE chain = ? RETURNING seq, row_hash"
# One step in the primary key for each chain, however many rows it has.
_CHAINS = """
WITH RECURSIVE found (chain) AS (
    SELECT min(chain) FROM ledger
    UNION ALL
    SELECT (SELECT min(ledger.chain) FROM ledger WHERE ledger.chain > found.chain) FROM found
    WHERE found.chain IS NOT NULL
)
SELECT chain FROM found WHERE chain IS NOT NULL UNION SELECT chain FROM ledger_heads
"""
_MAKE_HEAD = "INSERT INTO ledger_heads (chain, seq, row_hash) VALUES (?, 0, ?) ON CONFLICT (chain) DO NOTHING"


class SqlLedgerStore:
    def __init__(self, database: Database, *, code_hash: Callable[[], str], chain: str = MAIN_CHAIN) -> None:
        self._database = database
        self._code_hash = code_hash
        self.chain = chain
        self._in_doubt = False

    async def append(self, entries: Sequence[Entry], answers: Sequence[Answer]) -> None:
        if self._in_doubt:
            entries = await self._missing(entries)
        self._in_doubt = True
        async with self._database.transaction() as transaction:
            await self._append(transaction, entries)
            if answers:
                await _keep_answers(transaction, answers)
        self._in_doubt = False

    async def _missing(self, entries: Sequence[Entry]) -> list[Entry]:
        """Those that are not in the table, each once. A commit whose answer was lost may well have happened."""
        found: set[Value] = set()
        for piece in pieces(entries):
            sql = f"SELECT id FROM ledger WHERE id IN ({format_placeholders(piece)})"  # noqa: S608 - placeholders only
            rows = await self._database.fetch(sql, [entry.id for entry in piece], touches=len(piece))
            found.update(id for (id,) in rows)
        missing: list[Entry] = []
        for entry in entries:
            # Of two with one id the first stands; the second could never be written and would hold up all others.
            if entry.id not in found:
                found.add(entry.id)
                missing.append(entry)
        return missing

    async def _append(self, transaction: Transaction, entries: Sequence[Entry]) -> None:
        head, revisions = await self._take_head(transaction, len(entries))
        chaining = Chaining(self.chain, head, self._code_hash(), revisions)
        for start in range(0, len(entries), _GROUP):
            await transaction.run_all(chaining.statements(entries[start : start + _GROUP]))

    async def _take_head(self, transaction: Transaction, count: int) -> tuple[tuple[int, str], dict[str, int]]:
        """Moves the head on by `count` and returns where it was, and the revisions of all suites. The update locks the
        row until the end of the transaction: appenders on PostgreSQL queue here."""
        take = (_TAKE_HEAD, (count, self.chain))
        heads, revisions = await transaction.run_all([take, (READ_REVISIONS, ())])
        if not heads:
            _, heads = await transaction.run_all([(_MAKE_HEAD, (self.chain, GENESIS)), take])
        seq, row_hash = _head(heads[0])
        return (seq - count, row_hash), index_revisions(revisions)

    async def answer(self, caller: str, request_id: str) -> Answer | None:
        if not _has_storable_key(caller, request_id):
            return None
        rows = await self._database.fetch(
            "SELECT entry_id, caller, request_id, fingerprint, outcome, expires_at FROM answers "
            "WHERE caller = ? AND request_id = ?",
            (caller, request_id),
            touches=1,
        )
        return Answer(*map(str, rows[0])) if rows else None

    async def head(self, chain: str) -> tuple[int, str]:
        rows = await self._database.fetch("SELECT seq, row_hash FROM ledger_heads WHERE chain = ?", (chain,), touches=1)
        return _head(rows[0]) if rows else (0, GENESIS)

    async def chains(self) -> set[str]:
        return {str(chain) for (chain,) in await self._database.fetch(_CHAINS)}

    async def newest_id(self) -> str | None:
        """Of all chains."""
        rows = await self._database.fetch("SELECT max(id) FROM ledger", touches=1)
        return None if rows[0][0] is None else str(rows[0][0])

    async def links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[Link]:
        of_tool, params = ("", ()) if tool is None else ("AND tool = ? ", (tool,))
        sql = f"{_SELECT} WHERE chain = ? AND seq > ? {of_tool}ORDER BY seq LIMIT {_PAGE_ROWS}"
        while rows := await self._database.fetch(sql, (chain, after, *params)):
            for row in rows:
                link = link_of(row)
                yield link
            after = link.seq

    async def find(self, id_or_seq: str | int) -> Link | None:
        """The row with this call id, or at this place: `17` in the main chain, `east:17` in the chain `east`."""
        chain, _, seq = str(id_or_seq).rpartition(":")
        if seq.isascii() and seq.isdigit() and len(seq) < _MAX_DIGITS:
            place = (chain or MAIN_CHAIN, int(seq))
            rows = await self._database.fetch(f"{_SELECT} WHERE chain = ? AND seq = ?", place, touches=1)
        else:
            rows = await self._database.fetch(f"{_SELECT} WHERE id = ?", (str(id_or_seq),), touches=1)
        return link_of(rows[0]) if rows else None

    async def page(self, limit: int, before: str | None = None, **wanted: str | None) -> list[Link]:
        """The newest rows of all chains first, those before the id `before` when it is given, narrowed by the columns
        of `PAGE_FILTERS` and the `TIME_FILTERS` that are not None."""
        filters: dict[str, Value] = {column: value for column, value in wanted.items() if value is not None}
        unknown = sorted(set(wanted) - set(PAGE_FILTERS) - set(TIME_FILTERS))
        if unknown:
            raise ValueError(f"the ledger cannot be filtered by {', '.join(unknown)}")
        conditions = [TIME_FILTERS.get(column, f"{column} = ?") for column in filters]
        params: list[Value] = list(filters.values())
        if before is not None:
            conditions.append("id < ?")
            params.append(before)
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        sql = f"{_SELECT} {where}ORDER BY id DESC LIMIT ?"
        rows = await self._database.fetch(sql, (*params, limit), touches=None if filters else limit)
        return [link_of(row) for row in rows]


def _has_storable_key(caller: str, request_id: str) -> bool:
    # PostgreSQL has no U+0000; nobody repeats a call under such an id.
    return caller.isprintable() and request_id.isprintable()


async def _keep_answers(transaction: Transaction, answers: Sequence[Answer]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    await transaction.execute("DELETE FROM answers WHERE expires_at <= ?", (now,))
    await transaction.execute_many(
        "INSERT INTO answers (entry_id, caller, request_id, fingerprint, outcome, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (caller, request_id) DO UPDATE SET entry_id = excluded.entry_id, "
        "fingerprint = excluded.fingerprint, outcome = excluded.outcome, expires_at = excluded.expires_at",
        [
            (one.entry_id, one.caller, one.request_id, one.fingerprint, one.outcome, one.expires_at)
            for one in answers
            if _has_storable_key(one.caller, one.request_id)
        ],
    )


def _head(row: tuple[Value, ...]) -> tuple[int, str]:
    seq, row_hash = row
    assert isinstance(seq, int)
    return seq, str(row_hash)
