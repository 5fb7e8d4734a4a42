"""The shapes of the six tools. Every body has three parts: a text summary, the structured content, and `_meta`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from sanya.suite import DetailedRequest, Integer, Shape, Text
from sanya.suites.funds.fund import Nulls

MAX_TEXT_CHARS = 200
MAX_CODE_CHARS = 64

FundLanguage = Literal["en", "th"]
SortField = Literal["ytd", "1y", "3y", "5y", "risk", "nav", "name"]
SortDirection = Literal["asc", "desc"]
Period = Literal["ytd", "3m", "6m", "1y", "3y", "5y"]
ComparisonAspect = Literal["all", "performance", "risk", "fees"]

FundSearchText = Annotated[Text, Field(max_length=MAX_TEXT_CHARS)]
Code = Annotated[Text, Field(min_length=1, max_length=MAX_CODE_CHARS)]
Risk = Annotated[Integer, Field(ge=1, le=8)]


class FundRequest(DetailedRequest):
    """Base of the inputs: arguments in camelCase, as the contract spells them."""

    model_config = ConfigDict(alias_generator=to_camel)

    lang: FundLanguage | None = None
    """Language of the summary"""


class FundAnswer(Shape):
    """Base of the outputs: fields in camelCase, filled by their Python names."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


class GetFundsInput(FundRequest):
    page: Annotated[Integer, Field(ge=1, le=1_000_000)] = 1
    """Page number from 1, e.g. 2"""
    page_size: Annotated[Integer, Field(ge=1, le=50)] = 20
    """Funds per page, e.g. 20"""
    sort_by: SortField = "ytd"
    """Figure to sort by, e.g. 1y"""
    sort_order: SortDirection = "desc"
    """desc: highest first"""
    fund_type: FundSearchText | None = None
    """RMF, the only type"""
    search: FundSearchText | None = None
    """Words of name, class, manager or benchmark, e.g. gold"""


class SearchFundsInput(FundRequest):
    search: FundSearchText | None = None
    """Words of name, class, manager or benchmark, e.g. gold"""
    amc: FundSearchText | None = None
    """Manager or brand, e.g. KASIKORN"""
    min_risk_level: Risk | None = None
    """Lowest risk, 1 to 8"""
    max_risk_level: Risk | None = None
    """Highest risk, 1 to 8"""
    min_ytd_return: float | None = None
    """Least return since January in %, e.g. 5"""
    category: FundSearchText | None = None
    """Class or theme, e.g. EQAS, gold, S&P 500"""
    sort_by: SortField = "ytd"
    """Figure to sort by, e.g. 1y"""
    sort_order: SortDirection = "desc"
    """desc: highest first"""
    limit: Annotated[Integer, Field(ge=1, le=100)] = 20
    """Most funds to return, e.g. 10"""


class GetFundDetailInput(FundRequest):
    fund_code: Code
    """Symbol of the fund, e.g. ABAPAC-RMF"""


class GetFundPerformanceInput(FundRequest):
    period: Period
    """Period of the return, e.g. 1y"""
    sort_by: SortDirection = "desc"
    """desc: best first"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most funds to return, e.g. 10"""
    risk_level: Risk | None = None
    """Only this risk, 1 to 8"""


class GetNavHistoryInput(FundRequest):
    fund_code: Code
    """Symbol of the fund, e.g. ABAPAC-RMF"""
    days: Annotated[Integer, Field(ge=1, le=365)] = 30
    """Days back from the latest NAV, e.g. 90"""


class CompareFundsInput(FundRequest):
    fund_codes: Annotated[list[Code], Field(min_length=2, max_length=5)]
    """2 to 5 symbols, e.g. ["ABAPAC-RMF", "KFGOLDRMF"]"""
    compare_by: ComparisonAspect = "all"
    """Focus of the summary, e.g. fees"""
    days: Annotated[Integer, Field(ge=7, le=3650)] = 365
    """Days of the joint chart, e.g. 365"""


