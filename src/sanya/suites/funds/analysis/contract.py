"""The shapes of the four tools for savers: ranking by risk and fee, monthly purchases, a tax plan, a portfolio."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sanya.suite import Integer, Shape
from sanya.suites.funds.contract import Code, FundAnswer, FundRequest, FundSearchText, Risk, TextContent
from sanya.suites.funds.fund import Nulls

RankMeasure = Literal["drawdown", "volatility", "sharpe", "consistency", "fee"]
HistoryDays = Annotated[Integer, Field(ge=7, le=3650)]
Baht = Annotated[float, Field(ge=0, le=1_000_000_000)]
IsoDay = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Weight = Annotated[float, Field(gt=0, le=100)]


class AnalysisMeta(Shape):
    timestamp: str
    """Time of the answer, UTC"""
    demo: bool
    """Sample data, not real funds"""


class RankFundsInput(FundRequest):
    measure: RankMeasure
    """Figure to rank by, e.g. fee"""
    days: HistoryDays = 365
    """Days back from the latest NAV, e.g. 365"""
    risk_free: Annotated[float, Field(ge=-10, le=50)] = 0.0
    """Riskless return for sharpe, percent per year, e.g. 1.5"""
    risk_level: Risk | None = None
    """Only this risk, 1 to 8, e.g. 5"""
    category: FundSearchText | None = None
    """Class or theme as in search_rmf_funds, e.g. equity"""
    amc: FundSearchText | None = None
    """Manager or brand, e.g. KASIKORN"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most funds to return, e.g. 10"""


class MeasuredFund(FundAnswer):
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    amc: str | None
    """Manager"""
    risk_level: int
    """1-8"""
    value: float
    """Figure"""
    worst: float | None
    """Consistency: worst year, %"""
    median: float | None
    """Consistency: median year, %"""
    windows: int | None
    """Consistency: years counted"""
    from_day: str | None = Field(serialization_alias="from")
    """First day"""
    to_day: str | None = Field(serialization_alias="to")
    """Last day"""
    points: int
    """NAV points"""
    gone_since: str | None
    """Day since when the market's register lacks it"""


class MeasuredFunds(FundAnswer):
    measure: str
    """Measure"""
    unit: str
    """%, % per year or ratio"""
    rule: str
    """How it is computed"""
    best: Literal["highest", "lowest"]
    """Which comes first"""
    funds: list[MeasuredFund]
    """Best first"""
    considered: int
    """Funds that match"""
    left_out: dict[str, int]
    """Funds without the figure, by reason"""
    longest_history: int | None
    """Days that the longest history covers"""


class MeasuredFundsAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: MeasuredFunds
    """For programs"""
    meta: AnalysisMeta = Field(serialization_alias="_meta")
    """Metadata"""


class SimulatePurchasesInput(FundRequest):
    fund_codes: Annotated[list[Code], Field(min_length=1, max_length=5)]
    """1 to 5 symbols, e.g. ["ABAPAC-RMF"]"""
    monthly_amount: Annotated[float, Field(ge=1, le=10_000_000)]
    """THB per month, split evenly, e.g. 5000"""
    day_of_month: Annotated[Integer, Field(ge=1, le=28)] = 1
    """Day of purchase, 1 to 28; else the next day with a NAV"""
    from_day: IsoDay | None = Field(default=None, alias="from")
    """First day, YYYY-MM-DD, e.g. 2024-01-01"""
    to_day: IsoDay | None = Field(default=None, alias="to")
    """Last day, YYYY-MM-DD, e.g. 2024-12-31"""


class SimulatedFund(FundAnswer):
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    purchases: int
    """Number"""
    invested: float
    """THB"""
    units: float
    """Units"""
    average_cost: float | None
    """THB per unit"""
    last_nav: float
    """NAV, THB"""
    value: float
    """THB, dividends not counted"""
    value_with_dividends: float | None
    """THB, dividends reinvested"""
    gain_percent: float | None
    """Value over invested, %"""
    annual_return: float | None
    """Money-weighted, % per year"""
    nulls: Nulls
    """Why a figure is null"""


