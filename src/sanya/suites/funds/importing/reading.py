"""One fund out of what a file says about it: every value read, every gap named, nothing guessed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from math import inf
from typing import Any, TypeVar

import msgspec
import orjson

from sanya.suites.funds.arithmetic import period_start
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, NavPoint, NullReason, Nulls
from sanya.suites.funds.importing.layout import FundFile, NavEntry, PlainFundFile
from sanya.suites.funds.importing.records import ImportedFund, Register, Registered, Repair, Source
from sanya.suites.funds.importing.shifts import CannotPlace, Columns, is_shifted, unshift
from sanya.suites.funds.importing.values import (
    Unreadable,
    is_unknown,
    read_base64,
    read_day,
    read_day_text,
    read_number,
    read_text,
)

Read = TypeVar("Read")

_UNREGISTERED = Registered(None, None, None, None)
_RETURNS = {period: f"perf_{period}" for period in PERIODS}
_BENCHMARK_RETURNS = {period: f"benchmark_{period}" for period in BENCHMARK_PERIODS}
_COLUMNS = ("fund_classification", "management_style", "dividend_policy", "risk_level")
_MINIMUMS = ("initial", "additional", "redemption", "balance")
_DOCUMENTS = ("factsheet_url", "annual_report_url", "halfyear_report_url")
_STATISTICS = ("tracking_error", "sharpe_ratio", "beta", "alpha", "maximum_drawdown")
_SUITABILITY = ("risk_level", "target_investor", "investment_horizon")


class FundReader:
    """Reads the funds of one import. `managers` are the names of asset managers that other rows vouch for."""

    def __init__(self, register: Register, managers: Collection[str], siblings: Mapping[str, str]) -> None:
        self._register = register
        self._managers = managers
        self._siblings = siblings

    def read(self, source: Source) -> tuple[ImportedFund, list[Repair]]:
        """Raises CannotPlace, with the reason, for what is no fund."""
        file = source.file
        symbol, fund_id = read_text(file.symbol), read_text(file.fund_id)
        if symbol is None or fund_id is None:
            raise CannotPlace(f"it has no {'symbol' if symbol is None else 'fund_id'}")
        found = self._register.get(fund_id, _UNREGISTERED)
        reading = _Reading(source, symbol)
        columns = self._columns(reading, fund_id, found)
        points = reading.points()
        as_of = points[-1].date if points else read_day_or_none(file.data_fetched_at)
        reading.as_of, reading.registered_on = as_of, found.registered_on
        fund = ImportedFund(
            place=source.place,
            symbol=symbol,
            fund_name=columns.fund_name,
            fund_name_th=found.fund_name_th,
            amc=reading.text("amc", columns.amc),
            fund_classification=reading.text("fund_classification", columns.fund_classification),
            risk_level=int(columns.risk_level),
            fund_type=read_text((file.metadata or {}).get("fund_type")) or "RMF",
            returns=reading.returns(_RETURNS, file.performance or {}),
            benchmark_returns=reading.returns(_BENCHMARK_RETURNS, _part(file.benchmark or {}, "returns")),
            details=_details(reading, fund_id, columns),
            points=points,
            nulls=reading.nulls,
            fetched_at=read_text(file.data_fetched_at) or "",
        )
        return fund, reading.repairs

    def _columns(self, reading: _Reading, fund_id: str, found: Registered) -> Columns:
        file = reading.source.file
        metadata = file.metadata or {}
        columns = Columns(
            _as_text(file.fund_name),
            _as_text(file.amc),
            *(_as_text(metadata.get(name)) for name in _COLUMNS),
        )
        if is_shifted(columns):
            columns = self._repaired(reading, columns, fund_id, found)
        if columns.risk_level not in ("1", "2", "3", "4", "5", "6", "7", "8"):
            raise CannotPlace(f"its risk must be 1 to 8, got {columns.risk_level[:40]!r}")
        return columns if columns.fund_name else _named(reading, columns, found.fund_name or reading.symbol)

    def _repaired(self, reading: _Reading, columns: Columns, fund_id: str, found: Registered) -> Columns:
        moved = unshift(columns, self._managers)
        if not moved.amc:
            moved = Columns(moved.fund_name, found.amc or self._siblings.get(fund_id, ""), *_after_amc(moved))
        if not moved.fund_name:
            moved = Columns(found.fund_name or reading.symbol, *_after_name(moved))
        for name in ("fund_name", "amc", *_COLUMNS):
            was, now = getattr(columns, name), getattr(moved, name)
            if was != now:
                reading.repair(name, was, now, "columns shifted by one")
        return moved


def _after_amc(columns: Columns) -> tuple[str, str, str, str]:
    return (
        columns.fund_classification,
        columns.management_style,
        columns.dividend_policy,
        columns.risk_level,
    )


def _after_name(columns: Columns) -> tuple[str, str, str, str, str]:
    return (columns.amc, *_after_amc(columns))


def _named(reading: _Reading, columns: Columns, name: str) -> Columns:
    reading.repair("fund_name", "", name, "the file has no name")
    return Columns(name, *_after_name(columns))


class _Reading:
    """One fund while it is read: what was missing, and what was put right."""

    def __init__(self, source: Source, symbol: str) -> None:
        self.source = source
        self.symbol = symbol
        self.repairs: list[Repair] = []
        self.nulls: Nulls = {}
        self.as_of: str | None = None
        self.registered_on: str | None = None

    def repair(self, field: str, was: object, now: object, why: str) -> None:
        self.repairs.append(Repair(self.source.place, self.symbol, field, str(was), str(now), why))

    def text(self, field: str, value: Any) -> str | None:
        return self._noted(field, value, read_text(value))

    def base64(self, field: str, value: Any) -> str | None:
        text = read_base64(value)
        if text is not None and text != read_text(value):
            self.repair(field, f"{str(value)[:12]}…", f"{text[:24]}…", "text in Base64")
        return self._noted(field, value, text)

    def number(self, field: str, value: Any) -> float | None:
        if type(value) is float and -inf < value < inf:
            return value
        if value is None:
            self.nulls[field] = "not_reported"
            return None
        try:
            return self._noted(field, value, read_number(value))
        except Unreadable as problem:
            self.repair(field, value, "null", str(problem))
            self.nulls[field] = "unknown_at_source"
            return None

    def returns(self, fields: Mapping[str, str], reported: Mapping[str, Any]) -> dict[str, float | None]:
        """`fields` are the names of the figures by their periods."""
        return {period: self._return(field, period, reported.get(period)) for period, field in fields.items()}

    def points(self) -> list[NavPoint]:
        """All that the file has, oldest first, one for each day; the latest NAV is the last word on its day."""
        file = self.source.file
        found = _plain_points(file) or dict(self._points(file.nav_history_30d or ()))
        if file.latest_nav:
            found.update(self._points([msgspec.convert(file.latest_nav, NavEntry)]))
        return [found[day] for day in sorted(found)]

    def _points(self, entries: Iterable[NavEntry]) -> Iterator[tuple[str, NavPoint]]:
        for entry in entries:
            point = self._point(entry)
            if point is not None:
                yield point.date, point

    def _point(self, entry: NavEntry) -> NavPoint | None:
        try:
            day, nav = read_day(entry.nav_date), read_number(entry.last_val)
            if day is None or nav is None or nav <= 0:
                raise Unreadable("a NAV has a day and is above 0")
            return NavPoint(
                day, nav, read_number(entry.net_asset), positive(entry.buy_price), positive(entry.sell_price)
            )
        except Unreadable as problem:
            self.repair("nav", f"{entry.nav_date} {entry.last_val}", "left out", str(problem))
            return None

    def _return(self, field: str, period: str, value: Any) -> float | None:
        number = self.number(field, value)
        if number is None and self.nulls[field] == "not_reported" and self._is_too_young(period):
            self.nulls[field] = "too_young"
        return number

    def _is_too_young(self, period: str) -> bool:
        if self.registered_on is None or self.as_of is None:
            return False
        start = _start_of(period, self.as_of)
        return start is not None and self.registered_on > start

    def _noted(self, field: str, value: Any, read: Read | None) -> Read | None:
        if read is None:
            reason: NullReason = "unknown_at_source" if is_unknown(value) else "not_reported"
            self.nulls[field] = reason
        return read


# Funds of one import have their last NAV on a few days.
@lru_cache(maxsize=1024)
def _start_of(period: str, as_of: str) -> str | None:
    start = period_start(period, date.fromisoformat(as_of))
    return None if start is None else start.isoformat()


_new_point = partial(tuple.__new__, NavPoint)


def _plain_points(file: FundFile) -> dict[str, NavPoint] | None:
    """The points by their days, where none of them needs a closer look: as one sweep, which takes half the time."""
    if not isinstance(file, PlainFundFile) or not file.nav_history_30d:
        return None
    try:
        days = [read_day_text(entry.nav_date) for entry in file.nav_history_30d]
    except Unreadable:
        return None
    if None in days:
        return None
    return {
        day: _new_point((day, one.last_val, one.net_asset, one.buy_price, one.sell_price))
        for day, one in zip(days, file.nav_history_30d, strict=True)
        if day
    }


def _as_text(value: Any) -> str:
    return "" if value is None else str(value).replace("\x00", "").strip()


def positive(value: Any) -> float | None:
    """A price; sources write 0 for none."""
    number = read_number(value)
    return number if number is not None and number > 0 else None


def read_day_or_none(value: Any) -> str | None:
    try:
        return read_day(value)
    except Unreadable:
        return None


def _details(reading: _Reading, fund_id: str, columns: Columns) -> str:
    """`Details` as JSON, its fields in their order."""
    file = reading.source.file
    minimums, documents = file.investment_minimums or {}, file.document_urls or {}
    suitability = file.suitability or {}
    values: dict[str, Any] = {
        **{f"min_{name}": reading.number(f"min_{name}", minimums.get(f"minimum_{name}")) for name in _MINIMUMS},
        **{name: reading.text(name, documents.get(name)) for name in _DOCUMENTS},
        **{
            f"suitability_{name}": reading.base64(f"suitability_{name}", suitability.get(name)) for name in _SUITABILITY
        },
    }
    # As JSON straight away: what is made here needs no validation, and what is read from the store is validated there.
    return orjson.dumps(
        {
            "fund_id": fund_id,
            "management_style": reading.text("management_style", columns.management_style),
            "dividend_policy": reading.text("dividend_policy", columns.dividend_policy),
            "registered_on": reading.registered_on,
            "benchmark_name": reading.text("benchmark_name", (file.benchmark or {}).get("name")),
            "asset_allocation": _allocations(reading),
            "fees": _fees(reading),
            **values,
            "statistics": _statistics(reading),
            "dividends": _dividends(reading),
        }
    ).decode("utf-8")


def _allocations(reading: _Reading) -> list[dict[str, Any]] | None:
    entries = reading.source.file.asset_allocation
    if not entries:
        reading.nulls["asset_allocation"] = "not_reported"
        return None
    return [
        {
            "asset_class": read_text(entry.asset_class),
            "percentage": reading.number("asset_allocation", entry.percentage),
        }
        for entry in entries
    ]


def _fees(reading: _Reading) -> list[dict[str, Any]] | None:
    entries = reading.source.file.fees
    if not entries:
        reading.nulls["fees"] = "not_reported"
        return None
    values = [reading.number("fees", entry.fee_value) for entry in entries]
    fees = [
        {
            "fee_type": read_text(entry.fee_type),
            "fee_desc": read_text(entry.fee_desc),
            "fee_value": value,
            "fee_remark": read_text(entry.fee_remark),
        }
        for entry, value in zip(entries, values, strict=True)
    ]
    if all(value is None for value in values):
        reading.nulls["fees"] = "unknown_at_source"
    return fees


def _statistics(reading: _Reading) -> dict[str, Any] | None:
    found = reading.source.file.statistics
    if not found:
        reading.nulls["statistics"] = "not_reported"
        return None
    return {name: reading.number(f"statistics.{name}", found.get(name)) for name in _STATISTICS}


def _dividends(reading: _Reading) -> list[dict[str, Any]] | None:
    """None where the source does not speak of dividends; an empty list where there were none."""
    entries = reading.source.file.dividends
    if entries is None:
        reading.nulls["dividends"] = "not_reported"
        return None
    return [
        {
            "book_close_date": read_day_or_none(entry.book_close_date),
            "payment_date": read_day_or_none(entry.payment_date),
            "amount": reading.number("dividends", entry.amount),
        }
        for entry in entries
    ]


def _part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}
