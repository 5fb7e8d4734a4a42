"""A dozen funds of our own, so that every tool has something to show before anything is imported.

Three carry the figures of the contract's samples, the others are invented. NAV is drawn so that it agrees with the
returns: fixed on the days where periods begin, and wandering between them, the same way every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from random import Random
from typing import NamedTuple

from sanya.kernel.database import Database
from sanya.suites.funds.arithmetic import period_start
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, Allocation, Details, Fee, NavPoint, Nulls
from sanya.suites.funds.importing.records import ImportedFund
from sanya.suites.funds.importing.writer import write_demo

_LAST_DAY = date(2025, 11, 7)
_DAYS = 380
_FETCHED_AT = "2025-11-11T06:10:41.753Z"
_LATER = "2025-11-10"


class _Sample(NamedTuple):
    """Returns are those of ytd, 3m, 6m, 1y, 3y, 5y, 10y and since inception; the benchmark's are of ytd and 1y."""

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


_ABERDEEN = "ABERDEEN ASSET MANAGEMENT (THAILAND) LIMITED"
_DEMO_AMC = "SANYA SAMPLE ASSET MANAGEMENT COMPANY LIMITED"
_OTHER_AMC = "RIVERSIDE SAMPLE FUND MANAGEMENT COMPANY LIMITED"
_SET = "ดัชนีผลตอบแทนรวมตลาดหลักทรัพย์แห่งประเทศไทย (SET TRI)"

_SAMPLES = (
    _Sample(
        "ABAPAC-RMF", "abrdn Asia Pacific Equity Retirement Mutual Fund", "กองทุนตัวอย่าง หุ้นเอเชียแปซิฟิก", _ABERDEEN,
        "EQASxJP", "AM", 6, 15.626, (8.8, 10.62, 12.71, 6.65, 3.45, 0.42, 2.7, 3.07),
        ("ดัชนี MSCI AC Asia-Pacific ex Japan", 18.78, 16.28), (("Unit Trust", 98.9), ("Cash and Others", 1.1)),
        None, 0.9,
    ),
    _Sample(
        "B-ASIARMF", "Bualuang Asia Equity RMF", "กองทุนตัวอย่าง หุ้นเอเชีย", "BBL ASSET MANAGEMENT COMPANY LIMITED",
        None, "AN", 6, 14.4397, (21.34, 11.59, 18.83, 13.62, 10.75, 5.93, None, 5.21),
        ("Master fund", 22.4, 15.06), (("Unit Trust", 97.0), ("Cash and Others", 3.0)), None, 1.0,
    ),
    _Sample(
        "ES-GOLDRMF-UH", "Eastspring Gold Bullion RMF-Currency Unhedged Fund", "กองทุนตัวอย่าง ทองคำ",
        "EASTSPRING ASSET MANAGEMENT (THAILAND) LIMITED", "COMPM", "PM", 8, 23.6534,
        (37.14, 15.16, 15.8, 42.61, None, 13.96, 10.22, 5.71), ("LBMA Gold Price AM", 38.39, 44.39),
        (("Gold bullion", 99.9), ("Cash and Others", 0.1)), None, 1.1,
    ),
    _Sample(
        "DEMO-THAIEQ RMF", "Sanya Sample Thai Equity RMF", "กองทุนตัวอย่าง หุ้นไทย", _DEMO_AMC, "EQGEN", "AM", 6,
        18.2741, (-6.15, 9.4, 7.2, -10.82, -3.9, 1.12, 0.85, 4.4), (_SET, -3.2, -7.9),
        (("Thai shares", 94.2), ("Cash and Others", 5.8)), 1.83, 0.9,
    ),
    _Sample(
        "DEMO-SET50RMF", "Sanya Sample SET50 Index RMF", "กองทุนตัวอย่าง ดัชนี SET50", _DEMO_AMC, "EQSET50", "PN", 6,
        12.9052, (-1.4, 8.1, 10.3, -5.26, -1.1, 2.9, None, 3.1), ("SET50 TRI", -0.9, -4.7),
        (("Thai shares", 98.7), ("Cash and Others", 1.3)), 0.64, 0.85,
    ),
    _Sample(
        "DEMO-BONDRMF", "Sanya Sample Fixed Income RMF", "กองทุนตัวอย่าง ตราสารหนี้", _DEMO_AMC, "FIXMIDGEN", "AM", 4,
        13.5518, (4.12, 1.05, 2.31, 4.86, 3.2, 2.05, 2.2, 2.45), ("ThaiBMA 1-3Y", 3.6, 4.2),
        (("Government bonds", 61.0), ("Corporate bonds", 36.5), ("Cash and Others", 2.5)), 0.71, 0.08,
    ),
    _Sample(
        "DEMO-MONEYRMF", "Sanya Sample Money Market RMF", "กองทุนตัวอย่าง ตลาดเงิน", _DEMO_AMC, "FIXMMGOV", "AM", 1,
        11.8734, (1.41, 0.36, 0.77, 1.78, 1.65, 1.2, 1.12, 1.38), ("ZRR 3M", 1.5, 1.9),
        (("Treasury bills", 88.0), ("Deposits", 12.0)), 0.28, 0.004,
    ),
    _Sample(
        "DEMO-MIX&GROWRMF", "Sanya Sample Mixed & Growth RMF", "กองทุนตัวอย่าง ผสม", _DEMO_AMC, "MIXMOD", "SM", 5,
        14.0093, (3.94, 5.5, 6.75, 2.38, 1.9, 2.4, None, 3.3), (None, None, None),
        (("Thai shares", 41.0), ("Bonds", 52.5), ("Cash and Others", 6.5)), 1.35, 0.45,
    ),
    _Sample(
        "RSD-USRMF(A)", "Riverside Sample US Equity RMF (A)", "กองทุนตัวอย่าง หุ้นสหรัฐ", _OTHER_AMC, "EQUS", "PN", 6,
        21.4402, (12.66, 7.02, 19.4, 14.9, 15.2, 12.4, None, 11.1), ("S&P 500 NTR", 13.3, 15.8),
        (("Unit Trust", 97.4), ("Cash and Others", 2.6)), 0.98, 1.0,
    ),
    _Sample(
        "RSD-USRMF(E)", "Riverside Sample US Equity RMF (E)", "กองทุนตัวอย่าง หุ้นสหรัฐ", _OTHER_AMC, "EQUS", "PN", 6,
        21.9917, (13.31, 7.24, 19.81, 15.6, 15.9, None, None, 12.0), ("S&P 500 NTR", 13.3, 15.8),
        (("Unit Trust", 97.4), ("Cash and Others", 2.6)), 0.35, 1.0,
    ),
    _Sample(
        "RSD-PROPRMF", "Riverside Sample Property RMF", "กองทุนตัวอย่าง อสังหาริมทรัพย์", _OTHER_AMC, "PRFOPMIX", "AM", 8,
        9.2476, (2.07, 4.6, 5.1, -1.94, -2.6, -1.8, None, -0.9), ("PF&REIT TRI", 4.4, 1.2),
        (("REITs", 92.0), ("Cash and Others", 8.0)), 1.46, 0.6,
    ),
    _Sample(
        "RSD-NEWTECHRMF", "Riverside Sample New Technology RMF", "กองทุนตัวอย่าง เทคโนโลยีใหม่", _OTHER_AMC, None, "AN", 7,
        10.8125, (None, 8.35, None, None, None, None, None, 8.13), (None, None, None),
        (("Unit Trust", 95.1), ("Cash and Others", 4.9)), None, 1.4,
    ),
)  # fmt: skip


