"""Conversion of a fund file to a fund: every value is parsed, every gap gets a reason, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from math import inf
from typing import Any, TypeVar

import msgspec
import orjson

from sanya.suites.funds.arithmetic import find_period_start
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, NavPoint, NullReason, Nulls
from sanya.suites.funds.importing.layout import FeeEntry, FundFile, NavEntry, PlainFundFile, decode_fees
from sanya.suites.funds.importing.records import FundSource, ImportedFund, Register, RegisterEntry, Repair
from sanya.suites.funds.importing.shifts import CannotPlace, FundColumns, is_shifted, restore_columns
from sanya.suites.funds.importing.values import (
    Unreadable,
    is_unknown,
    read_base64,
    read_day,
    read_day_text,
    read_number,
    read_text,
    restore_line_breaks,
)

_Value = TypeVar("_Value")

_UNREGISTERED = RegisterEntry(None, None, None, None)
_RETURNS = {period: f"perf_{period}" for period in PERIODS}
_BENCHMARK_RETURNS = {period: f"benchmark_{period}" for period in BENCHMARK_PERIODS}
_COLUMNS = ("fund_classification", "management_style", "dividend_policy", "risk_level")
_MINIMUMS = ("initial", "additional", "redemption", "balance")
_DOCUMENTS = ("factsheet_url", "annual_report_url", "halfyear_report_url")
_STATISTICS = ("tracking_error", "sharpe_ratio", "beta", "alpha", "maximum_drawdown")
_SUITABILITY = ("risk_level", "target_investor", "investment_horizon")


class FundReader:
    """Reads the funds of one import.

    `managers` are the manager names found in the register and in intact rows; `siblings` maps a fund id to the manager
    of another class of the same fund.
    """

    def __init__(self, register: Register, managers: Collection[str], siblings: Mapping[str, str]) -> None:
        self._register = register
        self._managers = managers
        self._siblings = siblings
        self._fees = _SharedFees()

    def read(self, source: FundSource) -> tuple[ImportedFund, list[Repair]]:
        """Return the fund and its repairs. Raise CannotPlace with the reason if the file is not readable as a fund."""
        file = source.file
        symbol, fund_id = read_text(file.symbol), read_text(file.fund_id)
        if symbol is None or fund_id is None:
            raise CannotPlace(f"{'symbol' if symbol is None else 'fund_id'} is missing")
        entry = self._register.get(fund_id, _UNREGISTERED)
        reading = _Reading(source, symbol)
        columns = self._read_columns(reading, fund_id, entry)
        points = reading.read_points()
        as_of = points[-1].date if points else read_day_or_none(file.data_fetched_at)
        reading.as_of, reading.registered_on = as_of, entry.registered_on
        fund = ImportedFund(
            place=source.place,
            symbol=symbol,
            fund_name=columns.fund_name,
            fund_name_th=entry.fund_name_th,
            amc=reading.read_text_field("amc", columns.amc),
            fund_classification=reading.read_text_field("fund_classification", columns.fund_classification),
            risk_level=int(columns.risk_level),
            fund_type=read_text((file.metadata or {}).get("fund_type")) or "RMF",
            benchmark_name=read_text((file.benchmark or {}).get("name")),
            returns=reading.read_returns(_RETURNS, file.performance or {}),
            benchmark_returns=reading.read_returns(_BENCHMARK_RETURNS, _get_part(file.benchmark or {}, "returns")),
            details=_dump_details(reading, fund_id, columns, self._fees),
            points=points,
            nulls=reading.nulls,
            fetched_at=read_text(file.data_fetched_at) or "",
        )
        return fund, reading.repairs

    def _read_columns(self, reading: _Reading, fund_id: str, entry: RegisterEntry) -> FundColumns:
        file = reading.source.file
        metadata = file.metadata or {}
        columns = FundColumns(
            _as_text(file.fund_name),
            _as_text(file.amc),
            *(_as_text(metadata.get(name)) for name in _COLUMNS),
        )
        if is_shifted(columns):
            columns = self._repair_columns(reading, columns, fund_id, entry)
        if columns.risk_level not in ("1", "2", "3", "4", "5", "6", "7", "8"):
            raise CannotPlace(f"the risk level must be 1 to 8, got {columns.risk_level[:40]!r}")
        return columns if columns.fund_name else _fill_name(reading, columns, entry.fund_name or reading.symbol)

    def _repair_columns(
        self, reading: _Reading, columns: FundColumns, fund_id: str, entry: RegisterEntry
    ) -> FundColumns:
        moved = restore_columns(columns, self._managers)
        if not moved.amc:
            moved = FundColumns(moved.fund_name, entry.amc or self._siblings.get(fund_id, ""), *_take_after_amc(moved))
        if not moved.fund_name:
            moved = FundColumns(entry.fund_name or reading.symbol, *_take_after_name(moved))
        for name in ("fund_name", "amc", *_COLUMNS):
            was, now = getattr(columns, name), getattr(moved, name)
            if was != now:
                reading.repair(name, was, now, "columns shifted by one")
        return moved


def _take_after_amc(columns: FundColumns) -> tuple[str, str, str, str]:
    return (
        columns.fund_classification,
        columns.management_style,
        columns.dividend_policy,
        columns.risk_level,
    )


def _take_after_name(columns: FundColumns) -> tuple[str, str, str, str, str]:
    return (columns.amc, *_take_after_amc(columns))


def _fill_name(reading: _Reading, columns: FundColumns, name: str) -> FundColumns:
    reading.repair("fund_name", "", name, "the file has no name")
    return FundColumns(name, *_take_after_name(columns))


class _Reading:
    """The state of reading one fund: the reasons for missing values, and the repairs."""

    def __init__(self, source: FundSource, symbol: str) -> None:
        self.source = source
        self.symbol = symbol
        self.repairs: list[Repair] = []
        self.nulls: Nulls = {}
        self.as_of: str | None = None
        self.registered_on: str | None = None

    def repair(self, field: str, was: object, now: object, why: str) -> None:
        self.repairs.append(Repair(self.source.place, self.symbol, field, str(was), str(now), why))

    def read_text_field(self, field: str, value: Any) -> str | None:
        return self._note_null(field, value, read_text(value))

    def read_base64_field(self, field: str, value: Any) -> str | None:
        if value is None:
            self.nulls[field] = "not_reported"
            return None
        text = restore_line_breaks(read_base64(value))
        if text is not None and text != read_text(value):
            self.repair(field, f"{str(value)[:12]}…", f"{text[:24]}…", "text in Base64")
        return self._note_null(field, value, text)

    def read_number_field(self, field: str, value: Any) -> float | None:
        if type(value) is float and -inf < value < inf:
            return value
        if value is None:
            self.nulls[field] = "not_reported"
            return None
        try:
            return self._note_null(field, value, read_number(value))
        except Unreadable as problem:
            self.repair(field, value, "null", str(problem))
            self.nulls[field] = "unknown_at_source"
            return None

    def read_returns(self, fields: Mapping[str, str], reported: Mapping[str, Any]) -> dict[str, float | None]:
        """Read the returns of all periods. `fields` maps each period to the name of its figure."""
        returns: dict[str, float | None] = {}
        for period, field in fields.items():
            number = self.read_number_field(field, reported.get(period))
            if number is None and self.nulls[field] == "not_reported" and self._is_too_young(period):
                self.nulls[field] = "too_young"
            returns[period] = number
        return returns

    def read_points(self) -> list[NavPoint]:
        """Read all points, oldest first and one per day. The latest NAV overrides the history of its day."""
        file = self.source.file
        by_day = _read_plain_points(file) or dict(self._iterate_points(file.nav_history_30d or ()))
        if file.latest_nav:
            by_day.update(self._iterate_points([msgspec.convert(file.latest_nav, NavEntry)]))
        return [by_day[day] for day in sorted(by_day)]

    def _iterate_points(self, entries: Iterable[NavEntry]) -> Iterator[tuple[str, NavPoint]]:
        for entry in entries:
            point = self._read_point(entry)
            if point is not None:
                yield point.date, point

    def _read_point(self, entry: NavEntry) -> NavPoint | None:
        try:
            day, nav = read_day(entry.nav_date), read_number(entry.last_val)
            if day is None or nav is None or nav <= 0:
                raise Unreadable("a NAV needs a day and must be above 0")
            return NavPoint(
                day, nav, read_number(entry.net_asset), read_positive(entry.buy_price), read_positive(entry.sell_price)
            )
        except Unreadable as problem:
            self.repair("nav", f"{entry.nav_date} {entry.last_val}", "left out", str(problem))
            return None

    def _is_too_young(self, period: str) -> bool:
        if self.registered_on is None or self.as_of is None:
            return False
        start = _find_start(period, self.as_of)
        return start is not None and self.registered_on > start

    def _note_null(self, field: str, value: Any, read: _Value | None) -> _Value | None:
        if read is None:
            reason: NullReason = "unknown_at_source" if is_unknown(value) else "not_reported"
            self.nulls[field] = reason
        return read


# Cached, because the funds of one import share a few last days.
@lru_cache(maxsize=1024)
def _find_start(period: str, as_of: str) -> str | None:
    start = find_period_start(period, date.fromisoformat(as_of))
    return None if start is None else start.isoformat()


_new_point = partial(tuple.__new__, NavPoint)


def _read_plain_points(file: FundFile) -> dict[str, NavPoint] | None:
    """Return the points by day if all entries are plain, else None. One pass takes half the time of single reads."""
    if not isinstance(file, PlainFundFile) or not file.nav_history_30d:
        return None
    try:
        days = [read_day_text(entry.nav_date) for entry in file.nav_history_30d]
    except Unreadable:
        return None
    if None in days:
        return None
    return {
        day: _new_point((day, entry.last_val, entry.net_asset, entry.buy_price or None, entry.sell_price or None))
        for day, entry in zip(days, file.nav_history_30d, strict=True)
        if day
    }


def _as_text(value: Any) -> str:
    return "" if value is None else str(value).replace("\x00", "").strip()


def read_positive(value: Any) -> float | None:
    """Read a price, or None for 0: sources write 0 for a missing price."""
    number = read_number(value)
    return number if number is not None and number > 0 else None


def read_day_or_none(value: Any) -> str | None:
    try:
        return read_day(value)
    except Unreadable:
        return None


def _dump_details(reading: _Reading, fund_id: str, columns: FundColumns, fees: _SharedFees) -> str:
    """Return `FundDetails` as JSON, with the fields in their order."""
    file = reading.source.file
    minimums, documents = file.investment_minimums or {}, file.document_urls or {}
    suitability = file.suitability or {}
    values: dict[str, Any] = {
        **{
            f"min_{name}": reading.read_number_field(f"min_{name}", minimums.get(f"minimum_{name}"))
            for name in _MINIMUMS
        },
        **{name: reading.read_text_field(name, documents.get(name)) for name in _DOCUMENTS},
        **{
            f"suitability_{name}": reading.read_base64_field(f"suitability_{name}", suitability.get(name))
            for name in _SUITABILITY
        },
    }
    # Built as JSON without the shape: these values need no validation, and the store validates what it reads.
    return orjson.dumps(
        {
            "fund_id": fund_id,
            "management_style": reading.read_text_field("management_style", columns.management_style),
            "dividend_policy": reading.read_text_field("dividend_policy", columns.dividend_policy),
            "registered_on": reading.registered_on,
            "benchmark_name": reading.read_text_field("benchmark_name", (file.benchmark or {}).get("name")),
            "asset_allocation": _read_allocations(reading),
            "fees": fees.read(reading),
            **values,
            "statistics": _read_statistics(reading),
            "dividends": _read_dividends(reading),
        }
    ).decode("utf-8")


def _read_allocations(reading: _Reading) -> list[dict[str, Any]] | None:
    entries = reading.source.file.asset_allocation
    if not entries:
        reading.nulls["asset_allocation"] = "not_reported"
        return None
    return [
        {
            "asset_class": read_text(entry.asset_class),
            "percentage": reading.read_number_field("asset_allocation", entry.percentage),
        }
        for entry in entries
    ]


class _SharedFees:
    """The fees of one import as JSON, read once for all funds that report the same."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[orjson.Fragment, NullReason | None]] = {}

    def read(self, reading: _Reading) -> orjson.Fragment:
        reported = bytes(reading.source.file.fees)
        if (known := self._known.get(reported)) is not None:
            fees, reason = known
            if reason is not None:
                reading.nulls["fees"] = reason
            return fees
        repairs = len(reading.repairs)
        try:
            entries = decode_fees(reported)
        except ValueError as problem:
            raise CannotPlace(f"the fees are not JSON: {problem}") from None
        fees = orjson.Fragment(orjson.dumps(_read_fees(reading, entries)))
        if len(reading.repairs) == repairs:  # a repair is told for each fund
            self._known[reported] = fees, reading.nulls.get("fees")
        return fees


def _read_fees(reading: _Reading, entries: list[FeeEntry]) -> list[dict[str, Any]] | None:
    if not entries:
        reading.nulls["fees"] = "not_reported"
        return None
    values = [reading.read_number_field("fees", entry.fee_value) for entry in entries]
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


def _read_statistics(reading: _Reading) -> dict[str, Any] | None:
    reported = reading.source.file.statistics
    if not reported:
        reading.nulls["statistics"] = "not_reported"
        return None
    return {name: reading.read_number_field(f"statistics.{name}", reported.get(name)) for name in _STATISTICS}


def _read_dividends(reading: _Reading) -> list[dict[str, Any]] | None:
    """Return the dividends, an empty list if there were none, or None if the source does not report dividends."""
    entries = reading.source.file.dividends
    if entries is None:
        reading.nulls["dividends"] = "not_reported"
        return None
    return [
        {
            "book_close_date": read_day_or_none(entry.book_close_date),
            "payment_date": read_day_or_none(entry.payment_date),
            "amount": reading.read_number_field("dividends", entry.amount),
        }
        for entry in entries
    ]


def _get_part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}