class TextContent(Shape):
    type: Literal["text"]
    """Kind"""
    text: str
    """For people"""


class ListedFund(Shape):
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    amc: str | None
    """Manager"""
    nav_value: float | None
    """NAV, THB"""
    nav_date: str | None
    """Day of the NAV"""
    nav_change_percent: float | None
    """Daily change, %"""
    risk_level: int
    """1-8"""
    perf_ytd: float | None
    """YTD, %"""
    perf_1y: float | None
    """1 year, %"""
    perf_3y: float | None
    """3 years, % per year"""
    perf_5y: float | None
    """5 years, % per year"""
    fund_classification: str | None
    """AIMC class"""
    gone_since: str | None
    """Day since when the market's register lacks it"""
    nulls: Nulls
    """Why a figure is null"""


class Meta(Shape):
    """The fields of every answer's `_meta`. `demo` is true for sample funds."""

    output_template: str = Field(serialization_alias="openai/outputTemplate")
    """Widget"""
    timestamp: str
    """Time of the answer, UTC"""
    demo: bool
    """Sample data, not real funds"""


class ListMeta(Meta):
    filters: dict[str, str | int]
    """Applied filters"""


class DatedNav(Shape):
    date: str
    """Day"""
    nav: float
    """NAV, THB"""


class DetailMeta(Meta):
    nav_history_7d: list[DatedNav] = Field(serialization_alias="navHistory7d")
    """The last seven days"""


class HistoryMeta(Meta):
    days: int
    """Requested days"""


class JointChart(FundAnswer):
    """The NAV of several funds on the days that all of them have, as an index that starts at 100."""

    from_day: str = Field(serialization_alias="from")
    """First common day"""
    to_day: str = Field(serialization_alias="to")
    """Last common day"""
    is_short: bool
    """True if it starts later than requested"""
    dates: list[str]
    """Days"""
    series: dict[str, list[float]]
    """Index by symbol"""


class ComparisonMeta(Meta):
    compare_by: str = Field(serialization_alias="compareBy")
    """Compared aspect"""
    fund_count: int = Field(serialization_alias="fundCount")
    """Number of funds"""
    chart: JointChart | None
    """Joint chart; null without common days"""


class FundPage(FundAnswer):
    funds: list[ListedFund]
    """Funds of this page"""
    total_count: int
    """Funds in all"""
    page: int
    """Page number"""
    page_size: int
    """Funds per page"""
    total_pages: int
    """Pages in all"""


class FoundFunds(FundAnswer):
    funds: list[ListedFund]
    """At most limit funds"""
    total_count: int
    """Funds that match"""
    applied_filters: dict[str, str | int | float]
    """Filters as given"""
    inferred_count: int
    """Funds shown that only their names place in the category"""


class RankedFund(Shape):
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    amc: str | None
    """Manager"""
    risk_level: int
    """1-8"""
    performance: float
    """Return, %"""
    benchmark_performance: float | None
    """Benchmark's, %"""
    outperformance: float | None
    """Difference, points"""
    nav_value: float | None
    """NAV, THB"""
    nav_date: str | None
    """Day of the NAV"""
    gone_since: str | None
    """Day since when the market's register lacks it"""
    nulls: Nulls
    """Why a figure is null"""


class PeriodStatistics(FundAnswer):
    average: float | None
    """Mean, %"""
    median: float | None
    """Median, %"""
    min: float | None
    """Minimum, %"""
    max: float | None
    """Maximum, %"""
    funds_counted: int
    """Funds with a figure"""


class RankedFunds(FundAnswer):
    period: str
    """Period"""
    funds: list[RankedFund]
    """Funds with a figure, in order"""
    period_stats: PeriodStatistics
    """Over all funds, whatever their risk"""


