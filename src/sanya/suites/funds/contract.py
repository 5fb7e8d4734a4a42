"""The shapes of the six tools. Every body has three parts: a sentence, the structure, and `_meta`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from sanya.kernel.shapes import Integer, Shape, Text
from sanya.suites.funds.fund import Nulls

MAX_TEXT_CHARS = 200
MAX_CODE_CHARS = 64

Language = Literal["en", "th"]
SortField = Literal["ytd", "1y", "risk", "nav", "name"]
Direction = Literal["asc", "desc"]
Period = Literal["ytd", "3m", "6m", "1y", "3y", "5y"]
Comparison = Literal["all", "performance", "risk", "fees"]

Words = Annotated[Text, Field(max_length=MAX_TEXT_CHARS)]
Code = Annotated[Text, Field(min_length=1, max_length=MAX_CODE_CHARS)]
Risk = Annotated[Integer, Field(ge=1, le=8)]


class Request(Shape):
    """Arguments in camelCase, as the contract spells them."""

    model_config = ConfigDict(alias_generator=to_camel)

    lang: Language | None = None
    """Of the sentence"""


class Answer(Shape):
    """Parts in camelCase; our code fills them by their Python names."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


class GetFundsInput(Request):
    page: Annotated[Integer, Field(ge=1, le=1_000_000)] = 1
    """Page number"""
    page_size: Annotated[Integer, Field(ge=1, le=50)] = 20
    """Funds a page"""
    sort_by: SortField = "ytd"
    """Unknown comes last"""
    sort_order: Direction = "desc"
    """Direction"""
    fund_type: Words | None = None
    """Only this type; all are RMF"""
    search: Words | None = None
    """In name or symbol"""


class SearchFundsInput(Request):
    search: Words | None = None
    """In name or symbol"""
    amc: Words | None = None
    """Part of the manager's name"""
    min_risk_level: Risk | None = None
    """Lowest"""
    max_risk_level: Risk | None = None
    """Highest"""
    min_ytd_return: float | None = None
    """Least YTD, %"""
    category: Words | None = None
    """Class, e.g. EQAS, FIX; or equity, fixed, mixed, gold"""
    sort_by: SortField = "ytd"
    """Unknown comes last"""
    sort_order: Direction = "desc"
    """Direction"""
    limit: Annotated[Integer, Field(ge=1, le=100)] = 20
    """Most funds"""


class GetFundDetailInput(Request):
    fund_code: Code
    """Symbol, e.g. ABAPAC-RMF"""


class GetFundPerformanceInput(Request):
    period: Period
    """Period of the return"""
    sort_by: Direction = "desc"
    """desc: best first"""
    limit: Annotated[Integer, Field(ge=1, le=50)] = 10
    """Most funds"""
    risk_level: Risk | None = None
    """Only this risk, 1-8"""


class GetNavHistoryInput(Request):
    fund_code: Code
    """Symbol, e.g. ABAPAC-RMF"""
    days: Annotated[Integer, Field(ge=1, le=365)] = 30
    """Calendar days back from the latest NAV"""


class CompareFundsInput(Request):
    fund_codes: Annotated[list[Code], Field(min_length=2, max_length=5)]
    """2-5 symbols"""
    compare_by: Comparison = "all"
    """What the sentence dwells on"""


class Sentence(Shape):
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
    """Its day"""
    nav_change_percent: float | None
    """Daily change, %"""
    risk_level: int
    """1-8"""
    perf_ytd: float | None
    """YTD, %"""
    perf_1y: float | None
    """1 year, %"""
    fund_classification: str | None
    """AIMC class"""
    nulls: Nulls
    """Why a figure is null"""


class Meta(Shape):
    """What every answer's `_meta` has. `demo` tells that the funds are samples, not the market."""

    output_template: str = Field(serialization_alias="openai/outputTemplate")
    """Widget"""
    timestamp: str
    """When answered, UTC"""
    demo: bool
    """Sample data, not real funds"""


class ListMeta(Meta):
    filters: dict[str, str | int]
    """What was applied"""


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
    """Days asked for"""


