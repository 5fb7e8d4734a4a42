"""One import: all of it or nothing. Newer files add to the history, and an older one never overwrites a newer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson

from sanya.kernel.batches import without_collecting
from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.database import Database, Row, Transaction, Value
from sanya.kernel.revisions import advance_revision, take_back_revision
from sanya.kernel.sql import build_insert
from sanya.suites.funds.arithmetic import change, change_percent
from sanya.suites.funds.fund import Latest, NavPoint, NullReason, Nulls, folded_code
from sanya.suites.funds.importing.records import ImportedFund
from sanya.suites.funds.store import FUND_COLUMNS, POINT_COLUMNS, read_points

FUND_ROW_COLUMNS = (*FUND_COLUMNS, "details", "fetched_at", "folded", "is_demo")
_FETCHED_AT = FUND_ROW_COLUMNS.index("fetched_at")
_REPORT_EVERY = 50
_CLOCKS_APART = timedelta(days=1)
_UPDATES = ", ".join(f"{name} = excluded.{name}" for name in FUND_ROW_COLUMNS[1:])
_WRITE_FUND = f"{build_insert('funds', FUND_ROW_COLUMNS)} ON CONFLICT (symbol) DO UPDATE SET {_UPDATES}"
_READ_STORED = f"SELECT {', '.join(FUND_ROW_COLUMNS)} FROM funds"  # noqa: S608 - names of our own
_FOLDED = FUND_ROW_COLUMNS.index("folded")
_READ_POINTS = f"SELECT {POINT_COLUMNS} FROM nav_points WHERE symbol = ? ORDER BY nav_date"  # noqa: S608
_WRITE_POINT = (
    "INSERT INTO nav_points (symbol, nav_date, nav, net_asset, buy_price, sell_price) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (symbol, nav_date) DO UPDATE SET nav = excluded.nav, net_asset = excluded.net_asset, "
    "buy_price = excluded.buy_price, sell_price = excluded.sell_price"
)


@dataclass(slots=True)
class ImportReport:
    """`older` are funds whose file was older than what is kept: of those only days not yet known were taken."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    older: int = 0
    points_added: int = 0
    points_corrected: int = 0
    demo_removed: int = 0


async def import_funds(
    database: Database,
    funds: Sequence[ImportedFund],
    *,
    progress: ProgressSink = ignore_progress,
    now: datetime | None = None,
) -> ImportReport:
    """Writes in one transaction. Funds that the source no longer has stay as they are. What was fetched after `now` was
    fetched by a clock that was wrong, and makes no file an older one."""
    async with database.transaction() as transaction:
        # First of all: two imports at once take turns at this row.
        await advance_revision(transaction, "funds")
        removed = await remove_demo(transaction) if funds else 0
        work = _Import(
            transaction, await _stored(transaction), latest=format_timestamp((now or read_clock()) + _CLOCKS_APART)
        )
        work.report.demo_removed = removed
        with without_collecting():
            for done, fund in enumerate(funds, start=1):
                await work.take(fund)
                if done % _REPORT_EVERY == 0 or done == len(funds):
                    progress(Progress(done, len(funds), f"{done:,} funds"))
        if not await work.finish():
            await take_back_revision(transaction, "funds")
    return work.report


async def write_demo(database: Database, make: Callable[[], Sequence[ImportedFund]]) -> bool:
    """Puts the samples into a home without funds; tells whether it did."""
    if await database.fetch("SELECT 1 FROM funds LIMIT 1", touches=1):
        return False
    async with database.transaction() as transaction:
        await advance_revision(transaction, "funds")
        # Asked again now that we have our turn: another process may have been first.
        if await transaction.fetch("SELECT 1 FROM funds LIMIT 1"):
            await take_back_revision(transaction, "funds")
            return False
        work = _Import(transaction, {}, is_demo=True)
        for fund in make():
            await work.take(fund)
        await work.finish()
    return True


async def _stored(transaction: Transaction) -> dict[str, Row]:
    """All funds by their folded symbol: one question, where one for each fund would cost more than the rows do."""
    return {str(row[_FOLDED]): row for row in await transaction.fetch(_READ_STORED)}


async def remove_demo(transaction: Transaction) -> int:
    """How many samples were removed."""
    if not await transaction.fetch("SELECT 1 FROM funds WHERE is_demo = 0 LIMIT 1"):
        # All that there is: SQLite empties a table much faster than it looks for rows in it.
        await transaction.execute("DELETE FROM nav_points")
        return await transaction.execute("DELETE FROM funds")
    await transaction.execute("DELETE FROM nav_points WHERE symbol IN (SELECT symbol FROM funds WHERE is_demo = 1)")
    return await transaction.execute("DELETE FROM funds WHERE is_demo = 1")


