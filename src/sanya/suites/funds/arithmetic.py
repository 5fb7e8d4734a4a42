"""Figures computed from NAV points. Each step goes from one point to the next: days without trading do not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from math import fsum, sqrt
from statistics import median

# Tolerance in percentage points: sources report two decimals, and not always as of the day of the last point.
_AGREEMENT_POINTS = 0.1
_DIGITS = 10
_MONTHS = {"3m": 3, "6m": 6, "1y": 12, "3y": 36, "5y": 60, "10y": 120}


@dataclass(frozen=True, slots=True)
class ReturnStatistics:
    """Statistics over reported returns. All figures are None if no fund was counted."""

    average: float | None
    median: float | None
    min: float | None
    max: float | None
    counted: int


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A reported return beside the return computed from NAV, both in percent."""

    reported: float
    computed: float
    agrees: bool


def round_figure(value: float) -> float:
    """Round away binary floating-point noise: 15.626 - 15.8339 becomes -0.2079."""
    return round(value, _DIGITS) + 0.0


def compute_change(before: float, after: float) -> float:
    return round_figure(after - before)


def compute_change_percent(before: float, after: float) -> float:
    return round_figure((after / before - 1) * 100)


def compute_period_return(navs: Sequence[float]) -> float | None:
    """Return the last NAV relative to the first, in percent, or None with fewer than two points."""
    return compute_change_percent(navs[0], navs[-1]) if len(navs) > 1 else None


def compute_volatility(navs: Sequence[float]) -> float | None:
    """Return the population standard deviation of daily simple returns, in percent, not annualised.

    At least two returns are needed.
    """
    returns = [(after / before - 1) * 100 for before, after in pairwise(navs)]
    if len(returns) < 2:
        return None
    mean = fsum(returns) / len(returns)
    return round_figure(sqrt(fsum((value - mean) ** 2 for value in returns) / len(returns)))


def compute_max_drawdown(navs: Sequence[float]) -> float | None:
    """Return the deepest fall from a peak in percent: 0 or less."""
    if len(navs) < 2:
        return None
    peak, deepest = navs[0], 0.0
    for nav in navs:
        peak = max(peak, nav)
        deepest = min(deepest, nav / peak - 1)
    return round_figure(deepest * 100)


def compute_average(values: Sequence[float]) -> float | None:
    return round_figure(fsum(values) / len(values)) if values else None


def compute_statistics(values: Sequence[float]) -> ReturnStatistics:
    if not values:
        return ReturnStatistics(None, None, None, None, 0)
    return ReturnStatistics(
        compute_average(values), round_figure(median(values)), min(values), max(values), len(values)
    )


def subtract_months(day: date, months: int) -> date:
    """Return the same day of an earlier month, or the last day of that month if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    following = date(year + 1, 1, 1) if month == 11 else date(year, month + 2, 1)
    return min(date(year, month + 1, 1) + timedelta(days=day.day - 1), following - timedelta(days=1))


def find_period_start(period: str, latest: date) -> date | None:
    """Return the day at whose NAV a return of this period starts, or None for the time since inception."""
    if period == "ytd":
        return date(latest.year - 1, 12, 31)
    return subtract_months(latest, _MONTHS[period]) if period in _MONTHS else None


def reconcile(period: str, reported: float, first: float, last: float) -> Reconciliation:
    """Compare a reported return with the NAV at both ends of its period.

    Returns over more than a year are reported per year, so the computed return is annualised as well.
    """
    years = max(1.0, _MONTHS.get(period, 12) / 12)
    computed = round_figure(((last / first) ** (1 / years) - 1) * 100)
    return Reconciliation(reported, computed, abs(computed - reported) <= _AGREEMENT_POINTS)
