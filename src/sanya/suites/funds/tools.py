"""The six tools: arguments into a question to the store, its answer into the contract's three parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import islice, takewhile
from math import ceil
from typing import Any

from sanya.kernel.call import Context
from sanya.kernel.clock import format_timestamp
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.suites.funds import contract
from sanya.suites.funds.answers import detailed_fund, listed_fund, ranked_fund
from sanya.suites.funds.arithmetic import Reconciled, period_start, reconcile
from sanya.suites.funds.comparison import YEAR_DAYS, Rival, compare
from sanya.suites.funds.contract import Meta, Sentence
from sanya.suites.funds.detail_contract import DetailedFund, FundDetailAnswer
from sanya.suites.funds.fund import Fund, folded_code
from sanya.suites.funds.history import nav_history
from sanya.suites.funds.pages import CARD, CHART, COMPARISON, LIST
from sanya.suites.funds.snapshot import Shelf, Wanted
from sanya.suites.funds.store import FundStore
from sanya.suites.funds.wording import Wording, language_of

_SPARKLINE_DAYS = 7


@dataclass(frozen=True, slots=True)
class FundTools:
    store: FundStore

    async def get_rmf_funds(self, request: contract.GetFundsInput, context: Context) -> contract.FundListAnswer:
        shelf = await self.store.shelf()
        wanted = Wanted(text=request.search, fund_type=request.fund_type)
        funds = shelf.select(wanted, request.sort_by, descending=request.sort_order == "desc")
        shown = funds.part((request.page - 1) * request.page_size, request.page_size)
        wording = Wording(language_of(request.lang, request.search), shelf.demo)
        filters: dict[str, str | int] = {"sortBy": request.sort_by, "sortOrder": request.sort_order}
        filters |= _given(search=request.search, fundType=request.fund_type)
        return contract.FundListAnswer(
            content=_said(wording.page(shown, len(funds), request.page)),
            structured_content=contract.FundPage(
                funds=[listed_fund(fund) for fund in shown],
                total_count=len(funds),
                page=request.page,
                page_size=request.page_size,
                total_pages=ceil(len(funds) / request.page_size),
            ),
            meta=contract.ListMeta(**_meta(LIST, shelf, context), filters=filters),
        )

    async def search_rmf_funds(self, request: contract.SearchFundsInput, context: Context) -> contract.FoundFundsAnswer:
        filters = _applied_filters(request)
        shelf = await self.store.shelf()
        wanted = Wanted(
            text=request.search,
            amc=request.amc,
            min_risk=request.min_risk_level,
            max_risk=request.max_risk_level,
            min_ytd=request.min_ytd_return,
            category=request.category,
        )
        funds = shelf.select(wanted, request.sort_by, descending=request.sort_order == "desc")
        shown = funds.part(0, request.limit)
        language = language_of(request.lang, request.search, request.amc, request.category)
        return contract.FoundFundsAnswer(
            content=_said(Wording(language, shelf.demo).found(shown, len(funds))),
            structured_content=contract.FoundFunds(
                funds=[listed_fund(fund) for fund in shown], total_count=len(funds), applied_filters=filters
            ),
            meta=Meta(**_meta(LIST, shelf, context)),
        )

    async def get_rmf_fund_detail(self, request: contract.GetFundDetailInput, context: Context) -> FundDetailAnswer:
        shelf = await self.store.shelf()
        fund = _find(shelf, request.fund_code, "fundCode")
        details = await self.store.details(fund.symbol)
        reconciled = await self._reconciled(fund)
        recent = await self.store.points(fund, _SPARKLINE_DAYS)
        wording = Wording(language_of(request.lang), shelf.demo)
        sparkline = [contract.DatedNav(date=point.date, nav=point.nav) for point in recent]
        return FundDetailAnswer(
            content=_said(wording.detail(fund, details.suitability_risk_level)),
            structured_content=DetailedFund(fund=detailed_fund(fund, details, reconciled)),
            meta=contract.DetailMeta(**_meta(CARD, shelf, context), nav_history_7d=sparkline),
        )

    async def _reconciled(self, fund: Fund) -> dict[str, Reconciled]:
        """Every reported return whose period our NAV points reach back to the beginning of."""
        found: dict[str, Reconciled] = {}
        if fund.latest.date is None or fund.latest.nav is None:
            return found
        for period, reported in fund.returns.items():
            start = period_start(period, date.fromisoformat(fund.latest.date))
            first = None if start is None or reported is None else await self.store.nav_on(fund.symbol, start)
            if first is not None and reported is not None:
                found[period] = reconcile(period, reported, first, fund.latest.nav)
        return found

    async def get_rmf_fund_performance(
        self, request: contract.GetFundPerformanceInput, context: Context
    ) -> contract.RankedFundsAnswer:
        shelf = await self.store.shelf()
        period, risk = request.period, request.risk_level
        wanted = Wanted(min_risk=risk, max_risk=risk)
        funds = shelf.select(wanted, period, descending=request.sort_by == "desc")
        # Unknown figures stand last.
        known = list(islice(takewhile(lambda fund: fund.returns[period] is not None, funds), request.limit))
        statistics = shelf.statistics(period)
        filters: dict[str, str | int] = {"period": period, "sortBy": request.sort_by, "limit": request.limit}
        if risk is not None:
            filters["riskLevel"] = risk
        return contract.RankedFundsAnswer(
            content=_said(Wording(language_of(request.lang), shelf.demo).ranking(period, known, statistics)),
            structured_content=contract.RankedFunds(
                period=period,
                funds=[ranked_fund(fund, period) for fund in known],
                period_stats=contract.PeriodStatistics(
                    average=statistics.average,
                    median=statistics.median,
                    min=statistics.min,
                    max=statistics.max,
                    funds_counted=statistics.counted,
                ),
            ),
            meta=contract.ListMeta(**_meta(LIST, shelf, context), filters=filters),
        )

    async def get_rmf_fund_nav_history(
        self, request: contract.GetNavHistoryInput, context: Context
    ) -> contract.NavHistoryAnswer:
        shelf = await self.store.shelf()
        fund = _find(shelf, request.fund_code, "fundCode")
        found = nav_history(fund, await self.store.points(fund, request.days))
        wording = Wording(language_of(request.lang), shelf.demo)
        return contract.NavHistoryAnswer(
            content=_said(wording.history(found, fund, request.days)),
            structured_content=found,
            meta=contract.HistoryMeta(**_meta(CHART, shelf, context), days=request.days),
        )

    async def compare_rmf_funds(
        self, request: contract.CompareFundsInput, context: Context
    ) -> contract.ComparisonAnswer:
        shelf = await self.store.shelf()
        funds = _find_all(shelf, request.fund_codes)
        rivals = [
            Rival(fund, await self.store.details(fund.symbol), await self.store.points(fund, YEAR_DAYS))
            for fund in funds
        ]
        found = compare(rivals)
        wording = Wording(language_of(request.lang), shelf.demo)
        return contract.ComparisonAnswer(
            content=_said(wording.comparison(funds, found, request.compare_by)),
            structured_content=found,
            meta=contract.ComparisonMeta(
                **_meta(COMPARISON, shelf, context), compare_by=request.compare_by, fund_count=len(funds)
            ),
        )


def _find(shelf: Shelf, code: str, field: str) -> Fund:
    fund = shelf.find(code)
    if fund is None:
        raise _unknown(shelf, [code], field)
    return fund


def _find_all(shelf: Shelf, codes: list[str]) -> list[Fund]:
    found = [shelf.find(code) for code in codes]
    unknown = [code for code, fund in zip(codes, found, strict=True) if fund is None]
    if unknown:
        raise _unknown(shelf, unknown, "fundCodes")
    funds = [fund for fund in found if fund is not None]
    if len({fund.symbol for fund in funds}) < len(funds):
        raise InvalidArgument(
            "fundCodes names a fund twice", field="fundCodes", hint="Give 2 to 5 different fund codes."
        )
    return funds


def _unknown(shelf: Shelf, codes: list[str], field: str) -> NotFound:
    named = ", ".join(repr(code) for code in codes)
    nearest = [symbol for code in codes for symbol in shelf.nearest(code)]
    near = f"Nearest codes: {', '.join(dict.fromkeys(nearest))}. " if nearest else ""
    return NotFound(
        f"Fund code {named} does not exist" if len(codes) == 1 else f"Fund codes {named} do not exist",
        hint=f"{near}search_rmf_funds finds codes by a part of the name.",
        details={"field": field, "invalidCodes": codes, "nearest": list(dict.fromkeys(nearest))},
    )


def _applied_filters(request: contract.SearchFundsInput) -> dict[str, str | int | float]:
    least, most = request.min_risk_level, request.max_risk_level
    filters: dict[str, str | int | float] = _given(
        search=request.search,
        amc=request.amc,
        minRiskLevel=least,
        maxRiskLevel=most,
        minYtdReturn=request.min_ytd_return,
        category=request.category,
    )
    if not filters:
        raise InvalidArgument(
            "at least one filter is needed",
            hint="Give search, amc, minRiskLevel, maxRiskLevel, minYtdReturn or category; get_rmf_funds lists all.",
        )
    if least is not None and most is not None and least > most:
        raise InvalidArgument(
            f"minRiskLevel {least} is above maxRiskLevel {most}",
            field="minRiskLevel",
            hint="Give a minRiskLevel that is at most maxRiskLevel; both are 1 to 8.",
        )
    return filters


def _given(**filters: Any) -> dict[str, Any]:
    """Those that ask for something: blanks do not."""
    return {
        name: value
        for name, value in filters.items()
        if value is not None and (not isinstance(value, str) or folded_code(value))
    }


def _said(text: str) -> list[Sentence]:
    return [Sentence(type="text", text=text)]


def _meta(page: str, shelf: Shelf, context: Context) -> dict[str, Any]:
    return {"output_template": f"component://{page}", "timestamp": format_timestamp(context.now), "demo": shelf.demo}
