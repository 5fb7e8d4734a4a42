"""The shape of the answer about one fund, which has most of the contract's fields."""

from __future__ import annotations

from pydantic import Field

from sanya.suite import Shape
from sanya.suites.funds.contract import DetailMeta, FundAnswer, TextContent
from sanya.suites.funds.fund import Allocation, Dividend, FactSheetStatistics, Fee, Nulls


class Suitability(Shape):
    risk_level: str | None
    """Risk level and its reason"""
    target_investor: str | None
    """Target investor"""
    investment_horizon: str | None
    """Investment horizon"""


class ReconciledReturn(Shape):
    reported: float
    """As reported, %"""
    computed: float
    """From NAV, %"""
    agrees: bool
    """Within 0.1 points"""


class FundDetail(Shape):
    fund_id: str
    """Id at the SEC; classes of one fund share it"""
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    fund_name_th: str | None
    """Thai name"""
    amc: str | None
    """Manager"""
    fund_classification: str | None
    """AIMC class"""
    management_style: str | None
    """Style"""
    dividend_policy: str | None
    """Dividends"""
    risk_level: int
    """1-8"""
    fund_type: str
    """Type"""
    registered_on: str | None
    """First day"""
    nav_date: str | None
    """Day of the NAV"""
    nav_value: float | None
    """NAV, THB"""
    nav_change: float | None
    """From the point before, THB"""
    nav_change_percent: float | None
    """From the point before, %"""
    buy_price: float | None
    """Price at which an investor sells"""
    sell_price: float | None
    """Price at which an investor buys"""
    perf_ytd: float | None
    """Return, %"""
    perf_3m: float | None
    """Return, %"""
    perf_6m: float | None
    """Return, %"""
    perf_1y: float | None
    """Return, %"""
    perf_3y: float | None
    """Return, % per year"""
    perf_5y: float | None
    """Return, % per year"""
    perf_10y: float | None
    """Return, % per year"""
    perf_since_inception: float | None
    """Return, % per year"""
    benchmark_name: str | None
    """Benchmark"""
    benchmark_ytd: float | None
    """Return, %"""
    benchmark_3m: float | None
    """Return, %"""
    benchmark_6m: float | None
    """Return, %"""
    benchmark_1y: float | None
    """Return, %"""
    benchmark_3y: float | None
    """Return, % per year"""
    benchmark_5y: float | None
    """Return, % per year"""
    benchmark_10y: float | None
    """Return, % per year"""
    asset_allocation: list[Allocation] | None
    """Asset allocation"""
    fees: list[Fee] | None
    """Fees"""
    min_initial: float | None
    """First purchase, THB"""
    min_additional: float | None
    """Later purchases, THB"""
    min_redemption: float | None
    """Redemption, THB"""
    min_balance: float | None
    """Balance, THB"""
    factsheet_url: str | None
    """Fact sheet"""
    annual_report_url: str | None
    """Annual report"""
    halfyear_report_url: str | None
    """Half-year report"""
    suitability_risk_level: str | None
    """Base64 of Thai text; plain in suitability"""
    suitability_target_investor: str | None
    """Base64 of Thai text; plain in suitability"""
    suitability_investment_horizon: str | None
    """Base64 of Thai text; plain in suitability"""
    suitability: Suitability
    """The three above as plain text"""
    gone_since: str | None
    """Day since when the market's register lacks it"""
    statistics: FactSheetStatistics | None
    """Statistics of the fact sheet"""
    dividends: list[Dividend] | None
    """Dividends paid"""
    reconciled: dict[str, ReconciledReturn]
    """Reported returns beside those computed from NAV, if NAV reaches back far enough"""
    nulls: Nulls
    """Why a figure is null"""


class DetailedFund(FundAnswer):
    fund: FundDetail
    """The fund"""


class FundDetailAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: DetailedFund
    """For programs"""
    meta: DetailMeta = Field(serialization_alias="_meta")
    """Metadata"""
