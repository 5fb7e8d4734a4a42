"""A portfolio of funds bought once and held: its value, and how much its funds overlap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import fsum

from sanya.suites.funds.analysis.series import NavSeries, compute_correlation, compute_daily_returns


def compute_values(series: Sequence[NavSeries], weights: Sequence[float]) -> list[float]:
    """Return the value by day of 100 baht that are split by the weights on the first day and then held."""
    return [
        fsum(weight * nav / start for weight, nav, start in zip(weights, navs, starts, strict=True))
        for starts in [[fund.navs[0] for fund in series]]
        for navs in zip(*(fund.navs for fund in series), strict=True)
    ]


def compute_correlations(series: Sequence[NavSeries]) -> list[list[float | None]]:
    """Return the correlation of the daily returns of each fund with each other."""
    returns = [compute_daily_returns(fund.navs) for fund in series]
    return [[compute_correlation(first, second) for second in returns] for first in returns]


def sum_weights(labels: Iterable[str | None], weights: Sequence[float]) -> dict[str, float]:
    """Return the weight of each label, the largest first. Funds without a label count as `unknown`."""
    totals = defaultdict[str, list[float]](list)
    for label, weight in zip(labels, weights, strict=True):
        totals[label or "unknown"].append(weight)
    sums = {label: fsum(parts) for label, parts in totals.items()}
    return dict(sorted(sums.items(), key=lambda entry: (-entry[1], entry[0])))
