"""NAV series and the figures computed from them: volatility, drawdown, Sharpe ratio, rolling returns, correlation."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from math import fsum, sqrt
from statistics import median

from sanya.suites.funds.arithmetic import compute_max_drawdown, round_figure, subtract_months

TRADING_DAYS = 252
# A year's window may start this many days before the day one year earlier: the longest run of holidays plus a weekend.
_SLACK_DAYS = 14


@dataclass(frozen=True, slots=True)
class NavSeries:
    """The NAV of a fund by day, oldest first."""

    symbol: str
    days: Sequence[str]
    navs: Sequence[float]

    @property
    def last_day(self) -> str:
        """The latest day, or an empty text without any."""
        return self.days[-1] if self.days else ""

    def cut_last_days(self, count: int) -> NavSeries:
        """Return the points of so many calendar days before the latest point."""
        if not self.days:
            return self
        return self.cut((date.fromisoformat(self.last_day) - timedelta(days=count)).isoformat(), self.last_day)

    def cut(self, first: str, last: str) -> NavSeries:
        """Return the points from `first` to `last`, both included."""
        start, end = bisect_left(self.days, first), bisect_right(self.days, last)
        return NavSeries(self.symbol, self.days[start:end], self.navs[start:end])


@dataclass(frozen=True, slots=True)
class RollingReturns:
    """Returns over one year that end on each day, in percent."""

    windows: int
    positive_share: float
    worst: float
    median: float


def compute_daily_returns(navs: Sequence[float]) -> list[float]:
    """Return simple returns from point to point, as fractions."""
    return [after / before - 1 for before, after in pairwise(navs)]


def compute_deviation(returns: Sequence[float]) -> float | None:
    """Return the population standard deviation, or None with fewer than two returns."""
    if len(returns) < 2:
        return None
    mean = fsum(returns) / len(returns)
    return sqrt(fsum((value - mean) ** 2 for value in returns) / len(returns))


def compute_annual_volatility(navs: Sequence[float]) -> float | None:
    """Return the deviation of daily returns times the root of 252, in percent."""
    deviation = compute_deviation(compute_daily_returns(navs))
    return None if deviation is None else round_figure(deviation * sqrt(TRADING_DAYS) * 100)


def compute_sharpe(navs: Sequence[float], risk_free: float) -> float | None:
    """Return (mean daily return x 252 - risk-free rate) / annual volatility, or None without any volatility."""
    returns = compute_daily_returns(navs)
    deviation = compute_deviation(returns)
    if not deviation:
        return None
    excess = fsum(returns) / len(returns) * TRADING_DAYS - risk_free / 100
    return round_figure(excess / (deviation * sqrt(TRADING_DAYS)))


def compute_drawdown(navs: Sequence[float]) -> float | None:
    return compute_max_drawdown(navs)


def compute_rolling_returns(series: NavSeries, first: str) -> RollingReturns | None:
    """Return the one-year returns that end on each day from `first` on, or None if no day has a NAV a year earlier."""
    ends = range(bisect_left(series.days, first), len(series.days))
    values = [value for end in ends if (value := _compute_year_return(series, end)) is not None]
    if not values:
        return None
    share = sum(value > 0 for value in values) / len(values) * 100
    return RollingReturns(len(values), round_figure(share), min(values), round_figure(median(values)))


def _compute_year_return(series: NavSeries, end: int) -> float | None:
    day = date.fromisoformat(series.days[end])
    start_day = subtract_months(day, 12)
    start = bisect_right(series.days, start_day.isoformat()) - 1
    if start < 0 or (start_day - date.fromisoformat(series.days[start])).days > _SLACK_DAYS:
        return None
    return round_figure((series.navs[end] / series.navs[start] - 1) * 100)


def compute_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the Pearson correlation of two lists of returns, or None where one of them does not vary."""
    spread, other_spread = compute_deviation(first), compute_deviation(second)
    if not spread or not other_spread:
        return None
    mean, other_mean = fsum(first) / len(first), fsum(second) / len(second)
    products = fsum((value - mean) * (other - other_mean) for value, other in zip(first, second, strict=True))
    return round_figure(products / len(first) / (spread * other_spread))


def align(series: Sequence[NavSeries]) -> list[NavSeries]:
    """Return the series restricted to the days that all of them have."""
    common = set(series[0].days).intersection(*(other.days for other in series[1:]))
    return [_restrict(other, common) for other in series]


def _restrict(series: NavSeries, days: set[str]) -> NavSeries:
    kept = [(day, nav) for day, nav in zip(series.days, series.navs, strict=True) if day in days]
    return NavSeries(series.symbol, [day for day, _ in kept], [nav for _, nav in kept])
