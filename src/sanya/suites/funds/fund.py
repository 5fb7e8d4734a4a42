"""A fund as the suite stores it: fields for lists and sorting, details for an answer about one fund, NAV points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sanya.suite import Shape
from sanya.suite.text import fold

PERIODS = ("ytd", "3m", "6m", "1y", "3y", "5y", "10y", "since_inception")
BENCHMARK_PERIODS = PERIODS[:-1]

NullReason = Literal["not_reported", "too_young", "unknown_at_source"]
Nulls = dict[str, NullReason]


def fold_code(code: str) -> str:
    """Normalise a symbol for comparison: ignore case and collapse blanks."""
    return " ".join(fold(code).split())


class NavPoint(NamedTuple):
    """The NAV of one day. A tuple, because a home holds many thousands of them."""

    date: str
    nav: float
    net_asset: float | None = None
    buy_price: float | None = None
    sell_price: float | None = None


@dataclass(frozen=True, slots=True)
class LatestNav:
    """The latest NAV, with its change from the point before."""

    date: str | None = None
    nav: float | None = None
    change: float | None = None
    change_percent: float | None = None
    buy_price: float | None = None
    sell_price: float | None = None


@dataclass(frozen=True, slots=True)
class Fund:
    """A fund without its details. `returns` and `benchmark_returns` are reported percentages by period."""

    symbol: str
    fund_name: str
    fund_name_th: str | None
    amc: str | None
    fund_classification: str | None
    risk_level: int
    fund_type: str
    latest: LatestNav
    returns: Mapping[str, float | None]
    benchmark_returns: Mapping[str, float | None]
    nulls: str
    """The reason for each missing figure, as a JSON object that is parsed only for the funds in an answer."""
    benchmark_name: str | None = None
    gone_since: str | None = None
    """The day of the first snapshot of the market without this fund."""


class Allocation(Shape):
    asset_class: str | None
    """Asset class"""
    percentage: float | None
    """Share of the fund in percent"""


class Fee(Shape):
    fee_type: str | None
    """Kind"""
    fee_desc: str | None
    """Name at the source"""
    fee_value: float | None
    """Percent per year"""
    fee_remark: str | None
    """Remark"""


class FactSheetStatistics(Shape):
    """Statistics as the fact sheet reports them."""

    tracking_error: float | None
    """Deviation from the benchmark, % per year"""
    sharpe_ratio: float | None
    """Return per unit of risk"""
    beta: float | None
    """Movement with the market"""
    alpha: float | None
    """Excess return over the market"""
    maximum_drawdown: float | None
    """Deepest fall in five years, %"""


class Dividend(Shape):
    book_close_date: str | None
    """Day the book closes"""
    payment_date: str | None
    """Day of payment"""
    amount: float | None
    """THB per unit"""


class FundDetails(Shape):
    """Fields that only the answer about one fund contains. Suitability is plain text here, not Base64."""

    fund_id: str
    management_style: str | None = None
    dividend_policy: str | None = None
    registered_on: str | None = None
    benchmark_name: str | None = None
    asset_allocation: list[Allocation] | None = None
    fees: list[Fee] | None = None
    min_initial: float | None = None
    min_additional: float | None = None
    min_redemption: float | None = None
    min_balance: float | None = None
    factsheet_url: str | None = None
    annual_report_url: str | None = None
    halfyear_report_url: str | None = None
    suitability_risk_level: str | None = None
    suitability_target_investor: str | None = None
    suitability_investment_horizon: str | None = None
    statistics: FactSheetStatistics | None = None
    dividends: list[Dividend] | None = None
