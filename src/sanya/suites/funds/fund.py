"""A fund as the suite keeps it: what is listed and sorted, the rest that one answer shows, and its NAV day by day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sanya.kernel.folding import fold
from sanya.kernel.shapes import Shape

PERIODS = ("ytd", "3m", "6m", "1y", "3y", "5y", "10y", "since_inception")
BENCHMARK_PERIODS = PERIODS[:-1]

NullReason = Literal["not_reported", "too_young", "unknown_at_source"]
Nulls = dict[str, NullReason]


def folded_code(code: str) -> str:
    """A symbol as codes are compared: without regard to case and to how many blanks were typed."""
    return " ".join(fold(code).split())


class NavPoint(NamedTuple):
    """There are thousands, so they are tuples."""

    date: str
    nav: float
    net_asset: float | None = None
    buy_price: float | None = None
    sell_price: float | None = None


@dataclass(frozen=True, slots=True)
class Latest:
    """The last NAV, with the change from the point before it."""

    date: str | None = None
    nav: float | None = None
    change: float | None = None
    change_percent: float | None = None
    buy_price: float | None = None
    sell_price: float | None = None


@dataclass(frozen=True, slots=True)
class Fund:
    """`returns` and `benchmark_returns` are reported percentages by period."""

    symbol: str
    fund_name: str
    fund_name_th: str | None
    amc: str | None
    fund_classification: str | None
    risk_level: int
    fund_type: str
    latest: Latest
    returns: Mapping[str, float | None]
    benchmark_returns: Mapping[str, float | None]
    nulls: str
    """A JSON object: why each missing figure is missing. Read only for the funds that are shown."""


class Allocation(Shape):
    asset_class: str | None
    """What is held"""
    percentage: float | None
    """Share of the fund in percent"""


class Fee(Shape):
    fee_type: str | None
    """Kind"""
    fee_desc: str | None
    """Name at the source"""
    fee_value: float | None
    """Percent a year"""
    fee_remark: str | None
    """Remark"""


class Statistics(Shape):
    """As the fact sheet reports them."""

    tracking_error: float | None
    """Deviation from the benchmark, % a year"""
    sharpe_ratio: float | None
    """Return for risk"""
    beta: float | None
    """Movement with the market"""
    alpha: float | None
    """Return beyond it"""
    maximum_drawdown: float | None
    """Deepest fall in five years, %"""


class Dividend(Shape):
    book_close_date: str | None
    """Day the book closes"""
    payment_date: str | None
    """Day it is paid"""
    amount: float | None
    """THB a unit"""


class Details(Shape):
    """What only the answer about one fund shows. Suitability is plain text here."""

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
    statistics: Statistics | None = None
    dividends: list[Dividend] | None = None
