"""Funds side by side, and who stands out: nobody does where a rival's figure is unknown and could win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import orjson

from sanya.suites.funds.arithmetic import volatility
from sanya.suites.funds.contract import ComparedFee, ComparedFund, ComparedFunds, Highlights
from sanya.suites.funds.fund import Details, Fund, NavPoint

YEAR_DAYS = 365
# A year's worth of points begins within this many days of a year ago: the longest run of Thai holidays and a weekend.
_SLACK_DAYS = 14
_TOTAL_FEES = ("รวมทั้งหมด", "total")


@dataclass(frozen=True, slots=True)
class Rival:
    fund: Fund
    details: Details
    points: list[NavPoint]
    """Those of the last year."""


def compare(rivals: Sequence[Rival]) -> ComparedFunds:
    return ComparedFunds(funds=[_compared(rival) for rival in rivals], comparison_highlights=_highlights(rivals))


def _compared(rival: Rival) -> ComparedFund:
    fund, details = rival.fund, rival.details
    whole_year, known = _covers_a_year(rival.points), volatility([point.nav for point in rival.points])
    nulls = orjson.loads(fund.nulls)
    if not whole_year or known is None:
        nulls["volatility_1y"] = "too_young"
    if known is None:
        nulls["volatility"] = "too_young"
    statistics = rival.details.statistics
    tracking_error = None if statistics is None else statistics.tracking_error
    if tracking_error is None:
        nulls["tracking_error"] = "not_reported"
    return ComparedFund(
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        amc=fund.amc,
        risk_level=fund.risk_level,
        **{f"perf_{period}": fund.returns[period] for period in ("ytd", "1y", "3y", "5y")},
        benchmark_name=details.benchmark_name,
        benchmark_ytd=fund.benchmark_returns["ytd"],
        benchmark_1y=fund.benchmark_returns["1y"],
        fees=_fees(details),
        volatility_1y=known if whole_year else None,
        volatility=known,
        points=len(rival.points),
        tracking_error=tracking_error,
        nav_value=fund.latest.nav,
        nav_date=fund.latest.date,
        nulls={name: reason for name, reason in nulls.items() if name in ComparedFund.model_fields},
    )


def _fees(details: Details) -> list[ComparedFee] | None:
    if details.fees is None:
        return None
    return [ComparedFee(fee_desc=fee.fee_desc, fee_value=fee.fee_value) for fee in details.fees]


def _covers_a_year(points: Sequence[NavPoint]) -> bool:
    if not points:
        return False
    first, last = date.fromisoformat(points[0].date), date.fromisoformat(points[-1].date)
    return (last - first).days >= YEAR_DAYS - _SLACK_DAYS


def _highlights(rivals: Sequence[Rival]) -> Highlights:
    returns = {rival.fund.symbol: rival.fund.returns["ytd"] for rival in rivals}
    risks: dict[str, float | None] = {rival.fund.symbol: rival.fund.risk_level for rival in rivals}
    fees = {rival.fund.symbol: total_fee(rival.details) for rival in rivals}
    return Highlights(
        best_ytd=_highest(returns),
        worst_ytd=_lowest(returns),
        lowest_risk=_lowest(risks) or "",
        highest_risk=_highest(risks) or "",
        lowest_fees=_lowest(fees),
    )


def total_fee(details: Details) -> float | None:
    """All fees and expenses together, as the source sums them up."""
    for fee in details.fees or []:
        if any(word in (fee.fee_desc or "").casefold() for word in _TOTAL_FEES):
            return fee.fee_value
    return None


def _lowest(figures: dict[str, float | None]) -> str | None:
    """Ties go to the first by symbol."""
    known = [(value, symbol) for symbol, value in figures.items() if value is not None]
    return min(known)[1] if len(known) == len(figures) else None


def _highest(figures: dict[str, float | None]) -> str | None:
    return _lowest({symbol: None if value is None else -value for symbol, value in figures.items()})
