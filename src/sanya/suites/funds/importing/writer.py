"""Writer of an import: one transaction for everything.

Newer files add to a fund's history. An older file never overwrites newer values; it only adds days that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

import orjson

from sanya.suite import Progress, ProgressSink, ignore_progress
from sanya.suite.runtime import format_timestamp, paused_collection, read_clock
from sanya.suite.store import Database, Row, Transaction, Value, advance_revision, build_insert, take_back_revision
from sanya.suites.funds.arithmetic import compute_change, compute_change_percent
from sanya.suites.funds.fund import LatestNav, NavPoint, NullReason, Nulls, fold_code
from sanya.suites.funds.importing.records import ImportedFund
from sanya.suites.funds.naming.classes import is_coarser
from sanya.suites.funds.store import FUND_COLUMNS, POINT_COLUMNS, read_points

FUND_ROW_COLUMNS = (*FUND_COLUMNS, "details", "fetched_at", "folded", "is_demo")
_FETCHED_AT = FUND_ROW_COLUMNS.index("fetched_at")
_CLASS = FUND_ROW_COLUMNS.index("fund_classification")
_REPORT_EVERY = 50
# A source that lacks more of the stored funds than this share is no snapshot of the whole market.
MAX_GONE_SHARE = 0.1
_CLOCK_SKEW = timedelta(days=1)
_UPDATES = ", ".join(f"{name} = excluded.{name}" for name in FUND_ROW_COLUMNS[1:])
_WRITE_FUND = f"{build_insert('funds', FUND_ROW_COLUMNS)} ON CONFLICT (symbol) DO UPDATE SET {_UPDATES}"
_READ_STORED = f"SELECT {', '.join(FUND_ROW_COLUMNS)} FROM funds"  # noqa: S608 - constant column names
_FOLDED = FUND_ROW_COLUMNS.index("folded")
_READ_POINTS = f"SELECT {POINT_COLUMNS} FROM nav_points WHERE symbol = ? ORDER BY nav_date"  # noqa: S608
_WRITE_POINT = (
    "INSERT INTO nav_points (symbol, nav_date, nav, net_asset, buy_price, sell_price) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (symbol, nav_date) DO UPDATE SET nav = excluded.nav, net_asset = excluded.net_asset, "
    "buy_price = excluded.buy_price, sell_price = excluded.sell_price"
)


@dataclass(slots=True)
class FundImportReport:
    """Counts of an import. `older` counts funds whose file was older than the stored data."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    older: int = 0
    points_added: int = 0
    points_corrected: int = 0
    demo_removed: int = 0
    classes_kept: int = 0
    """Funds that came with a broad policy while the stored class is finer: the finer class stays."""
    gone: int = 0
    """Funds that this snapshot of the market no longer has."""


async def import_funds(
    database: Database,
    funds: Sequence[ImportedFund],
    *,
    progress: ProgressSink = ignore_progress,
    now: datetime | None = None,
) -> FundImportReport:
    """Write all funds in one transaction. Funds that are missing from a newer whole snapshot are marked as gone.

    Stored data that was fetched after `now` plus a day comes from a wrong clock, and does not make a file older.
    """
    async with database.transaction() as transaction:
        # First, because this row serialises concurrent imports.
        await advance_revision(transaction, "funds")
        removed = await remove_demo(transaction) if funds else 0
        work = _Import(
            transaction, await _load_stored(transaction), latest=format_timestamp((now or read_clock()) + _CLOCK_SKEW)
        )
        work.report.demo_removed = removed
        with paused_collection():
            for done, fund in enumerate(funds, start=1):
                await work.take(fund)
                if done % _REPORT_EVERY == 0 or done == len(funds):
                    progress(Progress(done, len(funds), f"{done:,} funds"))
        await work.mark_gone(funds)
        if not await work.finish():
            await take_back_revision(transaction, "funds")
    return work.report


