"""Handlers of the six tools: each queries the store and builds the three parts of the contract's answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice, takewhile
from math import ceil
from typing import Any

from sanya.suite import Context
from sanya.suite.runtime import format_timestamp
from sanya.suites.funds import contract
from sanya.suites.funds.analysis.joint_chart import build_joint_chart, find_first_day
from sanya.suites.funds.answers import to_detailed_fund, to_listed_fund, to_ranked_fund
from sanya.suites.funds.arithmetic import Reconciliation, find_period_start, reconcile
from sanya.suites.funds.comparison import YEAR_DAYS, ComparisonCandidate, compare_funds
from sanya.suites.funds.contract import Meta, TextContent
from sanya.suites.funds.detail_contract import DetailedFund, FundDetailAnswer
from sanya.suites.funds.filters import check_filters, count_alone, drop_blank, suggest_managers, to_conditions
from sanya.suites.funds.fund import Fund
from sanya.suites.funds.fund_snapshot import FundFilter, FundSnapshot
from sanya.suites.funds.history import build_nav_history
from sanya.suites.funds.lookup import find_fund, find_funds
from sanya.suites.funds.naming.classes import describe_class
from sanya.suites.funds.pages import CARD, CHART, COMPARISON, LIST
from sanya.suites.funds.store import FundStore
from sanya.suites.funds.wording import FundOrder, Wording, choose_language

_SPARKLINE_DAYS = 7


@dataclass(frozen=True, slots=True)
class FundTools:
    store: FundStore

    async def get_rmf_funds(self, request: contract.GetFundsInput, context: Context) -> contract.FundListAnswer:
        snapshot = await self.store.load_snapshot()
        conditions = FundFilter(text=request.search, fund_type=request.fund_type)
        funds = snapshot.select(conditions, request.sort_by, descending=request.sort_order == "desc")
        shown = funds.take((request.page - 1) * request.page_size, request.page_size)
        wording = Wording(choose_language(request.lang, request.search), snapshot.demo)
        total_pages = ceil(len(funds) / request.page_size)
        order = FundOrder(request.sort_by, request.sort_order == "desc")
        page = wording.choose(f"{request.page} of {total_pages}", f"{request.page} จาก {total_pages}")
        filters: dict[str, str | int] = {"sortBy": request.sort_by, "sortOrder": request.sort_order}
        filters |= drop_blank(search=request.search, fundType=request.fund_type)
        sentence = wording.describe_page(shown, len(funds), page, order, text=filters.get("search"))
        if not len(funds) and "search" in filters:
            sentence += wording.describe_alone(count_alone(snapshot, {"search": filters["search"]}), [])
        return contract.FundListAnswer(
            content=_to_content(sentence),
            structured_content=contract.FundPage(
                funds=[to_listed_fund(fund) for fund in shown],
                total_count=len(funds),
                page=request.page,
                page_size=request.page_size,
                total_pages=total_pages,
            ),
            meta=contract.ListMeta(**_build_meta(LIST, snapshot, context), filters=filters),
        )

    async def search_rmf_funds(self, request: contract.SearchFundsInput, context: Context) -> contract.FoundFundsAnswer:
        filters = check_filters(request)
        snapshot = await self.store.load_snapshot()
        conditions = to_conditions(filters)
        funds = snapshot.select(conditions, request.sort_by, descending=request.sort_order == "desc")
        shown = funds.take(0, request.limit)
        language = choose_language(request.lang, request.search, request.amc, request.category)
        wording, order = Wording(language, snapshot.demo), FundOrder(request.sort_by, request.sort_order == "desc")
        inferred = snapshot.count_inferred(conditions, shown)
        sentence = wording.describe_matches(shown, len(funds), filters, order) + wording.describe_inferred(inferred)
        if not len(funds):
            sentence += wording.describe_alone(count_alone(snapshot, filters), suggest_managers(snapshot, filters))
        return contract.FoundFundsAnswer(
            content=_to_content(sentence),
            structured_content=contract.FoundFunds(
                funds=[to_listed_fund(fund) for fund in shown],
                total_count=len(funds),
                applied_filters=filters,
                inferred_count=inferred,
            ),
            meta=Meta(**_build_meta(LIST, snapshot, context)),
        )

    async def get_rmf_fund_detail(self, request: contract.GetFundDetailInput, context: Context) -> FundDetailAnswer:
        snapshot = await self.store.load_snapshot()
        fund = find_fund(snapshot, request.fund_code, "fundCode")
        details = await self.store.load_details(fund.symbol)
        reconciled = await self._reconcile_returns(fund)
        recent = await self.store.load_points(fund, _SPARKLINE_DAYS)
        wording = Wording(choose_language(request.lang), snapshot.demo)
        sparkline = [contract.DatedNav(date=point.date, nav=point.nav) for point in recent]
        return FundDetailAnswer(
            content=_to_content(
                wording.describe_fund(fund, details.suitability_risk_level, describe_class(snapshot.place(fund)))
            ),
            structured_content=DetailedFund(fund=to_detailed_fund(fund, details, reconciled)),
            meta=contract.DetailMeta(**_build_meta(CARD, snapshot, context), nav_history_7d=sparkline),
        )

    async def _reconcile_returns(self, fund: Fund) -> dict[str, Reconciliation]:
        """Compare every reported return with NAV, as far as our NAV points reach back to the start of its period."""
        results: dict[str, Reconciliation] = {}
        if fund.latest.date is None or fund.latest.nav is None:
            return results
        for period, reported in fund.returns.items():
            start = find_period_start(period, date.fromisoformat(fund.latest.date))
            first = None if start is None or reported is None else await self.store.load_nav_on(fund.symbol, start)
            if first is not None and reported is not None:
                results[period] = reconcile(period, reported, first, fund.latest.nav)
        return results

    async def get_rmf_fund_performance(
        self, request: contract.GetFundPerformanceInput, context: Context
    ) -> contract.RankedFundsAnswer:
        snapshot = await self.store.load_snapshot()
        period, risk = request.period, request.risk_level
        conditions = FundFilter(min_risk=risk, max_risk=risk)
        funds = snapshot.select(conditions, period, descending=request.sort_by == "desc")
        # Unknown figures come last.
        shown = list(islice(takewhile(lambda fund: fund.returns[period] is not None, funds), request.limit))
        total = snapshot.count_known(conditions, period)
        statistics = snapshot.compute_statistics(period)
        filters: dict[str, str | int] = {"period": period, "sortBy": request.sort_by, "limit": request.limit}
        if risk is not None:
            filters["riskLevel"] = risk
        wording, order = (
            Wording(choose_language(request.lang), snapshot.demo),
            FundOrder(period, request.sort_by == "desc"),
        )
        return contract.RankedFundsAnswer(
            content=_to_content(wording.describe_ranking(order, shown, total, statistics, risk)),
            structured_content=contract.RankedFunds(
                period=period,
                funds=[to_ranked_fund(fund, period) for fund in shown],
                period_stats=contract.PeriodStatistics(
                    average=statistics.average,
                    median=statistics.median,
                    min=statistics.min,
                    max=statistics.max,
                    funds_counted=statistics.counted,
                ),
            ),
            meta=contract.ListMeta(**_build_meta(LIST, snapshot, context), filters=filters),
        )

    async def get_rmf_fund_nav_history(
        self, request: contract.GetNavHistoryInput, context: Context
    ) -> contract.NavHistoryAnswer:
        snapshot = await self.store.load_snapshot()
        fund = find_fund(snapshot, request.fund_code, "fundCode")
        points = await self.store.load_points(fund, request.days)
        history = build_nav_history(fund, points, is_short=await self._is_short(fund, request.days))
        wording = Wording(choose_language(request.lang), snapshot.demo)
        return contract.NavHistoryAnswer(
            content=_to_content(wording.describe_history(history, fund, request.days)),
            structured_content=history,
            meta=contract.HistoryMeta(**_build_meta(CHART, snapshot, context), days=request.days),
        )

    async def _is_short(self, fund: Fund, days: int) -> bool:
        """Return whether the history starts after the first of the requested days."""
        if fund.latest.date is None:
            return True
        return not await self.store.has_point_by(
            fund.symbol, date.fromisoformat(fund.latest.date) - timedelta(days=days)
        )

    async def compare_rmf_funds(
        self, request: contract.CompareFundsInput, context: Context
    ) -> contract.ComparisonAnswer:
        snapshot = await self.store.load_snapshot()
        funds = find_funds(snapshot, request.fund_codes)
        symbols = [fund.symbol for fund in funds]
        details = await self.store.load_all_details(symbols)
        # One read serves the figures of a year and the chart.
        series = await self.store.load_all_series(symbols, find_first_day(funds, max(request.days, YEAR_DAYS)))
        candidates = [
            ComparisonCandidate(fund, known, history.cut_last_days(YEAR_DAYS))
            for fund, known, history in zip(funds, details, series, strict=True)
        ]
        comparison = compare_funds(candidates)
        since = find_first_day(funds, request.days)
        chart = build_joint_chart([history.cut(since, history.last_day) for history in series], request.days)
        wording = Wording(choose_language(request.lang), snapshot.demo)
        return contract.ComparisonAnswer(
            content=_to_content(wording.describe_comparison(funds, comparison, request.compare_by)),
            structured_content=comparison,
            meta=contract.ComparisonMeta(
                **_build_meta(COMPARISON, snapshot, context),
                compare_by=request.compare_by,
                fund_count=len(funds),
                chart=chart,
            ),
        )


def _to_content(text: str) -> list[TextContent]:
    return [TextContent(type="text", text=text)]


def _build_meta(page: str, snapshot: FundSnapshot, context: Context) -> dict[str, Any]:
    return {"output_template": f"component://{page}", "timestamp": format_timestamp(context.now), "demo": snapshot.demo}
