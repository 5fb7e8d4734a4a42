"""Figures from NAV points, each from one point to the next: days without trading are no gaps and count for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from math import fsum, sqrt
from statistics import median

# Sources report two decimals, and not always as of the day of the last point.
_AGREEMENT_POINTS = 0.1
_DIGITS = 10
_MONTHS = {"3m": 3, "6m": 6, "1y": 12, "3y": 36, "5y": 60, "10y": 120}


@dataclass(frozen=True, slots=True)
class Statistics:
    """All of them None where nothing is counted."""

    average: float | None
    median: float | None
    min: float | None
    max: float | None
    counted: int


@dataclass(frozen=True, slots=True)
class Reconciled:
    """A reported return beside the one that NAV gives, in percent."""

    reported: float
    computed: float
    agrees: bool


def rounded(value: float) -> float:
    """Without the dust that binary fractions leave: 15.626 - 15.8339 is -0.2079."""
    return round(value, _DIGITS) + 0.0


def change(before: float, after: float) -> float:
    return rounded(after - before)


def change_percent(before: float, after: float) -> float:
    return rounded((after / before - 1) * 100)


def period_return(navs: Sequence[float]) -> float | None:
    """Last by first, in percent; a period has two ends."""
    return change_percent(navs[0], navs[-1]) if len(navs) > 1 else None


def volatility(navs: Sequence[float]) -> float | None:
    """Population standard deviation of daily simple returns, in percent, not annualised; from two returns on."""
    returns = [(after / before - 1) * 100 for before, after in pairwise(navs)]
    if len(returns) < 2:
        return None
    mean = fsum(returns) / len(returns)
    return rounded(sqrt(fsum((one - mean) ** 2 for one in returns) / len(returns)))


def max_drawdown(navs: Sequence[float]) -> float | None:
    """The deepest fall from a peak, in percent, so 0 or less."""
    if len(navs) < 2:
        return None
    peak, deepest = navs[0], 0.0
    for nav in navs:
        peak = max(peak, nav)
        deepest = min(deepest, nav / peak - 1)
    return rounded(deepest * 100)


def average(values: Sequence[float]) -> float | None:
    return rounded(fsum(values) / len(values)) if values else None


def statistics_of(values: Sequence[float]) -> Statistics:
    if not values:
        return Statistics(None, None, None, None, 0)
    return Statistics(average(values), rounded(median(values)), min(values), max(values), len(values))


def months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or that month's last day where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    following = date(year + 1, 1, 1) if month == 11 else date(year, month + 2, 1)
    return min(date(year, month + 1, 1) + timedelta(days=day.day - 1), following - timedelta(days=1))


def period_start(period: str, latest: date) -> date | None:
    """The day whose NAV a return of this period begins at; none for the time since inception."""
    if period == "ytd":
        return date(latest.year - 1, 12, 31)
    return months_before(latest, _MONTHS[period]) if period in _MONTHS else None


def reconcile(period: str, reported: float, first: float, last: float) -> Reconciled:
    """Given the NAV at both ends of the period. Above a year reported returns are annual."""
    years = max(1.0, _MONTHS.get(period, 12) / 12)
    computed = rounded(((last / first) ** (1 / years) - 1) * 100)
    return Reconciled(reported, computed, abs(computed - reported) <= _AGREEMENT_POINTS)
