"""The four tools for savers as the suite lists them."""

from __future__ import annotations

from functools import partial

from sanya.kernel.faults import NotFound
from sanya.kernel.tool import Example, Tool
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
            description="Ranks Thai retirement funds by drawdown, volatility, Sharpe ratio, consistency or fee.",
            input=contract.RankFundsInput,
            output=contract.MeasuredFundsAnswer,
            handler=tools.rank_rmf_funds,
            examples=(Example("Steadiest of a year", {"measure": "volatility", "limit": 5}),),
        ),
        tool(
            name="simulate_rmf_dca",
            title="Simulate monthly purchases",
            description="Simulates monthly purchases of funds over their NAV history, with and without dividends.",
            input=contract.SimulatePurchasesInput,
            output=contract.SimulationAnswer,
            handler=tools.simulate_rmf_dca,
            faults=(NotFound,),
            examples=(Example("5,000 a month", {"fundCodes": ["ABAPAC-RMF"], "monthlyAmount": 5000}),),
        ),
        tool(
            name="plan_rmf_contribution",
            title="Limits for RMF purchases",
            description="Computes how much RMF may still be deducted from Thai tax; rules with sources, no advice.",
            input=contract.PlanContributionInput,
            output=contract.ContributionPlanAnswer,
            handler=tools.plan_rmf_contribution,
            examples=(
                Example("Beside a provident fund", {"taxYear": 2567, "taxableIncome": 1200000, "others": 100000}),
            ),
        ),
        tool(
            name="portfolio_rmf",
            title="Analyse a portfolio",
            description="Computes return, volatility, drawdown, correlation and overlap of weighted funds.",
            input=contract.PortfolioInput,
            output=contract.PortfolioAnswer,
            handler=tools.analyse_portfolio,
            faults=(NotFound,),
            examples=(Example("Two halves", {"fundCodes": ["ABAPAC-RMF", "DEMO-BONDRMF"], "weights": [50, 50]}),),
        ),
    )
