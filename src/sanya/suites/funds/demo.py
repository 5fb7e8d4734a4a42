"""A dozen demo funds, so that every tool has something to show before the first import.

Three have the figures of the contract's samples; the others are invented. `demo_funds.json` holds them. NAV points are
generated to agree with the returns: fixed on the days where periods start, with a seeded random walk between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import orjson

from sanya.suite.store import Database
from sanya.suites.funds.arithmetic import find_period_start
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, Allocation, Fee, FundDetails, NavPoint, Nulls
from sanya.suites.funds.importing.records import ImportedFund
from sanya.suites.funds.importing.writer import write_demo

_LAST_DAY = date(2025, 11, 7)
_DAYS = 380
_FETCHED_AT = "2025-11-11T06:10:41.753Z"
_LATER = "2025-11-10"


class _Sample(NamedTuple):
    """A row of `demo_funds.json`. `returns` are in the order of PERIODS; `benchmark` is its name, YTD and 1 year."""

    symbol: str
    fund_name: str
    fund_name_th: str
    amc: str
    classification: str | None
    style: str
    risk: int
    nav: float
    returns: tuple[float | None, ...]
    benchmark: tuple[str | None, float | None, float | None]
    holds: tuple[tuple[str, float], ...]
    fee: float | None
    daily: float


async def load_demo(database: Database) -> bool:
    """Write the demo funds into a home without funds. Return whether it did."""
    return await write_demo(database, build_demo_funds)


def build_demo_funds() -> list[ImportedFund]:
    samples = orjson.loads(Path(__file__).with_name("demo_funds.json").read_bytes())
    return [_build_fund(_Sample(**sample)) for sample in samples]


def _build_fund(sample: _Sample) -> ImportedFund:
    name, ytd, year = sample.benchmark
    benchmark = {**dict.fromkeys(BENCHMARK_PERIODS), "ytd": ytd, "1y": year}
    returns = dict(zip(PERIODS, sample.returns, strict=True))
    return ImportedFund(
        place="demo",
        symbol=sample.symbol,
        fund_name=sample.fund_name,
        fund_name_th=sample.fund_name_th,
        amc=sample.amc,
        fund_classification=sample.classification,
        risk_level=sample.risk,
        fund_type="RMF",
        benchmark_name=name,
        returns=returns,
        benchmark_returns=benchmark,
        details=_build_details(sample, name).model_dump_json(),
        points=list(_generate_points(sample, returns)),
        nulls=_explain_nulls(sample, returns, benchmark),
        fetched_at=_FETCHED_AT,
    )


def _build_details(sample: _Sample, benchmark_name: str | None) -> FundDetails:
    total = Fee(fee_type="total", fee_desc="ค่าธรรมเนียมและค่าใช้จ่ายรวมทั้งหมด", fee_value=sample.fee, fee_remark=None)
    return FundDetails(
        fund_id=f"DEMO_{sample.symbol.split('(')[0]}",
        management_style=sample.style,
        dividend_policy="No",
        benchmark_name=benchmark_name,
        asset_allocation=[Allocation(asset_class=kind, percentage=share) for kind, share in sample.holds],
        fees=[total],
        min_initial=500.0,
        min_additional=500.0,
        suitability_risk_level="ข้อมูลตัวอย่างสำหรับทดลองใช้ ไม่ใช่คำแนะนำการลงทุน",
    )


def _explain_nulls(sample: _Sample, returns: dict[str, float | None], benchmark: dict[str, float | None]) -> Nulls:
    young = sample.symbol == "RSD-NEWTECHRMF"
    nulls: Nulls = {f"perf_{period}": "too_young" for period, value in returns.items() if value is None}
    if not young:
        nulls = dict.fromkeys(nulls, "not_reported")
    nulls |= {f"benchmark_{period}": "not_reported" for period, value in benchmark.items() if value is None}
    for field, value in (
        ("benchmark_name", sample.benchmark[0]), ("fund_classification", sample.classification), ("fees", sample.fee),
    ):  # fmt: skip
        if value is None:
            nulls[field] = "unknown_at_source"
    missing = ("min_redemption", "min_balance", "factsheet_url", "annual_report_url", "halfyear_report_url")
    return nulls | dict.fromkeys(
        (*missing, "suitability_target_investor", "suitability_investment_horizon"), "not_reported"
    )


def _generate_points(sample: _Sample, returns: dict[str, float | None]) -> Iterator[NavPoint]:
    anchors = _find_anchors(sample, returns)
    chance = Random(sample.symbol)  # noqa: S311 - sample data, no secret
    yield _to_point(*anchors[0])
    for (start, first), (end, last) in pairwise(anchors):
        days = [day for day in _iterate_trading_days(start, end) if day > start]
        walk = [0.0]
        for _ in days:
            walk.append(walk[-1] + chance.gauss(0, sample.daily / 100))
        for number, day in enumerate(days, start=1):
            part = number / len(days)
            # A Brownian bridge: the walk's own drift is subtracted, so that it ends at the next anchor.
            level = first * (last / first) ** part * (1 + walk[number] - part * walk[-1])
            yield _to_point(day, last if day == end else round(level, 4))


def _to_point(day: date, nav: float) -> NavPoint:
    return NavPoint(day.isoformat(), nav, None, nav, round(nav + 0.0001, 4))


def _find_anchors(sample: _Sample, returns: dict[str, float | None]) -> list[tuple[date, float]]:
    """Return the days where reported periods start, with the NAV that yields the reported return."""
    end = date.fromisoformat(_LATER) if sample.symbol == "ES-GOLDRMF-UH" else _LAST_DAY
    anchors = {end: sample.nav}
    for period in ("3m", "6m", "ytd", "1y"):
        start, value = find_period_start(period, end), returns[period]
        if start is not None and value is not None:
            anchors[start] = round(sample.nav / (1 + value / 100), 4)
    first = min(anchors)
    if returns["1y"] is not None:
        anchors[end - timedelta(days=_DAYS)] = anchors[first]
    return sorted(anchors.items())


def _iterate_trading_days(start: date, end: date) -> Iterator[date]:
    """Yield weekdays, and the last day even on a weekend, because a period starts there."""
    for number in range((end - start).days + 1):
        day = start + timedelta(days=number)
        if day.weekday() < 5 or day == end:
            yield day
