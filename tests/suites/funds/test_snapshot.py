"""The real snapshot of the market, with every figure recomputed here from the files."""

from __future__ import annotations

import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sanya.suites.funds.fund import FundDetails
from sanya.suites.funds.importing.files import read_funds
from tests.suites.funds.market import Market

CLOSE = 1e-9
Files = dict[str, dict[str, Any]]


def known(files: Files, period: str) -> dict[str, float]:
    found = {symbol: (file["performance"] or {}).get(period) for symbol, file in files.items()}
    return {symbol: value for symbol, value in found.items() if value is not None}


async def all_funds(market: Market) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for page in range(1, 10):
        found += (await market.ask("get_rmf_funds", page=page, pageSize=50))["funds"]
    return found


async def test_all_403_funds_are_there_with_a_risk_of_1_to_8(real_market: Market, files: Files) -> None:
    funds = await all_funds(real_market)
    assert {fund["symbol"] for fund in funds} == set(files)
    assert len(funds) == 403
    assert {fund["risk_level"] for fund in funds} == {1, 2, 3, 4, 5, 6, 7, 8}


async def test_the_year_to_date_is_known_for_379(real_market: Market) -> None:
    stats = (await real_market.ask("get_rmf_fund_performance", period="ytd"))["periodStats"]
    assert stats["fundsCounted"] == 379
    assert round(stats["average"], 2) == 6.57
    assert (stats["median"], stats["min"], stats["max"]) == (4.83, -26.61, 107.10)
    assert (await real_market.ask("get_rmf_fund_performance", period="1y"))["periodStats"]["fundsCounted"] == 365


@pytest.mark.parametrize("period", ["ytd", "3m", "6m", "1y", "3y", "5y"])
async def test_statistics_and_order_are_those_of_the_files(real_market: Market, files: Files, period: str) -> None:
    values = known(files, period)
    found = await real_market.ask("get_rmf_fund_performance", period=period, limit=50)
    stats = found["periodStats"]
    assert stats["average"] == pytest.approx(statistics.fmean(values.values()), abs=CLOSE)
    assert stats["median"] == pytest.approx(statistics.median(values.values()), abs=CLOSE)
    assert (stats["min"], stats["max"]) == (min(values.values()), max(values.values()))
    best = sorted(values, key=lambda symbol: (-values[symbol], symbol))[:50]
    assert [fund["symbol"] for fund in found["funds"]] == best
    for fund in found["funds"]:
        benchmark = ((files[fund["symbol"]]["benchmark"] or {}).get("returns") or {}).get(period)
        assert fund["benchmark_performance"] == benchmark
        if benchmark is not None:
            assert fund["outperformance"] == pytest.approx(values[fund["symbol"]] - benchmark, abs=CLOSE)


async def test_a_month_of_abapac_gained_4_92_percent(real_market: Market) -> None:
    found = await real_market.ask("get_rmf_fund_nav_history", fundCode="ABAPAC-RMF", days=42)
    assert (round(found["periodReturn"], 2), round(found["volatility"], 2)) == (4.92, 1.07)


async def test_the_history_of_every_fund_is_recomputed(real_market: Market, files: Files) -> None:
    for symbol, file in files.items():
        navs = [point["last_val"] for point in file["nav_history_30d"]]
        found = await real_market.ask("get_rmf_fund_nav_history", fundCode=symbol, days=365)
        assert found["points"] == len(navs)
        assert [point["nav"] for point in found["navHistory"]] == navs
        if len(navs) < 3:
            continue
        returns = [(after / before - 1) * 100 for before, after in pairwise(navs)]
        assert [point["changePercent"] for point in found["navHistory"][1:]] == pytest.approx(returns, abs=CLOSE)
        assert found["volatility"] == pytest.approx(statistics.pstdev(returns), abs=CLOSE)
        assert found["periodReturn"] == pytest.approx((navs[-1] / navs[0] - 1) * 100, abs=CLOSE)
        assert found["avgNav"] == pytest.approx(statistics.fmean(navs), abs=CLOSE)
        assert (found["minNav"], found["maxNav"], found["currentNav"]) == (min(navs), max(navs), navs[-1])


