"""Watermarks: how far each query is synced. A watermark only advances, and each advance is logged."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suite.store import Database, Transaction


@dataclass(frozen=True, slots=True)
class CheckpointResult:
    """`term` is synced up to `last_edat`; another term under the same key begins anew."""

    last_edat: str | None = None
    term: str | None = None


class Watermarks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_checkpoint(self, query_key: str) -> CheckpointResult:
        sql = "SELECT last_edat, term FROM paper_watermarks WHERE query_key = ?"
        rows = await self._database.fetch(sql, (query_key,), touches=1)
        return CheckpointResult(str(rows[0][0]), str(rows[0][1])) if rows else CheckpointResult()

    async def set_checkpoint(
        self, query_key: str, reached: CheckpointResult, transaction: Transaction, at: str
    ) -> None:
        """Advance the watermark and log it, unless it is further already; `at` is the current time."""
        await transaction.execute(
            "INSERT INTO paper_watermarks (query_key, term, last_edat) VALUES (?, ?, '') "
            "ON CONFLICT (query_key) DO NOTHING",
            (query_key, reached.term),
        )
        # An update that changes nothing locks the row, so that two syncs advance it one after the other.
        rows = await transaction.fetch(
            "UPDATE paper_watermarks SET term = term WHERE query_key = ? RETURNING last_edat, term", (query_key,)
        )
        old, term = str(rows[0][0]), rows[0][1]
        if reached.last_edat is None or (term == reached.term and old >= reached.last_edat):
            return
        await transaction.execute(
            "UPDATE paper_watermarks SET last_edat = ?, term = ? WHERE query_key = ?",
            (reached.last_edat, reached.term, query_key),
        )
        await transaction.execute(
            "INSERT INTO paper_watermark_changes (query_key, number, term, old_edat, new_edat, changed_at) "
            "SELECT ?, count(*) + 1, ?, ?, ?, ? FROM paper_watermark_changes WHERE query_key = ?",
            (query_key, reached.term, old or None, reached.last_edat, at, query_key),
        )