async def load_demo(database: Database) -> bool:
    """Puts the samples into a home without funds; tells whether it did."""
    return await write_demo(database, demo_funds)


def demo_funds() -> list[ImportedFund]:
    return [_fund(sample) for sample in _SAMPLES]


def _fund(sample: _Sample) -> ImportedFund:
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
        returns=returns,
        benchmark_returns=benchmark,
        details=_details(sample, name).model_dump_json(),
        points=list(_points(sample, returns)),
        nulls=_nulls(sample, returns, benchmark),
        fetched_at=_FETCHED_AT,
    )


def _details(sample: _Sample, benchmark_name: str | None) -> Details:
    total = Fee(fee_type="total", fee_desc="ค่าธรรมเนียมและค่าใช้จ่ายรวมทั้งหมด", fee_value=sample.fee, fee_remark=None)
    return Details(
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


def _nulls(sample: _Sample, returns: dict[str, float | None], benchmark: dict[str, float | None]) -> Nulls:
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


def _points(sample: _Sample, returns: dict[str, float | None]) -> Iterator[NavPoint]:
    anchors = _anchors(sample, returns)
    chance = Random(sample.symbol)  # noqa: S311 - a picture, no secret
    yield _point(*anchors[0])
    for (start, first), (end, last) in pairwise(anchors):
        days = [day for day in _trading_days(start, end) if day > start]
        wander = [0.0]
        for _ in days:
            wander.append(wander[-1] + chance.gauss(0, sample.daily / 100))
        for number, day in enumerate(days, start=1):
            part = number / len(days)
            level = first * (last / first) ** part * (1 + wander[number] - part * wander[-1])
            yield _point(day, last if day == end else round(level, 4))


def _point(day: date, nav: float) -> NavPoint:
    return NavPoint(day.isoformat(), nav, None, nav, round(nav + 0.0001, 4))


def _anchors(sample: _Sample, returns: dict[str, float | None]) -> list[tuple[date, float]]:
    """The days where reported periods begin, with the NAV that gives the reported return."""
    end = date.fromisoformat(_LATER) if sample.symbol == "ES-GOLDRMF-UH" else _LAST_DAY
    found = {end: sample.nav}
    for period in ("3m", "6m", "ytd", "1y"):
        start, value = period_start(period, end), returns[period]
        if start is not None and value is not None:
            found[start] = round(sample.nav / (1 + value / 100), 4)
    first = min(found)
    if returns["1y"] is not None:
        found[end - timedelta(days=_DAYS)] = found[first]
    return sorted(found.items())


def _trading_days(start: date, end: date) -> Iterator[date]:
    """Weekdays, and the last day whatever it is, because a period begins there."""
    for number in range((end - start).days + 1):
        day = start + timedelta(days=number)
        if day.weekday() < 5 or day == end:
            yield day
