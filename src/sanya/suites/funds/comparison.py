"""Comparison of funds and its highlights. A highlight stays empty if an unknown figure of another fund could win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import orjson

from sanya.suites.funds.analysis.series import NavSeries
from sanya.suites.funds.arithmetic import compute_volatility
from sanya.suites.funds.contract import ComparedFee, ComparedFund, ComparedFunds, Highlights
from sanya.suites.funds.fund import Fund, FundDetails

YEAR_DAYS = 365
# A whole year of points may start this many days late: the longest run of Thai holidays plus a weekend.
_SLACK_DAYS = 14
_TOTAL_FEES = ("รวมทั้งหมด", "total")


@dataclass(frozen=True, slots=True)
class ComparisonCandidate:
    fund: Fund
    details: FundDetails
    year: NavSeries
    """The NAV of the last year."""


def compare_funds(candidates: Sequence[ComparisonCandidate]) -> ComparedFunds:
    return ComparedFunds(
        funds=[_to_compared_fund(candidate) for candidate in candidates],
        comparison_highlights=_find_highlights(candidates),
        ties=_find_ties(candidates),
    )


def _to_compared_fund(candidate: ComparisonCandidate) -> ComparedFund:
    fund, details = candidate.fund, candidate.details
    whole_year, known = _is_whole_year(candidate.year.days), compute_volatility(candidate.year.navs)
    nulls = orjson.loads(fund.nulls)
    if not whole_year or known is None:
        nulls["volatility_1y"] = "too_young"
    if known is None:
        nulls["volatility"] = "too_young"
    statistics = candidate.details.statistics
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
        fees=_list_fees(details),
        volatility_1y=known if whole_year else None,
        volatility=known,
        points=len(candidate.year.days),
        tracking_error=tracking_error,
        nav_value=fund.latest.nav,
        nav_date=fund.latest.date,
        nulls={name: reason for name, reason in nulls.items() if name in ComparedFund.model_fields},
    )


def _list_fees(details: FundDetails) -> list[ComparedFee] | None:
    if details.fees is None:
        return None
    return [ComparedFee(fee_desc=fee.fee_desc, fee_value=fee.fee_value) for fee in details.fees]


def _is_whole_year(days: Sequence[str]) -> bool:
    if not days:
        return False
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    return (last - first).days >= YEAR_DAYS - _SLACK_DAYS


def _find_highlights(candidates: Sequence[ComparisonCandidate]) -> Highlights:
    first = {name: symbols[0] if symbols else None for name, symbols in _rank_highlights(candidates).items()}
    return Highlights(
        best_ytd=first["bestYtd"],
        worst_ytd=first["worstYtd"],
        lowest_risk=first["lowestRisk"] or "",
        highest_risk=first["highestRisk"] or "",
        lowest_fees=first["lowestFees"],
    )


def _find_ties(candidates: Sequence[ComparisonCandidate]) -> dict[str, list[str]]:
    return {name: symbols for name, symbols in _rank_highlights(candidates).items() if len(symbols) > 1}


def _rank_highlights(candidates: Sequence[ComparisonCandidate]) -> dict[str, list[str]]:
    """Return the symbols of each highlight: several of a tie, none if an unknown figure could win."""
    returns = {candidate.fund.symbol: candidate.fund.returns["ytd"] for candidate in candidates}
    risks: dict[str, float | None] = {candidate.fund.symbol: candidate.fund.risk_level for candidate in candidates}
    fees = {candidate.fund.symbol: find_total_fee(candidate.details) for candidate in candidates}
    return {
        "bestYtd": _find_highest(returns),
        "worstYtd": _find_lowest(returns),
        "lowestRisk": _find_lowest(risks),
        "highestRisk": _find_highest(risks),
        "lowestFees": _find_lowest(fees),
    }


def find_total_fee(details: FundDetails) -> float | None:
    """Return the total of all fees and expenses as the source reports it."""
    for fee in details.fees or []:
        if any(word in (fee.fee_desc or "").casefold() for word in _TOTAL_FEES):
            return fee.fee_value
    return None


def _find_lowest(figures: dict[str, float | None]) -> list[str]:
    """Return the symbols with the lowest figure, sorted, or none if any figure is unknown."""
    known = {symbol: value for symbol, value in figures.items() if value is not None}
    if len(known) < len(figures):
        return []
    return sorted(symbol for symbol, value in known.items() if value == min(known.values()))


def _find_highest(figures: dict[str, float | None]) -> list[str]:
    return _find_lowest({symbol: None if value is None else -value for symbol, value in figures.items()})