async def test_low_risk_is_21_funds_because_repaired_rows_all_carry_more(
    real_market: Market, files: Files, snapshot: Path
) -> None:
    """Without the repair, the 37 shifted rows have risk 0, and a filter "at most 3" would match them."""
    risks = {symbol: file["metadata"]["risk_level"] for symbol, file in files.items()}
    shifted = {symbol for symbol, risk in risks.items() if risk == 0}
    assert len(shifted) == 37
    assert sum(1 <= risk <= 3 for risk in risks.values()) == 21
    assert sum(risk <= 3 for risk in risks.values()) == 58
    repaired = {fund.symbol: fund.risk_level for fund in read_funds(snapshot).funds if fund.symbol in shifted}
    assert repaired == {symbol: int(files[symbol]["metadata"]["dividend_policy"]) for symbol in shifted}
    assert min(repaired.values()) == 4
    found = await real_market.ask("search_rmf_funds", maxRiskLevel=3, limit=100)
    assert found["totalCount"] == 21


async def test_shifted_rows_have_their_manager_and_name_from_the_register(real_market: Market) -> None:
    lost_manager = (await real_market.ask("get_rmf_fund_detail", fundCode="TEGRMF-B"))["fund"]
    assert lost_manager["amc"] == "TISCO ASSET MANAGEMENT COMPANY LIMITED"
    assert (lost_manager["fund_classification"], lost_manager["management_style"]) == ("EQGEN", "AM")
    lost_name = (await real_market.ask("get_rmf_fund_detail", fundCode="K-SFRMF"))["fund"]
    assert lost_name["fund_name"] == "K Short Term Fixed Income RMF"
    assert (lost_name["amc"], lost_name["risk_level"]) == ("KASIKORN ASSET MANAGEMENT COMPANY LIMITED", 4)


async def test_the_fund_without_nav_is_answered_with_nulls_and_reasons(real_market: Market) -> None:
    fund = (await real_market.ask("get_rmf_fund_detail", fundCode="B-USPASSIVERMF"))["fund"]
    assert (fund["nav_value"], fund["nav_date"], fund["perf_ytd"]) == (None, None, None)
    assert fund["nulls"]["nav_value"] == "not_reported"
    assert fund["nulls"]["fund_classification"] == "unknown_at_source"
    history = await real_market.ask("get_rmf_fund_nav_history", fundCode="B-USPASSIVERMF")
    assert (history["navHistory"], history["periodReturn"]) == ([], None)


async def test_unknown_and_dashes_never_come_out(real_market: Market, files: Files) -> None:
    for symbol in files:
        fund = (await real_market.ask("get_rmf_fund_detail", fundCode=symbol))["fund"]
        texts = [value for value in fund.values() if isinstance(value, str)]
        texts += [value for fee in fund["fees"] or [] for value in fee.values() if isinstance(value, str)]
        assert not {"Unknown", "-", "N/A"} & set(texts), symbol
        assert all(fund[name] is None for name in fund["nulls"] if name not in ("fees", "asset_allocation")), symbol


async def test_a_missing_figure_of_a_young_fund_says_so(real_market: Market) -> None:
    fund = (await real_market.ask("get_rmf_fund_detail", fundCode="ABGDD-RMF"))["fund"]
    assert fund["registered_on"] == "2022-12-20"
    assert fund["nulls"]["perf_3y"] == "too_young"


@pytest.mark.parametrize("code", ["kt25/75rmf", "SCBRMUSA(A)", " bcap-2030   rmf "])
async def test_odd_symbols_are_found_however_they_are_typed(real_market: Market, code: str) -> None:
    assert (await real_market.ask("get_rmf_fund_detail", fundCode=code))["fund"]["symbol"]


def test_the_table_says_what_the_folder_says(snapshot: Path) -> None:
    by_file = {fund.symbol: fund for fund in read_funds(snapshot).funds}
    table = read_funds(snapshot / "rmf-funds-consolidated.csv")
    assert table.refused == []
    assert len(table.funds) == 403
    for fund in table.funds:
        whole = by_file[fund.symbol]
        # The table only counts dividends.
        details = FundDetails.model_validate_json(whole.details).model_copy(update={"dividends": None})
        assert (fund.returns, FundDetails.model_validate_json(fund.details), fund.risk_level, fund.amc) == (
            whole.returns,
            details,
            whole.risk_level,
            whole.amc,
        )
        assert fund.points == whole.points[-1:]
