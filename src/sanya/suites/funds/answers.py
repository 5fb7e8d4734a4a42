"""Conversion of funds to the shapes of the answers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson

from sanya.suite import Shape
from sanya.suites.funds.arithmetic import Reconciliation, round_figure
from sanya.suites.funds.contract import ListedFund, RankedFund
from sanya.suites.funds.detail_contract import FundDetail, ReconciledReturn, Suitability
from sanya.suites.funds.fund import Fund, FundDetails, Nulls

_SUITABILITY = ("risk_level", "target_investor", "investment_horizon")


def _select_nulls(fund: Fund, shape: type[Shape]) -> Nulls:
    """Return the reasons for missing figures, limited to the fields of the shape."""
    nulls: Nulls = orjson.loads(fund.nulls)
    return {name: reason for name, reason in nulls.items() if name in shape.model_fields}


def to_listed_fund(fund: Fund) -> ListedFund:
    return ListedFund(
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        amc=fund.amc,
        nav_value=fund.latest.nav,
        nav_date=fund.latest.date,
        nav_change_percent=fund.latest.change_percent,
        risk_level=fund.risk_level,
        perf_ytd=fund.returns["ytd"],
        perf_1y=fund.returns["1y"],
        perf_3y=fund.returns["3y"],
        perf_5y=fund.returns["5y"],
        fund_classification=fund.fund_classification,
        gone_since=fund.gone_since,
        nulls=_select_nulls(fund, ListedFund),
    )


def to_ranked_fund(fund: Fund, period: str) -> RankedFund:
    performance, benchmark = fund.returns[period], fund.benchmark_returns[period]
    if performance is None:
        raise AssertionError("only funds with a figure are ranked")
    nulls = _select_nulls(fund, RankedFund)
    if benchmark is None:
        nulls |= dict.fromkeys(("benchmark_performance", "outperformance"), "not_reported")
    return RankedFund(
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        amc=fund.amc,
        risk_level=fund.risk_level,
        performance=performance,
        benchmark_performance=benchmark,
        outperformance=None if benchmark is None else round_figure(performance - benchmark),
        nav_value=fund.latest.nav,
        nav_date=fund.latest.date,
        gone_since=fund.gone_since,
        nulls=nulls,
    )


def to_detailed_fund(fund: Fund, details: FundDetails, reconciled: Mapping[str, Reconciliation]) -> FundDetail:
    plain: dict[str, str | None] = {name: getattr(details, f"suitability_{name}") for name in _SUITABILITY}
    figures: dict[str, Any] = {
        **details.model_dump(),
        **{f"suitability_{name}": _encode_base64(text) for name, text in plain.items()},
        **{f"perf_{period}": value for period, value in fund.returns.items()},
        **{f"benchmark_{period}": value for period, value in fund.benchmark_returns.items()},
    }
    return FundDetail(
        **figures,
        symbol=fund.symbol,
        fund_name=fund.fund_name,
        fund_name_th=fund.fund_name_th,
        amc=fund.amc,
        fund_classification=fund.fund_classification,
        risk_level=fund.risk_level,
        fund_type=fund.fund_type,
        nav_date=fund.latest.date,
        nav_value=fund.latest.nav,
        nav_change=fund.latest.change,
        nav_change_percent=fund.latest.change_percent,
        buy_price=fund.latest.buy_price,
        sell_price=fund.latest.sell_price,
        suitability=Suitability(**plain),
        gone_since=fund.gone_since,
        reconciled={period: ReconciledReturn(**asdict(result)) for period, result in reconciled.items()},
        nulls=_select_nulls(fund, FundDetail),
    )


def _encode_base64(text: str | None) -> str | None:
    return None if text is None else b64encode(text.encode("utf-8")).decode("ascii")
