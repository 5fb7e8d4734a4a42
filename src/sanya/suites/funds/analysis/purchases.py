"""Monthly purchases of a fund over the history that exists, without and with its dividends."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum

from sanya.suites.funds.analysis.series import NavSeries
from sanya.suites.funds.arithmetic import round_figure
from sanya.suites.funds.fund import Dividend

_YEAR_DAYS = 365
_MAX_STEPS = 200
_PRECISION = 1e-13
_LOWEST_FACTOR, _HIGHEST_FACTOR = 0.0001, 100.0


@dataclass(frozen=True, slots=True)
class Purchase:
    day: str
    amount: float
    nav: float


@dataclass(frozen=True, slots=True)
class PurchasePlan:
    """An amount to buy on a day of every month from the first to the last day."""

    amount: float
    day_of_month: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class PurchaseResult:
    purchases: Sequence[Purchase]
    units: float
    value: float


def list_purchases(series: NavSeries, plan: PurchasePlan) -> list[Purchase]:
    """List the purchases. Each is made on the first day with a NAV on or after the day of the month."""
    bought = []
    for target in _iterate_targets(plan):
        at = bisect_left(series.days, target)
        if at < len(series.days) and series.days[at] <= plan.last:
            bought.append(Purchase(series.days[at], plan.amount, series.navs[at]))
    return bought


def _iterate_targets(plan: PurchasePlan) -> Iterator[str]:
    year, month = int(plan.first[:4]), int(plan.first[5:7])
    while (target := date(year, month, plan.day_of_month).isoformat()) <= plan.last:
        if target >= plan.first:
            yield target
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


def hold_purchases(purchases: Sequence[Purchase], last_nav: float) -> PurchaseResult:
    """Value the purchases at the last NAV. Dividends, if any, are paid out and not counted."""
    units = fsum(purchase.amount / purchase.nav for purchase in purchases)
    return PurchaseResult(purchases, units, round_figure(units * last_nav))


def reinvest_dividends(
    purchases: Sequence[Purchase], series: NavSeries, dividends: Sequence[Dividend], last: str
) -> PurchaseResult:
    """Value the purchases with every dividend reinvested at the first NAV on or after its payment."""
    units: list[tuple[str, float]] = [(purchase.day, purchase.amount / purchase.nav) for purchase in purchases]
    for dividend in sorted(dividends, key=lambda known: known.book_close_date or ""):
        closed, amount = dividend.book_close_date, dividend.amount
        if closed is None or amount is None:
            continue
        at = bisect_left(series.days, dividend.payment_date or closed)
        if at < len(series.days) and series.days[at] <= last:
            held = fsum(count for day, count in units if day <= closed)
            units.append((series.days[at], held * amount / series.navs[at]))
    total, last_at = fsum(count for _, count in units), bisect_left(series.days, last)
    return PurchaseResult(purchases, total, round_figure(total * series.navs[last_at]))


def compute_money_weighted_return(purchases: Sequence[Purchase], value: float, last: str) -> float | None:
    """Return the yearly rate at which the purchases grow to the value, in percent, or None within the first year.

    The growth factor x solves sum(amount * x ^ (days / 365)) = value. The left side grows with x, so there is one
    solution. Newton's method finds it in a few steps; a step that leaves the bracket halves the bracket instead.
    """
    end, amounts = date.fromisoformat(last), defaultdict[str, float](float)
    for purchase in purchases:
        amounts[purchase.day] += purchase.amount
    spans = [((end - date.fromisoformat(day)).days / _YEAR_DAYS, amount) for day, amount in amounts.items()]
    if not spans or max(years for years, _ in spans) < 1:
        return None
    low, high, factor = _LOWEST_FACTOR, _HIGHEST_FACTOR, 1.0
    for _ in range(_MAX_STEPS):
        excess, slope = _compute_excess(spans, value, factor)
        low, high = (factor, high) if excess < 0 else (low, factor)
        following = factor - excess / slope
        if abs(following - factor) < _PRECISION:
            break
        if not low < following < high:
            following = (low + high) / 2
        factor = following
    return round_figure((following - 1) * 100)


def _compute_excess(spans: Sequence[tuple[float, float]], value: float, factor: float) -> tuple[float, float]:
    """Return by how much the grown purchases exceed the value, and the derivative by the factor."""
    grown = [(years, amount * factor**years) for years, amount in spans]
    return fsum(amount for _, amount in grown) - value, fsum(years * amount for years, amount in grown) / factor
