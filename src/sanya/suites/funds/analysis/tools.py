"""Handlers of the four tools for savers. All are read-only; each answer has its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import fsum
from typing import Any

from sanya.suite import Context, InvalidArgument
from sanya.suite.runtime import format_timestamp
from sanya.suites.funds.analysis import contract, tax_rules
from sanya.suites.funds.analysis.days import BUDDHIST_YEARS, parse_day, to_common_year
from sanya.suites.funds.analysis.joint_chart import find_first_day
from sanya.suites.funds.analysis.measures import BEST, UNITS, Measurement, count_days, measure_fund
from sanya.suites.funds.analysis.portfolio import compute_correlations, compute_values, sum_weights
from sanya.suites.funds.analysis.purchases import (
    Purchase,
    PurchasePlan,
    compute_money_weighted_return,
    hold_purchases,
    list_purchases,
    reinvest_dividends,
)
from sanya.suites.funds.analysis.series import NavSeries, align, compute_annual_volatility
from sanya.suites.funds.analysis.wording import AnalysisWording
from sanya.suites.funds.arithmetic import (
    compute_change_percent,
    compute_max_drawdown,
    compute_period_return,
    compute_volatility,
    round_figure,
)
from sanya.suites.funds.comparison import find_total_fee
from sanya.suites.funds.contract import FundLanguage, TextContent
from sanya.suites.funds.fund import Dividend, Fund, Nulls
from sanya.suites.funds.fund_snapshot import FundFilter, FundSnapshot
from sanya.suites.funds.lookup import find_funds
from sanya.suites.funds.naming.classes import describe_class
from sanya.suites.funds.store import FundStore
from sanya.suites.funds.wording import Wording, choose_language

# Reading more NAV points than this in one call would hold up other callers.
_MAX_POINTS = 2_000_000
_WEIGHT_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class AnalysisTools:
    store: FundStore

    async def rank_rmf_funds(self, request: contract.RankFundsInput, context: Context) -> contract.MeasuredFundsAnswer:
        snapshot = await self.store.load_snapshot()
        conditions = FundFilter(
            min_risk=request.risk_level, max_risk=request.risk_level, category=request.category, amc=request.amc
        )
        funds = list(snapshot.select(conditions, "name", descending=False))
        measured = [await self._measure(fund, request, len(funds)) for fund in funds]
        known = [(fund, figure) for fund, figure in zip(funds, measured, strict=True) if figure.value is not None]
        sign = -1 if BEST[request.measure] == "highest" else 1
        known.sort(key=lambda entry: (sign * (entry[1].value or 0.0), entry[0].symbol))
        words = _choose_wording(snapshot, request.lang, request.category, request.amc)
        ranking = contract.MeasuredFunds(
            measure=request.measure,
            unit=UNITS[request.measure],
            rule=words.explain_measure(request.measure),
            best=BEST[request.measure],
            funds=[_to_measured_fund(fund, figure) for fund, figure in known[: request.limit]],
            considered=len(funds),
            left_out=dict(sorted(Counter(figure.reason for figure in measured if figure.reason).items())),
            longest_history=None
            if request.measure == "fee"
            else max((figure.covered for figure in measured), default=None),
        )
        return contract.MeasuredFundsAnswer(
            content=_to_content(words.describe_ranking(ranking, request.days)),
            structured_content=ranking,
            meta=_build_meta(snapshot, context),
        )

    async def _measure(self, fund: Fund, request: contract.RankFundsInput, count: int) -> Measurement:
        if request.measure == "fee":
            fee = find_total_fee(await self.store.load_details(fund.symbol))
            return Measurement(fee, None if fee is not None else "not_reported")
        if count * request.days > _MAX_POINTS:
            raise InvalidArgument(
                f"{count:,} funds over {request.days:,} days are too many to rank in one call",
                field="days",
                hint="Narrow the funds by category, amc or riskLevel, or ask for fewer days.",
            )
        return measure_fund(await self.store.load_series(fund.symbol), request)

    async def simulate_rmf_dca(
        self, request: contract.SimulatePurchasesInput, context: Context
    ) -> contract.SimulationAnswer:
        snapshot = await self.store.load_snapshot()
        funds = find_funds(snapshot, request.fund_codes)
        symbols = [fund.symbol for fund in funds]
        series = await self.store.load_all_series(symbols)
        first, last = _find_span(series, _read_day("from", request.from_day), _read_day("to", request.to_day))
        plan = PurchasePlan(request.monthly_amount / len(funds), request.day_of_month, first, last)
        simulated, bought = [], list[Purchase]()
        details = await self.store.load_all_details(symbols)
        for fund, history, known in zip(funds, series, details, strict=True):
            purchases = list_purchases(history, plan)
            bought += purchases
            simulated.append(_simulate(fund, history.cut("", last), purchases, known.dividends, last))
        words = _choose_wording(snapshot, request.lang)
        simulation = _sum_simulation(plan, simulated, bought, words.explain_simulation())
        return contract.SimulationAnswer(
            content=_to_content(words.describe_simulation(simulation)),
            structured_content=simulation,
            meta=_build_meta(snapshot, context),
        )

    async def plan_rmf_contribution(
        self, request: contract.PlanContributionInput, context: Context
    ) -> contract.ContributionPlanAnswer:
        snapshot = await self.store.load_snapshot()
        year = to_common_year(request.tax_year)
        if year < tax_rules.FIRST_YEAR:
            raise InvalidArgument(
                f"taxYear {request.tax_year} is before the first year with rules on file",
                field="taxYear",
                hint=f"Give {tax_rules.FIRST_YEAR} ({tax_rules.FIRST_YEAR + BUDDHIST_YEARS}) or later.",
            )
        rules_year = min(year, tax_rules.LAST_YEAR)
        rules, words = tax_rules.list_rules(rules_year), _choose_wording(snapshot, request.lang)
        room = tax_rules.compute_room(rules, request.taxable_income, request.others, request.bought)
        plan = contract.ContributionPlan(
            tax_year=year,
            rules_year=rules_year,
            is_sourced=year == rules_year,
            own_limit=room.own_limit,
            combined_limit=room.combined_limit,
            others=request.others,
            deductible=room.deductible,
            room=room.room,
            excess=room.excess,
            first_sale_day=_find_sale_day(rules, request),
            rules=[
                contract.SourcedRule(
                    id=rule.id,
                    text=words.wording.choose(rule.english, rule.thai),
                    official=rule.official,
                    pages=list(rule.pages),
                )
                for rule in rules
            ],
            left_out=tax_rules.describe_left_out(words.wording.language),
        )
        return contract.ContributionPlanAnswer(
            content=_to_content(words.describe_plan(plan)),
            structured_content=plan,
            meta=_build_meta(snapshot, context),
        )

    async def analyse_portfolio(self, request: contract.PortfolioInput, context: Context) -> contract.PortfolioAnswer:
        _check_weights(request)
        snapshot = await self.store.load_snapshot()
        funds = find_funds(snapshot, request.fund_codes)
        since = find_first_day(funds, request.days)
        series = align(await self.store.load_all_series([fund.symbol for fund in funds], since))
        last = series[0].days[-1] if series[0].days else ""
        first = (date.fromisoformat(last) - timedelta(days=request.days)).isoformat() if last else ""
        is_short = not last or series[0].days[0] > first
        held = [history.cut(first, last) for history in series]
        words = _choose_wording(snapshot, request.lang)
        portfolio = _build_portfolio(snapshot, funds, held, request, words)
        portfolio = portfolio.model_copy(update={"is_short": is_short})
        return contract.PortfolioAnswer(
            content=_to_content(words.describe_portfolio(portfolio, request.days)),
            structured_content=portfolio,
            meta=_build_meta(snapshot, context),
        )


def _choose_wording(snapshot: FundSnapshot, lang: FundLanguage | None, *texts: str | None) -> AnalysisWording:
    return AnalysisWording(Wording(choose_language(lang, *texts), snapshot.demo))


def _to_measured_fund(fund: Fund, figure: Measurement) -> contract.MeasuredFund:
    if figure.value is None:
        raise AssertionError("only funds with a figure are ranked")
    rolling = figure.rolling
    return contract.MeasuredFund(
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        amc=fund.amc,
        risk_level=fund.risk_level,
        value=figure.value,
        worst=None if rolling is None else rolling.worst,
        median=None if rolling is None else rolling.median,
        windows=None if rolling is None else rolling.windows,
        from_day=figure.first,
        to_day=figure.last,
        points=figure.points,
        gone_since=fund.gone_since,
    )


def _simulate(
    fund: Fund, held: NavSeries, purchases: Sequence[Purchase], dividends: Sequence[Dividend] | None, last: str
) -> contract.SimulatedFund:
    """Value the purchases of a fund; `held` has its NAV up to the last day."""
    result = hold_purchases(purchases, held.navs[-1])
    with_dividends = None if dividends is None else reinvest_dividends(purchases, held, dividends, held.days[-1]).value
    invested = fsum(purchase.amount for purchase in purchases)
    yearly = compute_money_weighted_return(purchases, result.value, last)
    nulls: Nulls = {} if with_dividends is not None else {"valueWithDividends": "not_reported"}
    return contract.SimulatedFund(
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        purchases=len(purchases),
        invested=round_figure(invested),
        units=result.units,
        average_cost=round_figure(invested / result.units) if result.units else None,
        last_nav=held.navs[-1],
        value=result.value,
        value_with_dividends=with_dividends,
        gain_percent=compute_change_percent(invested, result.value) if invested else None,
        annual_return=yearly,
        nulls=nulls | _explain_short(averageCost=result.units or None, annualReturn=yearly),
    )


def _find_span(series: Sequence[NavSeries], first: str | None, last: str | None) -> tuple[str, str]:
    """Return the first and last day of the history that all funds share, within the requested days."""
    empty = [history.symbol for history in series if not history.days]
    if empty:
        raise InvalidArgument(f"{', '.join(empty)} has no NAV", field="fundCodes", hint="Leave out this fund.")
    start = max([*(history.days[0] for history in series), *([first] if first else [])])
    end = min([*(history.days[-1] for history in series), *([last] if last else [])])
    if start > end:
        raise InvalidArgument(
            f"the funds have no common history between {start} and {end}",
            field="from",
            hint="Ask for other days, or for fewer funds.",
        )
    return start, end


def _sum_simulation(
    plan: PurchasePlan, funds: Sequence[contract.SimulatedFund], purchases: Sequence[Purchase], rule: str
) -> contract.Simulation:
    invested, value = fsum(fund.invested for fund in funds), round_figure(fsum(fund.value for fund in funds))
    with_dividends = [fund.value_with_dividends for fund in funds if fund.value_with_dividends is not None]
    total = round_figure(fsum(with_dividends)) if len(with_dividends) == len(funds) else None
    yearly = compute_money_weighted_return(sorted(purchases, key=lambda known: known.day), value, plan.last)
    nulls: Nulls = {} if total is not None else {"valueWithDividends": "not_reported"}
    return contract.Simulation(
        from_day=plan.first,
        to_day=plan.last,
        funds=list(funds),
        invested=round_figure(invested),
        value=value,
        value_with_dividends=total,
        gain_percent=compute_change_percent(invested, value) if invested else None,
        annual_return=yearly,
        rule=rule,
        nulls=nulls | _explain_short(annualReturn=yearly),
    )


def _explain_short(**figures: float | None) -> Nulls:
    return {name: "too_young" for name, figure in figures.items() if figure is None}


def _find_sale_day(rules: list[tax_rules.TaxRule], request: contract.PlanContributionInput) -> str | None:
    if request.birth_date is None or request.first_purchase is None:
        return None
    birth = parse_day("birthDate", request.birth_date)
    return tax_rules.find_sale_day(rules, birth, parse_day("firstPurchase", request.first_purchase)).isoformat()


def _read_day(field: str, text: str | None) -> str | None:
    return None if text is None else parse_day(field, text).isoformat()


def _check_weights(request: contract.PortfolioInput) -> None:
    if len(request.weights) != len(request.fund_codes):
        raise InvalidArgument(
            f"{len(request.fund_codes)} funds have {len(request.weights)} weights",
            field="weights",
            hint="Give one weight for each fund, in the same order.",
        )
    total = fsum(request.weights)
    if abs(total - 100) > _WEIGHT_TOLERANCE:
        raise InvalidArgument(
            f"the weights sum to {total:g}", field="weights", hint="Give percentages that sum to 100."
        )


def _build_portfolio(
    snapshot: FundSnapshot,
    funds: Sequence[Fund],
    series: Sequence[NavSeries],
    request: contract.PortfolioInput,
    words: AnalysisWording,
) -> contract.Portfolio:
    values = compute_values(series, request.weights)
    days = series[0].days
    figures = {
        "period_return": compute_period_return(values),
        "volatility": compute_volatility(values),
        "annual_volatility": compute_annual_volatility(values),
        "max_drawdown": compute_max_drawdown(values),
    }
    missing = [contract.Portfolio.model_fields[name].alias or name for name, value in figures.items() if value is None]
    kinds = (describe_class(snapshot.place(fund)) for fund in funds)
    labels = [None if kind is None else words.wording.choose(kind.english, kind.thai) for kind in kinds]
    return contract.Portfolio(
        from_day=days[0] if days else None,
        to_day=days[-1] if days else None,
        covered=count_days(days),
        is_short=False,
        points=len(days),
        **figures,
        symbols=[fund.symbol for fund in funds],
        correlation=compute_correlations(series),
        classes=sum_weights(labels, request.weights),
        managers=sum_weights((fund.amc for fund in funds), request.weights),
        rule=words.explain_portfolio(),
        nulls=dict.fromkeys(missing, "too_young"),
    )


def _to_content(text: str) -> list[TextContent]:
    return [TextContent(type="text", text=text)]


def _build_meta(snapshot: FundSnapshot, context: Context) -> contract.AnalysisMeta:
    values: dict[str, Any] = {"timestamp": format_timestamp(context.now), "demo": snapshot.demo}
    return contract.AnalysisMeta(**values)