async def write_demo(database: Database, make: Callable[[], Sequence[ImportedFund]]) -> bool:
    """Write the demo funds into a home without funds. Return whether it did."""
    if await database.fetch("SELECT 1 FROM funds LIMIT 1", touches=1):
        return False
    async with database.transaction() as transaction:
        await advance_revision(transaction, "funds")
        # Check again under the lock of the revision row: another process may have been first.
        if await transaction.fetch("SELECT 1 FROM funds LIMIT 1"):
            await take_back_revision(transaction, "funds")
            return False
        work = _Import(transaction, {}, is_demo=True)
        for fund in make():
            await work.take(fund)
        await work.finish()
    return True


async def _load_stored(transaction: Transaction) -> dict[str, Row]:
    """Load all funds by folded symbol. One query for all costs less than one per fund."""
    return {str(row[_FOLDED]): row for row in await transaction.fetch(_READ_STORED)}


async def remove_demo(transaction: Transaction) -> int:
    """Remove the demo funds and return their number."""
    if not await transaction.fetch("SELECT 1 FROM funds WHERE is_demo = 0 LIMIT 1"):
        # Only demo funds are stored: SQLite empties a whole table much faster than it deletes selected rows.
        await transaction.execute("DELETE FROM nav_points")
        return await transaction.execute("DELETE FROM funds")
    await transaction.execute("DELETE FROM nav_points WHERE symbol IN (SELECT symbol FROM funds WHERE is_demo = 1)")
    return await transaction.execute("DELETE FROM funds WHERE is_demo = 1")


class _Import:
    """The state of one import: counts, and rows to write at the end."""

    def __init__(
        self, transaction: Transaction, stored: Mapping[str, Row], *, latest: str = "", is_demo: bool = False
    ) -> None:
        self.report = FundImportReport()
        self._stored = stored
        self._transaction = transaction
        self._latest = latest
        self._is_demo = is_demo
        self._funds: list[tuple[Value, ...]] = []
        self._points: list[tuple[Value, ...]] = []

    async def take(self, fund: ImportedFund) -> None:
        stored = self._stored.get(fold_code(fund.symbol))
        if stored is not None:
            await self._merge(fund, stored)
            return
        self.report.created += 1
        self._add_points(fund.symbol, fund.points)
        self._funds.append(self._build_row(fund, fund.symbol, fund.points))

    async def mark_gone(self, funds: Sequence[ImportedFund]) -> None:
        """Mark stored funds that are missing from a newer snapshot of the whole market.

        A source with nearly all stored funds is such a snapshot; a file with a few funds says nothing about the others.
        """
        missing = self._stored.keys() - {fold_code(fund.symbol) for fund in funds}
        if not missing or len(missing) > len(self._stored) * MAX_GONE_SHARE:
            return
        newest = max(fund.fetched_at for fund in funds)
        older = [str(row[0]) for key in missing if str((row := self._stored[key])[_FETCHED_AT]) < newest]
        self.report.gone = await mark_gone(self._transaction, older, newest[:10])

    async def finish(self) -> bool:
        """Write the collected rows. Return whether anything changed."""
        await self._transaction.execute_many(_WRITE_FUND, self._funds)
        await self._transaction.execute_many(_WRITE_POINT, self._points)
        return bool(self._funds or self._points or self.report.demo_removed or self.report.gone)

    async def _merge(self, fund: ImportedFund, stored: Row) -> None:
        symbol, is_older = str(stored[0]), fund.fetched_at < str(stored[_FETCHED_AT]) <= self._latest
        rows = await self._transaction.fetch(_READ_POINTS, (symbol,))
        by_day = {point.date: point for point in read_points(rows)}
        new = [point for point in fund.points if point.date not in by_day]
        corrected = [point for point in fund.points if point.date in by_day and by_day[point.date] != point]
        if is_older:
            corrected = []
        self._add_points(symbol, [*new, *corrected], corrected=len(corrected))
        merged = by_day | {point.date: point for point in [*new, *corrected]}
        points = [merged[day] for day in sorted(merged)]
        row = _replace_latest(stored, points) if is_older else self._build_row(fund, symbol, points)
        if not is_older and is_coarser(fund.fund_classification, cast(str | None, stored[_CLASS])):
            row = (*row[:_CLASS], stored[_CLASS], *row[_CLASS + 1 :])
            self.report.classes_kept += 1
        self._count(row, stored, is_older=is_older, has_points=bool(new or corrected))

    def _count(self, row: tuple[Value, ...], stored: Row, *, is_older: bool, has_points: bool) -> None:
        if row != tuple(stored):
            self._funds.append(row)
        if is_older:
            self.report.older += 1
        elif has_points or _drop_fetched_at(row) != _drop_fetched_at(stored):
            self.report.updated += 1
        else:
            self.report.unchanged += 1

    def _add_points(self, symbol: str, points: Sequence[NavPoint], *, corrected: int = 0) -> None:
        self.report.points_added += len(points) - corrected
        self.report.points_corrected += corrected
        prefix = (symbol,)
        self._points += [prefix + point for point in points]

    def _build_row(self, fund: ImportedFund, symbol: str, points: Sequence[NavPoint]) -> tuple[Value, ...]:
        latest = find_latest(points)
        return (
            symbol,
            fund.fund_name,
            fund.fund_name_th,
            fund.amc,
            fund.fund_classification,
            fund.risk_level,
            fund.fund_type,
            fund.benchmark_name,
            None,
            *_list_latest_values(latest),
            *fund.returns.values(),
            *fund.benchmark_returns.values(),
            _dump_nulls({**fund.nulls, **_explain_nav_nulls(latest)}),
            fund.details,
            fund.fetched_at,
            fold_code(symbol),
            int(self._is_demo),
        )