class ComparisonMeta(Meta):
    compare_by: str = Field(serialization_alias="compareBy")
    """What was compared"""
    fund_count: int = Field(serialization_alias="fundCount")
    """How many"""


class FundPage(Answer):
    funds: list[ListedFund]
    """Funds of this page"""
    total_count: int
    """Funds in all"""
    page: int
    """Page number"""
    page_size: int
    """Funds a page"""
    total_pages: int
    """Pages in all"""


class FoundFunds(Answer):
    funds: list[ListedFund]
    """At most limit funds"""
    total_count: int
    """Funds that match"""
    applied_filters: dict[str, str | int | float]
    """Filters as given"""


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
    """Its day"""
    nulls: Nulls
    """Why a figure is null"""


class PeriodStatistics(Answer):
    average: float | None
    """Mean, %"""
    median: float | None
    """Median, %"""
    min: float | None
    """Least, %"""
    max: float | None
    """Most, %"""
    funds_counted: int
    """Funds with a figure"""


class RankedFunds(Answer):
    period: str
    """Period"""
    funds: list[RankedFund]
    """Funds with a figure, in order"""
    period_stats: PeriodStatistics
    """Over all funds, whatever their risk"""


class HistoryPoint(Answer):
    date: str
    """Day"""
    nav: float
    """NAV, THB"""
    change: float | None
    """From the point before, THB"""
    change_percent: float | None
    """Likewise, %"""


class NavHistory(Answer):
    fund_code: str
    """Symbol"""
    fund_name: str
    """Name"""
    nav_history: list[HistoryPoint]
    """Oldest first"""
    points: int
    """How many"""
    period_return: float | None
    """Last by first, %"""
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
    """Its day"""
    nulls: Nulls
    """Why a figure is null"""


class ComparedFee(Shape):
    fee_desc: str | None
    """Name at the source"""
    fee_value: float | None
    """Percent a year"""


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
    """3 years, % a year"""
    perf_5y: float | None
    """5 years, % a year"""
    benchmark_name: str | None
    """Benchmark"""
    benchmark_ytd: float | None
    """Its YTD, %"""
    benchmark_1y: float | None
    """Its year, %"""
    fees: list[ComparedFee] | None
    """Fees"""
    volatility_1y: float | None
    """Of a whole year's daily returns, %"""
    volatility: float | None
    """Of the daily returns there are within a year, %"""
    points: int
    """NAV points it rests on"""
    tracking_error: float | None
    """As reported, % a year"""
    nav_value: float | None
    """NAV, THB"""
    nav_date: str | None
    """Its day"""
    nulls: Nulls
    """Why a figure is null"""


class Highlights(Answer):
    best_ytd: str | None
    """Symbol; null where an unknown figure could win"""
    worst_ytd: str | None
    """Likewise"""
    lowest_risk: str
    """Symbol"""
    highest_risk: str
    """Symbol"""
    lowest_fees: str | None
    """Likewise"""


class ComparedFunds(Answer):
    funds: list[ComparedFund]
    """In the order asked for"""
    comparison_highlights: Highlights
    """Who stands out"""


class FundListAnswer(Answer):
    content: list[Sentence]
    """For people"""
    structured_content: FundPage
    """For programs"""
    meta: ListMeta = Field(serialization_alias="_meta")
    """Beside it"""


class FoundFundsAnswer(Answer):
    content: list[Sentence]
    """For people"""
    structured_content: FoundFunds
    """For programs"""
    meta: Meta = Field(serialization_alias="_meta")
    """Beside it"""


class RankedFundsAnswer(Answer):
    content: list[Sentence]
    """For people"""
    structured_content: RankedFunds
    """For programs"""
    meta: ListMeta = Field(serialization_alias="_meta")
    """Beside it"""


class NavHistoryAnswer(Answer):
    content: list[Sentence]
    """For people"""
    structured_content: NavHistory
    """For programs"""
    meta: HistoryMeta = Field(serialization_alias="_meta")
    """Beside it"""


class ComparisonAnswer(Answer):
    content: list[Sentence]
    """For people"""
    structured_content: ComparedFunds
    """For programs"""
    meta: ComparisonMeta = Field(serialization_alias="_meta")
    """Beside it"""