class NavHistoryPoint(FundAnswer):
    date: str
    """Day"""
    nav: float
    """NAV, THB"""
    change: float | None
    """From the point before, THB"""
    change_percent: float | None
    """From the point before, %"""


class NavHistory(FundAnswer):
    fund_code: str
    """Symbol"""
    fund_name: str
    """Name"""
    nav_history: list[NavHistoryPoint]
    """Oldest first"""
    points: int
    """Number of points"""
    from_day: str | None = Field(serialization_alias="from")
    """First day"""
    to_day: str | None = Field(serialization_alias="to")
    """Last day"""
    covered: int
    """Days from first to last"""
    is_short: bool
    """True if the history starts later than requested: periodReturn is of the covered days only"""
    period_return: float | None
    """Last NAV relative to the first, %"""
    volatility: float | None
    """Population standard deviation of daily returns, %"""
    max_drawdown: float | None
    """Deepest fall from a peak, %"""
    min_nav: float | None
    """Lowest"""
    max_nav: float | None
    """Highest"""
    avg_nav: float | None
    """Mean"""
    current_nav: float | None
    """Last"""
    current_date: str | None
    """Day of the NAV"""
    nulls: Nulls
    """Why a figure is null"""


class ComparedFee(Shape):
    fee_desc: str | None
    """Name at the source"""
    fee_value: float | None
    """Percent per year"""


class ComparedFund(Shape):
    symbol: str
    """Symbol"""
    fund_name: str
    """Name"""
    amc: str | None
    """Manager"""
    risk_level: int
    """1-8"""
    perf_ytd: float | None
    """YTD, %"""
    perf_1y: float | None
    """1 year, %"""
    perf_3y: float | None
    """3 years, % per year"""
    perf_5y: float | None
    """5 years, % per year"""
    benchmark_name: str | None
    """Benchmark"""
    benchmark_ytd: float | None
    """Benchmark YTD, %"""
    benchmark_1y: float | None
    """Benchmark 1 year, %"""
    fees: list[ComparedFee] | None
    """Fees"""
    volatility_1y: float | None
    """Volatility of a whole year's daily returns, %"""
    volatility: float | None
    """Volatility of the known daily returns within a year, %"""
    points: int
    """NAV points used"""
    tracking_error: float | None
    """As reported, % per year"""
    nav_value: float | None
    """NAV, THB"""
    nav_date: str | None
    """Day of the NAV"""
    nulls: Nulls
    """Why a figure is null"""


class Highlights(FundAnswer):
    best_ytd: str | None
    """Symbol; null if an unknown figure could win"""
    worst_ytd: str | None
    """Symbol; null if an unknown figure could win"""
    lowest_risk: str
    """Symbol"""
    highest_risk: str
    """Symbol"""
    lowest_fees: str | None
    """Symbol; null if an unknown figure could win"""


class ComparedFunds(FundAnswer):
    funds: list[ComparedFund]
    """In the requested order"""
    comparison_highlights: Highlights
    """Best and worst funds; the first by symbol of several"""
    ties: dict[str, list[str]]
    """All symbols that share a highlight, if several do"""


class FundListAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: FundPage
    """For programs"""
    meta: ListMeta = Field(serialization_alias="_meta")
    """Metadata"""


class FoundFundsAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: FoundFunds
    """For programs"""
    meta: Meta = Field(serialization_alias="_meta")
    """Metadata"""


class RankedFundsAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: RankedFunds
    """For programs"""
    meta: ListMeta = Field(serialization_alias="_meta")
    """Metadata"""


class NavHistoryAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: NavHistory
    """For programs"""
    meta: HistoryMeta = Field(serialization_alias="_meta")
    """Metadata"""


class ComparisonAnswer(FundAnswer):
    content: list[TextContent]
    """For people"""
    structured_content: ComparedFunds
    """For programs"""
    meta: ComparisonMeta = Field(serialization_alias="_meta")
    """Metadata"""