class _Import:
    """The state of one import while its funds come."""

    def __init__(
        self, transaction: Transaction, stored: Mapping[str, Row], *, latest: str = "", is_demo: bool = False
    ) -> None:
        self.report = ImportReport()
        self._stored = stored
        self._transaction = transaction
        self._latest = latest
        self._is_demo = is_demo
        self._funds: list[tuple[Value, ...]] = []
        self._points: list[tuple[Value, ...]] = []

    async def take(self, fund: ImportedFund) -> None:
        stored = self._stored.get(folded_code(fund.symbol))
        if stored is not None:
            await self._merge(fund, stored)
            return
        self.report.created += 1
        self._add_points(fund.symbol, fund.points)
        self._funds.append(self._row(fund, fund.symbol, fund.points))

    async def finish(self) -> bool:
        """Writes what was gathered; tells whether anything changed."""
        await self._transaction.execute_many(_WRITE_FUND, self._funds)
        await self._transaction.execute_many(_WRITE_POINT, self._points)
        return bool(self._funds or self._points or self.report.demo_removed)

    async def _merge(self, fund: ImportedFund, stored: Row) -> None:
        symbol, is_older = str(stored[0]), fund.fetched_at < str(stored[_FETCHED_AT]) <= self._latest
        kept = {point.date: point for point in read_points(await self._transaction.fetch(_READ_POINTS, (symbol,)))}
        new = [point for point in fund.points if point.date not in kept]
        corrected = [point for point in fund.points if point.date in kept and kept[point.date] != point]
        if is_older:
            corrected = []
        self._add_points(symbol, [*new, *corrected], corrected=len(corrected))
        merged = kept | {point.date: point for point in [*new, *corrected]}
        points = [merged[day] for day in sorted(merged)]
        row = _with_latest(stored, points) if is_older else self._row(fund, symbol, points)
        self._count(row, stored, is_older=is_older, has_points=bool(new or corrected))

    def _count(self, row: tuple[Value, ...], stored: Row, *, is_older: bool, has_points: bool) -> None:
        if row != tuple(stored):
            self._funds.append(row)
        if is_older:
            self.report.older += 1
        elif has_points or _without_fetched_at(row) != _without_fetched_at(stored):
            self.report.updated += 1
        else:
            self.report.unchanged += 1

    def _add_points(self, symbol: str, points: Sequence[NavPoint], *, corrected: int = 0) -> None:
        self.report.points_added += len(points) - corrected
        self.report.points_corrected += corrected
        prefix = (symbol,)
        self._points += [prefix + one for one in points]

    def _row(self, fund: ImportedFund, symbol: str, points: Sequence[NavPoint]) -> tuple[Value, ...]:
        latest = latest_of(points)
        return (
            symbol,
            fund.fund_name,
            fund.fund_name_th,
            fund.amc,
            fund.fund_classification,
            fund.risk_level,
            fund.fund_type,
            *_latest_values(latest),
            *fund.returns.values(),
            *fund.benchmark_returns.values(),
            _json({**fund.nulls, **_nav_nulls(latest)}),
            fund.details,
            fund.fetched_at,
            folded_code(symbol),
            int(self._is_demo),
        )


def latest_of(points: Sequence[NavPoint]) -> Latest:
    if not points:
        return Latest()
    last = points[-1]
    before = points[-2].nav if len(points) > 1 else None
    return Latest(
        last.date,
        last.nav,
        None if before is None else change(before, last.nav),
        None if before is None else change_percent(before, last.nav),
        last.buy_price,
        last.sell_price,
    )


def _latest_values(latest: Latest) -> tuple[Value, ...]:
    return (
        latest.date,
        latest.nav,
        latest.change,
        latest.change_percent,
        latest.buy_price,
        latest.sell_price,
    )


def _nav_nulls(latest: Latest) -> Nulls:
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


def _with_latest(stored: Row, points: Sequence[NavPoint]) -> tuple[Value, ...]:
    """The stored row with its NAV columns as the points now have them."""
    latest = latest_of(points)
    row = [*stored[:_FIRST_NAV], *_latest_values(latest), *stored[_AFTER_NAV:]]
    nulls = orjson.loads(str(stored[_NULLS]))
    kept = {name: reason for name, reason in nulls.items() if name not in FUND_COLUMNS[_FIRST_NAV:_AFTER_NAV]}
    row[_NULLS] = _json({**kept, **_nav_nulls(latest)})
    return tuple(row)


def _without_fetched_at(row: Sequence[Value]) -> tuple[Value, ...]:
    return (*row[:_FETCHED_AT], *row[_FETCHED_AT + 1 :])


def _json(nulls: Nulls) -> str:
    return orjson.dumps(nulls, option=orjson.OPT_SORT_KEYS).decode("utf-8")
