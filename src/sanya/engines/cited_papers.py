"""Reads and prunes the record of the papers that answers named, which `SqlLedgerStore` writes with the rows."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from sanya.kernel.clock import read_clock
from sanya.kernel.ledger.cited_papers import CitingCall, UnrecordedCalls
from sanya.kernel.storage.database import Database, Row

_DAY_S = 86_400.0
_NS = 1_000_000_000
_COLUMNS = "cited.pmid, ledger.id, ledger.at, ledger.tool, ledger.surface, ledger.caller, ledger.asked_by"
_CALLS = f"SELECT {_COLUMNS} FROM cited_papers cited JOIN ledger ON ledger.id = cited.call_id"  # noqa: S608
_OF_PAPER = f"{_CALLS} WHERE cited.pmid = ? ORDER BY ledger.id DESC LIMIT ?"
_OF_DOUBTFUL = (
    f"{_CALLS} JOIN paper_standings standing ON standing.pmid = cited.pmid "
    "WHERE standing.standing IN ('retracted', 'concern') ORDER BY ledger.id DESC LIMIT ?"
)
_COUNT = "SELECT count(*) FROM cited_papers WHERE pmid = ?"
_COUNT_DOUBTFUL = (
    "SELECT count(*) FROM cited_papers cited JOIN paper_standings standing ON standing.pmid = cited.pmid "
    "WHERE standing.standing IN ('retracted', 'concern')"
)
_START = "SELECT call_id FROM cited_papers_start"
_MOVE_START = (
    "INSERT INTO cited_papers_start (id, call_id) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET "
    "call_id = CASE WHEN excluded.call_id > cited_papers_start.call_id THEN excluded.call_id "
    "ELSE cited_papers_start.call_id END"
)
_EARLIER = (
    "SELECT count(*), max(at) FROM ledger WHERE id <= ? AND status = 'ok' AND suite IN ('papers', 'herbs') "
    "AND effect = 'read'"
)


class CitedPapers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_calls(self, pmid: str | None, limit: int) -> list[CitingCall]:
        """Return the calls that named the paper, newest first; without a PMID, those that named any retracted or
        doubted paper."""
        sql, params = (_OF_DOUBTFUL, ()) if pmid is None else (_OF_PAPER, (pmid,))
        rows = await self._database.fetch(sql, (*params, limit))
        return [_read_call(row) for row in rows]

    async def count_calls(self, pmid: str | None) -> int:
        ((count,),) = await self._database.fetch(*((_COUNT_DOUBTFUL,) if pmid is None else (_COUNT, (pmid,))))
        return int(str(count))

    async def count_unrecorded(self) -> UnrecordedCalls:
        rows = await self._database.fetch(_START)
        if not rows:
            return UnrecordedCalls(0, None)
        ((count, until),) = await self._database.fetch(_EARLIER, (rows[0][0],))
        return UnrecordedCalls(int(str(count)), None if until is None else str(until))

    async def prune(self, before: datetime) -> int:
        """Forget what calls before this time named, and return how many entries there were. The ledger stays."""
        bound = f"call_{int(before.timestamp()) * _NS:016x}"
        async with self._database.transaction() as transaction:
            pruned = await transaction.execute("DELETE FROM cited_papers WHERE call_id < ?", (bound,))
            if pruned:
                await transaction.execute(_MOVE_START, (bound,))
        return pruned

    async def prune_daily(self, keep_days: int) -> None:
        """Forget once a day what is older than this many days."""
        while True:
            await self.prune(read_clock() - timedelta(days=keep_days))
            await asyncio.sleep(_DAY_S)


def _read_call(row: Row) -> CitingCall:
    pmid, id, at, tool, surface, caller, asked_by = row
    asker = None if asked_by is None else str(asked_by)
    return CitingCall(str(pmid), str(id), str(at), str(tool), str(surface), str(caller), asker)
