"""The figures by which funds are ranked, each over the same days for every fund."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from sanya.suites.funds.analysis.contract import RankFundsInput
from sanya.suites.funds.analysis.series import (
    NavSeries,
    RollingReturns,
    compute_annual_volatility,
    compute_drawdown,
    compute_rolling_returns,
    compute_sharpe,
)
from sanya.suites.funds.fund import NullReason

BEST: dict[str, Literal["highest", "lowest"]] = {
    # A drawdown is 0 or negative, so the highest is the smallest fall.
    "drawdown": "highest",
    "volatility": "lowest",
    "sharpe": "highest",
    "consistency": "highest",
    "fee": "lowest",
}
UNITS = {"drawdown": "%", "volatility": "% per year", "sharpe": "ratio", "consistency": "%", "fee": "% per year"}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure of a fund, or the reason why there is none. `covered` counts the days of the whole history."""

    value: float | None
    reason: NullReason | None = None
    rolling: RollingReturns | None = None
    first: str | None = None
    last: str | None = None
    points: int = 0
    covered: int = 0


def measure_fund(series: NavSeries, request: RankFundsInput) -> Measurement:
    """Measure the days up to the latest NAV. A fund whose history starts later is too young to be compared."""
    covered = count_days(series.days)
    if not series.days:
        return Measurement(None, "not_reported")
    first = (date.fromisoformat(series.days[-1]) - timedelta(days=request.days)).isoformat()
    start = bisect_right(series.days, first) - 1
    if start < 0:
        return Measurement(None, "too_young", covered=covered)
    window = NavSeries(series.symbol, series.days[start:], series.navs[start:])
    rolling = compute_rolling_returns(series, first) if request.measure == "consistency" else None
    value = _compute(window, request, rolling)
    reason: NullReason | None = None if value is not None else "too_young"
    return Measurement(value, reason, rolling, window.days[0], window.days[-1], len(window.days), covered)


def _compute(window: NavSeries, request: RankFundsInput, rolling: RollingReturns | None) -> float | None:
    match request.measure:
        case "drawdown":
            return compute_drawdown(window.navs)
        case "volatility":
            return compute_annual_volatility(window.navs)
        case "sharpe":
            return compute_sharpe(window.navs, request.risk_free)
        case _:
            return None if rolling is None else rolling.positive_share


def count_days(days: Sequence[str]) -> int:
    return (date.fromisoformat(days[-1]) - date.fromisoformat(days[0])).days if days else 0