class Simulation(FundAnswer):
    from_day: str = Field(serialization_alias="from")
    """First day of the common history"""
    to_day: str = Field(serialization_alias="to")
    """Last day"""
    funds: list[SimulatedFund]
    """Each fund"""
    invested: float
    """THB in all"""
    value: float
    """THB in all"""
    value_with_dividends: float | None
    """THB in all"""
    gain_percent: float | None
    """Value over invested, %"""
    annual_return: float | None
    """Money-weighted, % per year"""
    rule: str
    """How it is computed"""
    nulls: Nulls
    """Why a figure is null"""


class SimulationAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: Simulation
    """For programs"""
    meta: AnalysisMeta = Field(serialization_alias="_meta")
    """Metadata"""


class PlanContributionInput(FundRequest):
    tax_year: Annotated[Integer, Field(ge=2020, le=2643)]
    """Year, common or Buddhist era, e.g. 2024 or 2567"""
    taxable_income: Baht
    """Income of the year in THB, e.g. 900000"""
    bought: Baht = 0.0
    """RMF bought this year in THB, e.g. 50000"""
    others: Baht = 0.0
    """SSF, provident, pension and savings funds, pension insurance together, THB"""
    birth_date: IsoDay | None = None
    """Birthday, YYYY-MM-DD, for the first day of sale"""
    first_purchase: IsoDay | None = None
    """Day of the first RMF purchase, YYYY-MM-DD"""


class SourcedRule(FundAnswer):
    id: str
    """Rule"""
    text: str
    """Rule in words"""
    official: str | None
    """Official text; null if not found"""
    pages: list[str]
    """Where it was read"""


class ContributionPlan(FundAnswer):
    tax_year: int
    """Common era"""
    rules_year: int
    """Year of the rules"""
    is_sourced: bool
    """False: no source for this year; rules of rulesYear"""
    own_limit: float
    """Share of income, THB"""
    combined_limit: float
    """With the other products, THB"""
    others: float
    """Other products, THB"""
    deductible: float
    """Of what was bought, THB"""
    room: float
    """May still be bought, THB"""
    excess: float
    """Bought beyond the limit, THB"""
    first_sale_day: str | None
    """First day of sale within the rules"""
    rules: list[SourcedRule]
    """Rules applied"""
    left_out: str
    """What is not considered"""


class ContributionPlanAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: ContributionPlan
    """For programs"""
    meta: AnalysisMeta = Field(serialization_alias="_meta")
    """Metadata"""


class PortfolioInput(FundRequest):
    fund_codes: Annotated[list[Code], Field(min_length=1, max_length=10)]
    """1 to 10 symbols, e.g. ["ABAPAC-RMF"]"""
    weights: Annotated[list[Weight], Field(min_length=1, max_length=10)]
    """Percent in the order of fundCodes, sum 100, e.g. [60, 40]"""
    days: HistoryDays = 365
    """Days back from the latest NAV, e.g. 365"""


class Portfolio(FundAnswer):
    from_day: str | None = Field(serialization_alias="from")
    """First common day"""
    to_day: str | None = Field(serialization_alias="to")
    """Last common day"""
    covered: int
    """Days"""
    is_short: bool
    """True if less than requested"""
    points: int
    """Common days with a NAV"""
    period_return: float | None
    """%"""
    volatility: float | None
    """Of daily returns, %"""
    annual_volatility: float | None
    """% per year"""
    max_drawdown: float | None
    """%"""
    symbols: list[str]
    """Order of the correlations"""
    correlation: list[list[float | None]]
    """Of daily returns"""
    classes: dict[str, float]
    """Weight by class, %"""
    managers: dict[str, float]
    """Weight by manager, %"""
    rule: str
    """How it is computed"""
    nulls: Nulls
    """Why a figure is null"""


class PortfolioAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: Portfolio
    """For programs"""
    meta: AnalysisMeta = Field(serialization_alias="_meta")
    """Metadata"""
