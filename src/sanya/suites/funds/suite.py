"""The funds suite: ten tools, a resource for each fund, and the widgets that show answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from pydantic import ValidationError

from sanya.suite import Caller, Content, Context, Example, NotFound, Resource, Suite, Tool
from sanya.suites.funds import contract
from sanya.suites.funds.analysis.suite import build_analysis_tools
from sanya.suites.funds.analysis.tools import AnalysisTools
from sanya.suites.funds.detail_contract import FundDetailAnswer
from sanya.suites.funds.dialect import DIALECT
from sanya.suites.funds.pages import CARD, CHART, COMPARISON, LIST, FundWidget, build_widget_resources
from sanya.suites.funds.prompts import build_prompts
from sanya.suites.funds.store import NAME, FundStore
from sanya.suites.funds.tools import FundTools

KEYWORDS = ("RMF", "retirement", "mutual fund", "Thailand", "tax", "NAV", "performance")
_COMPLETIONS = 20
_SHOWN_CHARS = 64
# The contract puts the time of the answer into `_meta`; it is no part of the answer's content.
_UNHASHED = ("_meta.timestamp",)


def build(store: FundStore, pages: Iterable[FundWidget]) -> Suite:
    """Build the suite. `pages` are the four widgets."""
    tools, widgets = FundTools(store), {page.name: page for page in pages}
    return Suite(
        name=NAME,
        title="Funds",
        dialect=DIALECT,
        tools=(
            *_build_list_tools(tools, widgets[LIST]),
            *_build_fund_tools(tools, widgets),
            *build_analysis_tools(AnalysisTools(store), NAME),
        ),
        resources=(
            _build_fund_resource(store, tools),
            *(resource for page in widgets.values() for resource in build_widget_resources(page, NAME)),
        ),
        prompts=build_prompts(store),
    )


def _build_meta(page: FundWidget, *queries: str) -> dict[str, Any]:
    return {"keywords": list(KEYWORDS), "exampleQueries": list(queries), **page.describe_for_tool()}


def _build_list_tools(tools: FundTools, page: FundWidget) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, unhashed=_UNHASHED)
    return (
        tool(
            name="get_rmf_funds",
            title="List funds",
            description="Lists Thai retirement funds (RMF) in pages. With filters use search_rmf_funds, by fee "
            "rank_rmf_funds; it never recommends one.",
            input=contract.GetFundsInput,
            output=contract.FundListAnswer,
            handler=tools.get_rmf_funds,
            meta=_build_meta(page, "Show me top RMF funds", "List retirement funds with best returns"),
            examples=(
                Example("The best of this year", {"pageSize": 5}),
                Example("By name, in Thai", {"search": "หุ้น", "sortBy": "name", "sortOrder": "asc"}),
            ),
        ),
        tool(
            name="search_rmf_funds",
            title="Search funds",
            description="Searches Thai retirement funds by filters. For a known symbol use "
            "get_rmf_fund_detail; it never recommends a fund.",
            input=contract.SearchFundsInput,
            left_out_in_short=("structuredContent.appliedFilters", "structuredContent.inferredCount"),
            output=contract.FoundFundsAnswer,
            handler=tools.search_rmf_funds,
            meta=_build_meta(page, "Low-risk Krungsri funds", "Equity RMF"),
            examples=(
                Example("Low risk", {"maxRiskLevel": 4}),
                Example("Equity funds that gained", {"category": "equity", "minYtdReturn": 5.0}),
            ),
        ),
        tool(
            name="get_rmf_fund_performance",
            title="Rank funds by return",
            description="Ranks Thai retirement funds by return over a period. By risk or fee use rank_rmf_funds; past "
            "returns never promise future ones.",
            input=contract.GetFundPerformanceInput,
            left_out_in_short=(
                "structuredContent.funds.*.amc",
                "structuredContent.funds.*.nav_value",
                "structuredContent.funds.*.nav_date",
            ),
            output=contract.RankedFundsAnswer,
            handler=tools.get_rmf_fund_performance,
            meta=_build_meta(page, "Top performing RMF funds this year", "Best 1-year returns"),
            examples=(Example("Best of one year", {"period": "1y", "limit": 5}),),
        ),
    )


def _build_fund_tools(tools: FundTools, pages: Mapping[str, FundWidget]) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, unhashed=_UNHASHED, faults=(NotFound,))
    return (
        tool(
            name="get_rmf_fund_detail",
            title="Show a fund",
            description="Shows a Thai retirement fund: NAV, returns, holdings, fees, documents. To find its symbol "
            "use search_rmf_funds, for several compare_rmf_funds; it never guesses.",
            input=contract.GetFundDetailInput,
            left_out_in_short=(
                "structuredContent.fund.fund_id",
                "structuredContent.fund.suitability_risk_level",
                "structuredContent.fund.suitability_target_investor",
                "structuredContent.fund.suitability_investment_horizon",
            ),
            output=FundDetailAnswer,
            handler=tools.get_rmf_fund_detail,
            meta=_build_meta(pages[CARD], "Tell me about ABAPAC-RMF", "Show details for B-ASIARMF"),
            examples=(Example("One fund", {"fundCode": "ABAPAC-RMF"}),),
        ),
        tool(
            name="get_rmf_fund_nav_history",
            title="NAV history",
            description="Shows a fund's daily NAV with return, volatility, drawdown. For purchases use "
            "simulate_rmf_dca, for several funds compare_rmf_funds; it never fills gaps.",
            input=contract.GetNavHistoryInput,
            left_out_in_short=("structuredContent.navHistory.*.change",),
            output=contract.NavHistoryAnswer,
            handler=tools.get_rmf_fund_nav_history,
            meta=_build_meta(pages[CHART], "Show NAV chart for ABAPAC-RMF", "NAV trends over 90 days"),
            examples=(Example("A quarter", {"fundCode": "ABAPAC-RMF", "days": 90}),),
        ),
        tool(
            name="compare_rmf_funds",
            title="Compare funds",
            description="Compares two to five Thai retirement funds: returns, risk, fees, volatility. For one use "
            "get_rmf_fund_detail, for weights portfolio_rmf; an unknown figure never wins.",
            input=contract.CompareFundsInput,
            output=contract.ComparisonAnswer,
            handler=tools.compare_rmf_funds,
            meta=_build_meta(pages[COMPARISON], "Compare ABAPAC-RMF and B-ASIARMF", "Which fund is better?"),
            examples=(
                Example("Three funds", {"fundCodes": ["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH"]}),
                Example(
                    "In Thai, by risk", {"fundCodes": ["ABAPAC-RMF", "B-ASIARMF"], "compareBy": "risk", "lang": "th"}
                ),
            ),
        ),
    )


def _build_fund_resource(store: FundStore, tools: FundTools) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        code = parts["code"]
        try:
            request = contract.GetFundDetailInput.model_validate({"fundCode": code})
        except ValidationError:
            raise NotFound(f"Fund code {code[:_SHOWN_CHARS]!r} does not exist") from None
        answer = await tools.get_rmf_fund_detail(request, context)
        return Content(data=answer.structured_content.fund.model_dump(mode="json"))

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return (await store.load_snapshot()).complete_code(text, _COMPLETIONS)

    return Resource(
        uri="funds://fund/{code}",
        suite=NAME,
        name="fund",
        title="One fund",
        description="A fund by its symbol.",
        read=read,
        complete={"code": complete},
    )
