"""The ledger's table. Rows are chained inside the transaction that inserts them, so several processes can share it.

Each row holds the hash of the row before it and its own hash, so a row that is changed or removed later breaks the
chain. The rows of a chain must therefore be appended one after another. `ledger_heads` holds the last number and hash
of each chain. An append starts with an UPDATE that moves the head on: it locks the head row until the transaction ends,
so other appenders wait there, and it returns the number and the hash to continue from. Then the rows are hashed and
inserted, and the head gets the hash of the last one. All of it commits together or not at all, so the chain has neither
a fork nor a gap, whatever fails.

The answer to a commit can be lost. The store then does not know whether the rows are in the table, and looks for them
by their ids before it writes them again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime

from sanya.engines.ledger_rows import COLUMNS, ChainWriter, read_link, split_pieces
from sanya.kernel.ledger.chain import GENESIS, MAIN_CHAIN, CitedPaper, LedgerEntry, LedgerLink, StoredAnswer
from sanya.kernel.storage.database import Database, Transaction, Value
from sanya.kernel.storage.revisions import READ_REVISIONS, index_revisions
from sanya.kernel.storage.sql import format_placeholders

PAGE_FILTERS = ("tool", "suite", "caller", "surface", "status", "fault", "request_id")
# `since` is inclusive, `until` exclusive; `cites` is the PMID of a paper that the answer named.
OTHER_FILTERS = {
    "since": "at >= ?",
    "until": "at < ?",
    "cites": "id IN (SELECT call_id FROM cited_papers WHERE pmid = ?)",
}

_SELECT = f"SELECT {COLUMNS} FROM ledger"  # noqa: S608 - constants only
_PAGE_ROWS = 500
_MAX_DIGITS = 19  # more digits do not fit in 64 bits
# This many entries are hashed before the event loop gets its turn.
_GROUP = 256
_TAKE_HEAD = "UPDATE ledger_heads SET seq = seq + ? WHERE chain = ? RETURNING seq, row_hash"
# Takes one index lookup for each chain, however many rows it has.
_CHAINS = """
WITH RECURSIVE found (chain) AS (
    SELECT min(chain) FROM ledger
    UNION ALL
    SELECT (SELECT min(ledger.chain) FROM ledger WHERE ledger.chain > found.chain) FROM found
    WHERE found.chain IS NOT NULL
)
SELECT chain FROM found WHERE chain IS NOT NULL UNION SELECT chain FROM ledger_heads
"""
_CITE = "INSERT INTO cited_papers (pmid, call_id) VALUES (?, ?) ON CONFLICT (pmid, call_id) DO NOTHING"
_MAKE_HEAD = "INSERT INTO ledger_heads (chain, seq, row_hash) VALUES (?, 0, ?) ON CONFLICT (chain) DO NOTHING"


class SqlLedgerStore:
    def __init__(self, database: Database, *, code_hash: Callable[[], str], chain: str = MAIN_CHAIN) -> None:
        self._database = database
        self._code_hash = code_hash
        self.chain = chain
        self._in_doubt = False

    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        if self._in_doubt:
            entries = await self._select_missing(entries)
        self._in_doubt = True
        async with self._database.transaction() as transaction:
            await self._append(transaction, entries)
            if answers:
                await _keep_answers(transaction, answers)
            if cited:
                await transaction.execute_many(_CITE, cited)
        self._in_doubt = False

    async def _select_missing(self, entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
        """Return the entries that are not in the table, each once: a commit whose answer was lost may have happened."""
        present: set[Value] = set()
        for batch in split_pieces(entries):
            sql = f"SELECT id FROM ledger WHERE id IN ({format_placeholders(batch)})"  # noqa: S608 - placeholders only
            rows = await self._database.fetch(sql, [entry.id for entry in batch], touches=len(batch))
            present.update(id for (id,) in rows)
        missing: list[LedgerEntry] = []
        for entry in entries:
            # Of two entries with the same id keep the first: the second could never be written and would block the
            # rest.
            if entry.id not in present:
                present.add(entry.id)
                missing.append(entry)
        return missing

    async def _append(self, transaction: Transaction, entries: Sequence[LedgerEntry]) -> None:
        head, revisions = await self._take_head(transaction, len(entries))
        chaining = ChainWriter(self.chain, head, self._code_hash(), revisions)
        for start in range(0, len(entries), _GROUP):
            await transaction.run_all(chaining.build_statements(entries[start : start + _GROUP]))

    async def _take_head(self, transaction: Transaction, count: int) -> tuple[tuple[int, str], dict[str, int]]:
        """Move the head on by `count`. Return where it was, and the revisions of all suites. The update locks the head
        until the transaction ends: appenders on PostgreSQL queue here."""
        take = (_TAKE_HEAD, (count, self.chain))
        heads, revisions = await transaction.run_all([take, (READ_REVISIONS, ())])
        if not heads:
            _, heads = await transaction.run_all([(_MAKE_HEAD, (self.chain, GENESIS)), take])
        seq, row_hash = _read_head(heads[0])
        return (seq - count, row_hash), index_revisions(revisions)

    async def find_answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        if not _has_storable_key(caller, request_id):
            return None
        rows = await self._database.fetch(
            "SELECT entry_id, caller, request_id, fingerprint, outcome, expires_at FROM answers "
            "WHERE caller = ? AND request_id = ?",
            (caller, request_id),
            touches=1,
        )
        return StoredAnswer(*map(str, rows[0])) if rows else None

    async def read_head(self, chain: str) -> tuple[int, str]:
        rows = await self._database.fetch("SELECT seq, row_hash FROM ledger_heads WHERE chain = ?", (chain,), touches=1)
        return _read_head(rows[0]) if rows else (0, GENESIS)

    async def list_chains(self) -> set[str]:
        return {str(chain) for (chain,) in await self._database.fetch(_CHAINS)}

    async def read_newest_id(self) -> str | None:
        """Return the newest id of all chains."""
        rows = await self._database.fetch("SELECT max(id) FROM ledger", touches=1)
        return None if rows[0][0] is None else str(rows[0][0])

    async def read_links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[LedgerLink]:
        tool_filter, params = ("", ()) if tool is None else ("AND tool = ? ", (tool,))
        sql = f"{_SELECT} WHERE chain = ? AND seq > ? {tool_filter}ORDER BY seq LIMIT {_PAGE_ROWS}"
        while rows := await self._database.fetch(sql, (chain, after, *params)):
            for row in rows:
                link = read_link(row)
                yield link
            after = link.seq

    async def find(self, id_or_seq: str | int) -> LedgerLink | None:
        """Return the row with this call id or number: `17` is in the main chain, `east:17` in the chain `east`."""
        chain, _, seq = str(id_or_seq).rpartition(":")
        if seq.isascii() and seq.isdigit() and len(seq) < _MAX_DIGITS:
            key = (chain or MAIN_CHAIN, int(seq))
            rows = await self._database.fetch(f"{_SELECT} WHERE chain = ? AND seq = ?", key, touches=1)
        else:
            rows = await self._database.fetch(f"{_SELECT} WHERE id = ?", (str(id_or_seq),), touches=1)
        return read_link(rows[0]) if rows else None

    async def page(
        self,
        limit: int,
        before: str | None = None,
        *,
        without_reads_of: tuple[str, str] | None = None,
        **given: str | None,
    ) -> list[LedgerLink]:
        """Return a page of rows of all chains, newest first, before the id `before` if given. The filters are the
        columns of `PAGE_FILTERS` and the `OTHER_FILTERS`; None means no filter. `without_reads_of` a surface and a
        caller leaves out what that caller read there."""
        filters: dict[str, Value] = {column: value for column, value in given.items() if value is not None}
        unknown = sorted(set(given) - set(PAGE_FILTERS) - set(OTHER_FILTERS))
        if unknown:
            known = ", ".join((*PAGE_FILTERS, *OTHER_FILTERS))
            raise ValueError(f"the ledger cannot be filtered by {', '.join(unknown)}; use {known}")
        conditions = [OTHER_FILTERS.get(column, f"{column} = ?") for column in filters]
        params: list[Value] = list(filters.values())
        if before is not None:
            conditions.append("id < ?")
            params.append(before)
        if without_reads_of is not None:
            conditions.append("NOT (surface = ? AND caller = ? AND effect = 'read')")
            params.extend(without_reads_of)
        is_bounded = not filters and without_reads_of is None
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        sql = f"{_SELECT} {where}ORDER BY id DESC LIMIT ?"
        rows = await self._database.fetch(sql, (*params, limit), touches=limit if is_bounded else None)
        return [read_link(row) for row in rows]


def _has_storable_key(caller: str, request_id: str) -> bool:
    # PostgreSQL cannot store U+0000, and no honest client uses it in a request id.
    return caller.isprintable() and request_id.isprintable()


async def _keep_answers(transaction: Transaction, answers: Sequence[StoredAnswer]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    await transaction.execute("DELETE FROM answers WHERE expires_at <= ?", (now,))
    await transaction.execute_many(
        "INSERT INTO answers (entry_id, caller, request_id, fingerprint, outcome, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (caller, request_id) DO UPDATE SET entry_id = excluded.entry_id, "
        "fingerprint = excluded.fingerprint, outcome = excluded.outcome, expires_at = excluded.expires_at",
        [
            (answer.entry_id, answer.caller, answer.request_id, answer.fingerprint, answer.outcome, answer.expires_at)
            for answer in answers
            if _has_storable_key(answer.caller, answer.request_id)
        ],
    )


def _read_head(row: tuple[Value, ...]) -> tuple[int, str]:
    seq, row_hash = row
    assert isinstance(seq, int)
    return seq, str(row_hash)
