"""The four tools for savers as the suite lists them."""

from __future__ import annotations

from functools import partial

from sanya.suite import Example, NotFound, Tool
from sanya.suites.funds.analysis import contract
from sanya.suites.funds.analysis.tools import AnalysisTools
from sanya.suites.funds.dialect import DIALECT

_UNHASHED = ("_meta.timestamp",)


def build_analysis_tools(tools: AnalysisTools, suite: str) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=suite, dialect=DIALECT, unhashed=_UNHASHED)
    return (
        tool(
            name="rank_rmf_funds",
            title="Rank funds by risk or fee",
            description="Ranks Thai retirement funds by drawdown, volatility, Sharpe ratio, consistency or fee. By "
            "return use get_rmf_fund_performance; funds without the figure are counted, never ranked.",
            input=contract.RankFundsInput,
            left_out_in_short=("structuredContent.rule", "structuredContent.funds.*.amc"),
            specialist=True,
            output=contract.MeasuredFundsAnswer,
            handler=tools.rank_rmf_funds,
            examples=(Example("Steadiest of a year", {"measure": "volatility", "limit": 5}),),
        ),
        tool(
            name="simulate_rmf_dca",
            title="Simulate monthly purchases",
            description="Simulates monthly purchases of one to five funds over their NAV history. For NAV alone "
            "use get_rmf_fund_nav_history; it never forecasts.",
            input=contract.SimulatePurchasesInput,
            left_out_in_short=("structuredContent.rule",),
            specialist=True,
            output=contract.SimulationAnswer,
            handler=tools.simulate_rmf_dca,
            faults=(NotFound,),
            examples=(Example("5,000 a month", {"fundCodes": ["ABAPAC-RMF"], "monthlyAmount": 5000}),),
        ),
        tool(
            name="plan_rmf_contribution",
            title="Limits for RMF purchases",
            description="Computes how much RMF may still be deducted from Thai tax, with the rules and their "
            "sources. To choose funds use search_rmf_funds; it never gives tax advice.",
            input=contract.PlanContributionInput,
            left_out_in_short=("structuredContent.rules", "structuredContent.leftOut"),
            specialist=True,
            output=contract.ContributionPlanAnswer,
            handler=tools.plan_rmf_contribution,
            examples=(
                Example("Beside a provident fund", {"taxYear": 2567, "taxableIncome": 1200000, "others": 100000}),
            ),
        ),
        tool(
            name="portfolio_rmf",
            title="Analyse a portfolio",
            description="Computes return, volatility, drawdown, correlation and overlap of weighted funds. Without "
            "weights use compare_rmf_funds; it never proposes weights.",
            input=contract.PortfolioInput,
            left_out_in_short=("structuredContent.rule",),
            specialist=True,
            output=contract.PortfolioAnswer,
            handler=tools.analyse_portfolio,
            faults=(NotFound,),
            examples=(Example("Two halves", {"fundCodes": ["ABAPAC-RMF", "DEMO-BONDRMF"], "weights": [50, 50]}),),
        ),
    )
