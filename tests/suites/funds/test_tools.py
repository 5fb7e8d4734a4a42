"""The tools on each engine: order, filters, comparison, history, and unknown codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sanya.kernel.calls.call import OWNER, Answered, Call
from sanya.kernel.storage.database import Database
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds
from tests.suites.funds.market import Market, fund, nav, write_folder


async def stock(database: Database, folder: Path, *funds: dict[str, Any]) -> None:
    await import_funds(database, read_funds(write_folder(folder, *funds)).funds)


def symbols(found: dict[str, Any]) -> list[str]:
    return [fund["symbol"] for fund in found["funds"]]


def ytd(symbol: str, value: float | None, **fields: Any) -> dict[str, Any]:
    return fund(symbol, performance={"ytd": value}, **fields)


async def test_unknown_figures_come_last_either_way_and_ties_go_by_symbol(
    database: Database, market: Market, tmp_path: Path
) -> None:
    await stock(database, tmp_path / "a", ytd("C", 0.0), ytd("B", None), ytd("A", 0.0), ytd("D", -1.0))
    assert symbols(await market.ask("get_rmf_funds")) == ["A", "C", "D", "B"]
    assert symbols(await market.ask("get_rmf_funds", sortOrder="asc")) == ["D", "A", "C", "B"]


async def test_a_true_zero_stays_zero(database: Database, market: Market, tmp_path: Path) -> None:
    await stock(database, tmp_path / "a", ytd("A", 0))
    (fund,) = (await market.ask("get_rmf_funds"))["funds"]
    assert fund["perf_ytd"] == 0
    assert "perf_ytd" not in fund["nulls"]


async def test_pages_cover_all_funds_and_end_in_an_empty_one(demo_market: Market) -> None:
    pages = [await demo_market.ask("get_rmf_funds", page=page, pageSize=5, sortBy="name") for page in (1, 2, 3, 4)]
    assert [len(page["funds"]) for page in pages] == [5, 5, 2, 0]
    assert {(page["totalCount"], page["totalPages"]) for page in pages} == {(12, 3)}
    assert len({symbol for page in pages for symbol in symbols(page)}) == 12


async def test_filters_combine(demo_market: Market) -> None:
    found = await demo_market.ask("search_rmf_funds", amc="riverside", minYtdReturn=10.0, category="EQ", maxRiskLevel=6)
    assert symbols(found) == ["RSD-USRMF(E)", "RSD-USRMF(A)"]
    assert found["appliedFilters"] == {
        "amc": "riverside",
        "minYtdReturn": 10.0,
        "category": "EQ",
        "maxRiskLevel": 6,
    }


async def test_nothing_that_matches_is_an_empty_list(demo_market: Market) -> None:
    found = await demo_market.ask("search_rmf_funds", search="no such fund")
    assert (found["funds"], found["totalCount"]) == ([], 0)


async def test_a_thai_search_is_answered_in_thai(demo_market: Market) -> None:
    body = await demo_market.call("search_rmf_funds", search="ทองคำ")
    assert symbols(body["structuredContent"]) == ["ES-GOLDRMF-UH"]
    assert body["content"][0]["text"].startswith("พบกองทุน")


async def test_a_category_may_be_a_word(demo_market: Market) -> None:
    assert symbols(await demo_market.ask("search_rmf_funds", category="Fixed")) == ["DEMO-BONDRMF", "DEMO-MONEYRMF"]


async def test_a_search_without_a_filter_says_which_there_are(demo_market: Market) -> None:
    for arguments in ({}, {"search": "  "}, {"sortBy": "nav", "limit": 3}):
        error = await demo_market.refusal("search_rmf_funds", arguments)
        assert error["code"] == "BAD_REQUEST"
        assert "maxRiskLevel" in error["actionableHint"]


async def test_a_range_of_risk_that_is_upside_down_is_refused(demo_market: Market) -> None:
    error = await demo_market.refusal("search_rmf_funds", {"minRiskLevel": 5, "maxRiskLevel": 4})
    assert (error["code"], error["details"]["field"]) == ("BAD_REQUEST", "minRiskLevel")


async def test_an_unknown_code_is_answered_with_the_nearest(demo_market: Market) -> None:
    error = await demo_market.refusal("get_rmf_fund_detail", {"fundCode": "ABAPACRMF"})
    assert error["code"] == "NOT_FOUND"
    assert "ABAPAC-RMF" in error["actionableHint"]


async def test_every_code_that_is_unknown_is_named(demo_market: Market) -> None:
    error = await demo_market.refusal("compare_rmf_funds", {"fundCodes": ["ABAPAC-RMF", "NOPE-1", "NOPE-2"]})
    assert error["code"] == "NOT_FOUND"
    assert error["details"]["invalidCodes"] == ["NOPE-1", "NOPE-2"]


async def test_a_fund_is_not_compared_with_itself(demo_market: Market) -> None:
    error = await demo_market.refusal("compare_rmf_funds", {"fundCodes": ["ABAPAC-RMF", "abapac-rmf"]})
    assert error["code"] == "BAD_REQUEST"


async def test_the_contracts_sample_comparison_has_its_winners(demo_market: Market) -> None:
    body = await demo_market.call("compare_rmf_funds", fundCodes=["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH"])
    assert body["structuredContent"]["comparisonHighlights"] == {
        "bestYtd": "ES-GOLDRMF-UH",
        "worstYtd": "ABAPAC-RMF",
        "lowestRisk": "ABAPAC-RMF",
        "highestRisk": "ES-GOLDRMF-UH",
        "lowestFees": None,
    }
    assert (body["_meta"]["compareBy"], body["_meta"]["fundCount"]) == ("all", 3)


async def test_nobody_wins_while_a_rivals_figure_is_unknown(demo_market: Market) -> None:
    found = await demo_market.ask("compare_rmf_funds", fundCodes=["DEMO-BONDRMF", "RSD-NEWTECHRMF"])
    assert (found["comparisonHighlights"]["bestYtd"], found["comparisonHighlights"]["worstYtd"]) == (None, None)


async def test_the_lowest_total_fee_is_named_where_all_are_known(demo_market: Market) -> None:
    found = await demo_market.ask("compare_rmf_funds", fundCodes=["DEMO-THAIEQ RMF", "RSD-USRMF(E)", "RSD-USRMF(A)"])
    assert found["comparisonHighlights"]["lowestFees"] == "RSD-USRMF(E)"


async def test_a_years_volatility_needs_a_year_of_points(demo_market: Market) -> None:
    old, young = (await demo_market.ask("compare_rmf_funds", fundCodes=["ABAPAC-RMF", "RSD-NEWTECHRMF"]))["funds"]
    assert old["volatility_1y"] == old["volatility"] > 0
    assert young["volatility_1y"] is None
    assert young["volatility"] > 0
    assert young["nulls"]["volatility_1y"] == "too_young"


async def test_days_count_back_from_the_latest_point(database: Database, market: Market, tmp_path: Path) -> None:
    history = [nav("2025-10-30", 8.0), nav("2025-10-31", 9.0), nav("2025-11-07", 10.0)]
    await stock(database, tmp_path / "a", fund("A", nav_history_30d=history))
    found = await market.ask("get_rmf_fund_nav_history", fundCode="A", days=7)
    assert [point["date"] for point in found["navHistory"]] == ["2025-10-31", "2025-11-07"]
    assert found["navHistory"][0]["change"] is None
    assert found["navHistory"][1]["change"] == 1.0
    assert found["points"] == 2


async def test_one_point_gives_no_return_and_says_why(database: Database, market: Market, tmp_path: Path) -> None:
    await stock(database, tmp_path / "a", fund("A", nav_history_30d=[]))
    found = await market.ask("get_rmf_fund_nav_history", fundCode="A")
    assert (found["currentNav"], found["periodReturn"], found["volatility"]) == (10.0, None, None)
    assert found["nulls"]["periodReturn"] == "too_young"


async def test_demo_returns_agree_with_demo_nav(demo_market: Market) -> None:
    for listed in (await demo_market.ask("get_rmf_funds", pageSize=50))["funds"]:
        reconciled = (await demo_market.ask("get_rmf_fund_detail", fundCode=listed["symbol"]))["fund"]["reconciled"]
        assert reconciled
        assert all(period["agrees"] for period in reconciled.values()), listed["symbol"]


async def test_a_report_that_nav_contradicts_is_flagged(database: Database, market: Market, tmp_path: Path) -> None:
    history = [nav("2025-08-07", 8.0), nav("2025-11-07", 10.0)]
    await stock(database, tmp_path / "a", fund("A", nav_history_30d=history, performance={"3m": 12.0, "6m": 1.0}))
    found = (await market.ask("get_rmf_fund_detail", fundCode="A"))["fund"]["reconciled"]
    assert found == {"3m": {"reported": 12.0, "computed": 25.0, "agrees": False}}


async def test_suitability_is_base64_as_promised_and_plain_beside_it(demo_market: Market) -> None:
    found = (await demo_market.ask("get_rmf_fund_detail", fundCode="ABAPAC-RMF"))["fund"]
    assert found["suitability"]["risk_level"].startswith("ข้อมูลตัวอย่าง")
    assert found["suitability_risk_level"].isascii()


async def test_a_detail_has_the_last_week_for_its_sparkline(demo_market: Market) -> None:
    body = await demo_market.call("get_rmf_fund_detail", fundCode="ABAPAC-RMF")
    days = [point["date"] for point in body["_meta"]["navHistory7d"]]
    assert days == ["2025-10-31", "2025-11-03", "2025-11-04", "2025-11-05", "2025-11-06", "2025-11-07"]


async def test_a_ranking_by_risk_keeps_statistics_over_all_funds(demo_market: Market) -> None:
    everything = await demo_market.ask("get_rmf_fund_performance", period="1y", limit=50)
    risky = await demo_market.ask("get_rmf_fund_performance", period="1y", riskLevel=8, sortBy="asc")
    assert symbols(risky) == ["RSD-PROPRMF", "ES-GOLDRMF-UH"]
    assert risky["periodStats"] == everything["periodStats"]
    assert everything["periodStats"]["fundsCounted"] == 11


async def test_an_empty_store_answers_with_empty_lists(market: Market) -> None:
    assert (await market.ask("get_rmf_funds"))["totalPages"] == 0
    stats = (await market.ask("get_rmf_fund_performance", period="5y"))["periodStats"]
    assert stats == {"average": None, "median": None, "min": None, "max": None, "fundsCounted": 0}


async def test_a_fund_can_be_read_by_its_address(demo_market: Market) -> None:
    outcome = await demo_market.kernel.read(Call("funds://fund/demo-mix%26growrmf", {}))
    assert isinstance(outcome, Answered)
    assert outcome.body["symbol"] == "DEMO-MIX&GROWRMF"
    complete = demo_market.kernel.catalogue.resources[0].complete["code"]
    assert await complete("rsd-us", {}, OWNER) == ["RSD-USRMF(A)", "RSD-USRMF(E)"]


async def test_the_moment_of_answering_is_not_hashed(demo_market: Market) -> None:
    for tool in demo_market.kernel.catalogue.tools:
        assert tool.unhashed == ("_meta.timestamp",)
