"""Reads of the funds tables. The snapshot of all funds is loaded once for each revision of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import cast

from sanya.suite.store import Database, Row, format_placeholders, read_revision
from sanya.suites.funds.analysis.series import NavSeries
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, Fund, FundDetails, LatestNav, NavPoint
from sanya.suites.funds.fund_snapshot import FundSnapshot

NAME = "funds"
FUND_COLUMNS = (
    "symbol",
    "fund_name",
    "fund_name_th",
    "amc",
    "fund_classification",
    "risk_level",
    "fund_type",
    "benchmark_name",
    "gone_since",
    "nav_date",
    "nav_value",
    "nav_change",
    "nav_change_percent",
    "buy_price",
    "sell_price",
    *(f"perf_{period}" for period in PERIODS),
    *(f"benchmark_{period}" for period in BENCHMARK_PERIODS),
    "nulls",
)
_LATEST = 9
_RETURNS = _LATEST + 6
_BENCHMARKS = _RETURNS + len(PERIODS)
_READ_FUNDS = f"SELECT {', '.join(FUND_COLUMNS)}, is_demo FROM funds"  # noqa: S608 - constant column names
POINT_COLUMNS = "nav_date, nav, net_asset, buy_price, sell_price"


class FundStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._snapshot: tuple[int, FundSnapshot] | None = None

    async def load_snapshot(self) -> FundSnapshot:
        revision = await read_revision(self._database, "funds")
        if self._snapshot is None or self._snapshot[0] != revision:
            rows = await self._database.fetch(_READ_FUNDS)
            demo = bool(rows) and all(row[-1] for row in rows)
            self._snapshot = (revision, FundSnapshot((read_fund(row[:-1]) for row in rows), demo=demo))
        return self._snapshot[1]

    async def load_details(self, symbol: str) -> FundDetails:
        rows = await self._database.fetch("SELECT details FROM funds WHERE symbol = ?", (symbol,), touches=1)
        return FundDetails.model_validate_json(str(rows[0][0]))

    async def load_points(self, fund: Fund, days: int) -> list[NavPoint]:
        """Return the NAV points of the last `days` calendar days before the latest point, oldest first."""
        if fund.latest.date is None:
            return []
        first = date.fromisoformat(fund.latest.date) - timedelta(days=days)
        rows = await self._database.fetch(
            f"SELECT {POINT_COLUMNS} FROM nav_points WHERE symbol = ? AND nav_date >= ? ORDER BY nav_date",  # noqa: S608
            (fund.symbol, first.isoformat()),
            touches=days + 1,
        )
        return read_points(rows)

    async def load_series(self, symbol: str, since: str = "") -> NavSeries:
        """Return the NAV history of a fund from this day on."""
        return (await self.load_all_series([symbol], since))[0]

    async def load_all_series(self, symbols: Sequence[str], since: str = "") -> list[NavSeries]:
        """Return the NAV histories of several funds, in one query: each costs a change of threads."""
        sql = (
            f"SELECT symbol, nav_date, nav FROM nav_points WHERE symbol IN ({format_placeholders(symbols)}) "  # noqa: S608
            "AND nav_date >= ? ORDER BY symbol, nav_date"
        )
        rows = cast(list[tuple[str, str, float]], await self._database.fetch(sql, (*symbols, since)))
        by_symbol = {symbol: list(group) for symbol, group in groupby(rows, key=itemgetter(0))}
        histories = [(symbol, by_symbol.get(symbol, [])) for symbol in symbols]
        return [
            NavSeries(symbol, [row[1] for row in points], [row[2] for row in points]) for symbol, points in histories
        ]

    async def load_all_details(self, symbols: Sequence[str]) -> list[FundDetails]:
        """Return the details of several funds, in one query."""
        sql = f"SELECT symbol, details FROM funds WHERE symbol IN ({format_placeholders(symbols)})"  # noqa: S608
        rows = await self._database.fetch(sql, symbols, touches=len(symbols))
        details = {str(symbol): str(content) for symbol, content in rows}
        return [FundDetails.model_validate_json(details[symbol]) for symbol in symbols]

    async def has_point_by(self, symbol: str, day: date) -> bool:
        """Return whether the history reaches back to this day."""
        return await self.load_nav_on(symbol, day) is not None

    async def load_nav_on(self, symbol: str, day: date) -> float | None:
        """Return the NAV of this day, or of the last trading day before it."""
        rows = await self._database.fetch(
            "SELECT nav FROM nav_points WHERE symbol = ? AND nav_date <= ? ORDER BY nav_date DESC LIMIT 1",
            (symbol, day.isoformat()),
            touches=1,
        )
        return cast(float, rows[0][0]) if rows else None


def read_fund(row: Row) -> Fund:
    symbol, name, thai, amc, category, risk, kind, benchmark, gone = row[:_LATEST]
    figures = cast(tuple[float | None, ...], row)
    return Fund(
        symbol=str(symbol),
        fund_name=str(name),
        fund_name_th=cast(str | None, thai),
        amc=cast(str | None, amc),
        fund_classification=cast(str | None, category),
        risk_level=cast(int, risk),
        fund_type=str(kind),
        latest=LatestNav(cast(str | None, row[_LATEST]), *figures[_LATEST + 1 : _RETURNS]),
        returns=dict(zip(PERIODS, figures[_RETURNS:_BENCHMARKS], strict=True)),
        benchmark_returns=dict(zip(BENCHMARK_PERIODS, figures[_BENCHMARKS:-1], strict=True)),
        nulls=str(row[-1]),
        benchmark_name=cast(str | None, benchmark),
        gone_since=cast(str | None, gone),
    )


def read_points(rows: Iterable[Row]) -> list[NavPoint]:
    return [NavPoint(str(row[0]), *cast(tuple[float, float | None], row[1:])) for row in rows]