async def mark_gone(transaction: Transaction, symbols: Sequence[str], day: str) -> int:
    """Mark funds as gone since this day, and return how many were not marked before."""
    marked = 0
    for symbol in symbols:
        marked += await transaction.execute(
            "UPDATE funds SET gone_since = ? WHERE symbol = ? AND gone_since IS NULL", (day, symbol)
        )
    return marked


def find_latest(points: Sequence[NavPoint]) -> LatestNav:
    if not points:
        return LatestNav()
    last = points[-1]
    before = points[-2].nav if len(points) > 1 else None
    return LatestNav(
        last.date,
        last.nav,
        None if before is None else compute_change(before, last.nav),
        None if before is None else compute_change_percent(before, last.nav),
        last.buy_price,
        last.sell_price,
    )


def _list_latest_values(latest: LatestNav) -> tuple[Value, ...]:
    return (
        latest.date,
        latest.nav,
        latest.change,
        latest.change_percent,
        latest.buy_price,
        latest.sell_price,
    )


def _explain_nav_nulls(latest: LatestNav) -> Nulls:
    missing: Nulls = {}
    if latest.nav is None:
        missing = {"nav_date": "not_reported", "nav_value": "not_reported"}
    if latest.change is None:
        reason: NullReason = "not_reported" if latest.nav is None else "too_young"
        missing |= {"nav_change": reason, "nav_change_percent": reason}
    if latest.buy_price is None:
        missing["buy_price"] = "not_reported"
    if latest.sell_price is None:
        missing["sell_price"] = "not_reported"
    return missing


_FIRST_NAV = FUND_COLUMNS.index("nav_date")
_AFTER_NAV = FUND_COLUMNS.index("sell_price") + 1
_NULLS = FUND_COLUMNS.index("nulls")


def _replace_latest(stored: Row, points: Sequence[NavPoint]) -> tuple[Value, ...]:
    """Return the stored row with its NAV columns updated from the points."""
    latest = find_latest(points)
    row = [*stored[:_FIRST_NAV], *_list_latest_values(latest), *stored[_AFTER_NAV:]]
    nulls = orjson.loads(str(stored[_NULLS]))
    other = {name: reason for name, reason in nulls.items() if name not in FUND_COLUMNS[_FIRST_NAV:_AFTER_NAV]}
    row[_NULLS] = _dump_nulls({**other, **_explain_nav_nulls(latest)})
    return tuple(row)


def _drop_fetched_at(row: Sequence[Value]) -> tuple[Value, ...]:
    return (*row[:_FETCHED_AT], *row[_FETCHED_AT + 1 :])


def _dump_nulls(nulls: Nulls) -> str:
    return orjson.dumps(nulls, option=orjson.OPT_SORT_KEYS).decode("utf-8")
