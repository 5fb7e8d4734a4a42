"""Sentences say what was asked: the sorted figure, the filters, the covered days, ties, and the age of the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.funds.dialect import DIALECT
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.values import restore_line_breaks
from sanya.suites.funds.importing.writer import import_funds
from tests.suites.funds.market import Market, fund, nav, write_folder


def text(body: dict[str, Any]) -> str:
    return str(body["content"][0]["text"])


@pytest.mark.parametrize(
    ("sort_by", "shown"),
    [
        ("ytd", "+37.14% YTD"),
        ("1y", "+42.61% 1-year"),
        ("3y", "% 3-year p.a."),
        ("risk", "risk 8/8"),
        ("nav", "NAV "),
        ("name", "risk "),
    ],
)
async def test_a_list_shows_the_figure_by_which_it_is_sorted(demo_market: Market, sort_by: str, shown: str) -> None:
    first = text(await demo_market.call("get_rmf_funds", sortBy=sort_by)).splitlines()[1]
    assert first.startswith("1. ")
    assert shown in first


async def test_ten_funds_have_a_line_each_and_the_rest_are_counted(demo_market: Market) -> None:
    lines = text(await demo_market.call("get_rmf_funds")).splitlines()
    assert [line.split(".")[0] for line in lines[1:11]] == [str(number) for number in range(1, 11)]
    assert lines[11].startswith("and 2 more")


async def test_filters_and_risk_are_named_in_both_languages(demo_market: Market) -> None:
    arguments: dict[str, Any] = {"amc": "riverside", "minRiskLevel": 4, "maxRiskLevel": 6, "minYtdReturn": 5.0}
    english = text(await demo_market.call("search_rmf_funds", **arguments))
    assert "(manager “riverside”, YTD at least 5.0%, risk 4–6)" in english
    assert "ความเสี่ยง 4–6" in text(await demo_market.call("search_rmf_funds", lang="th", **arguments))


async def test_a_single_fund_is_one_fund(demo_market: Market) -> None:
    assert text(await demo_market.call("search_rmf_funds", search="bullion")).startswith("Found 1 RMF fund (")


async def test_a_history_shorter_than_requested_says_what_it_covers(
    database: Database, market: Market, tmp_path: Path
) -> None:
    history = [nav("2025-09-26", 8.0), nav("2025-11-07", 10.0)]
    await import_funds(database, read_funds(write_folder(tmp_path / "a", fund("A", nav_history_30d=history))).funds)
    body = await market.call("get_rmf_fund_nav_history", fundCode="A", days=365)
    content = body["structuredContent"]
    assert (content["from"], content["to"], content["covered"], content["isShort"]) == (
        "2025-09-26",
        "2025-11-07",
        42,
        True,
    )
    assert "from 2025-09-26 to 2025-11-07 (42 of 365 days asked for, 2 points)" in text(body)
    whole = await market.call("get_rmf_fund_nav_history", fundCode="A", days=42)
    assert whole["structuredContent"]["isShort"] is False
    assert "(42 days, 2 points)" in text(whole)
    # The first of the requested days is a weekend: the history is not short, it has no point on that day.
    assert (await market.ask("get_rmf_fund_nav_history", fundCode="A", days=40))["isShort"] is False


async def test_ties_are_named_as_ties(database: Database, market: Market, tmp_path: Path) -> None:
    funds = [fund(symbol, metadata={"risk_level": risk}) for symbol, risk in (("C", 6), ("B", 6), ("A", 6), ("D", 8))]
    await import_funds(database, read_funds(write_folder(tmp_path / "a", *funds)).funds)
    body = await market.call("compare_rmf_funds", fundCodes=["C", "B", "A", "D"])
    assert "A, B and C have the lowest risk (6/8), D the highest (8/8)." in text(body)
    assert body["structuredContent"]["ties"]["lowestRisk"] == ["A", "B", "C"]
    assert "All returned +1.00% YTD." in text(body)


async def test_a_detail_says_for_whom_the_fund_is(demo_market: Market) -> None:
    english = text(await demo_market.call("get_rmf_fund_detail", fundCode="ABAPAC-RMF"))
    assert "Suitable for investors who accept high risk and seek Asia-Pacific equities excluding Japan." in english
    thai = text(await demo_market.call("get_rmf_fund_detail", fundCode="ABAPAC-RMF", lang="th"))
    assert "เหมาะกับผู้ลงทุนที่รับความเสี่ยงสูงได้และต้องการลงทุนในหุ้นเอเชียแปซิฟิก" in thai


def test_a_lost_line_break_is_no_letter() -> None:
    assert restore_line_breaks("เสี่ยงสูงnลงทุน") == "เสี่ยงสูง\nลงทุน"
    assert restore_line_breaks("SET50 Index ใน NAV") == "SET50 Index ใน NAV"
    assert restore_line_breaks(None) is None


async def test_the_age_of_the_nav_is_told_but_never_hashed(database: Database, market: Market, tmp_path: Path) -> None:
    old = fund("A", latest_nav=nav("2024-11-01", 10.0), nav_history_30d=[])
    await import_funds(database, read_funds(write_folder(tmp_path / "a", old, fund("B"))).funds)
    body = await market.call("get_rmf_fund_detail", fundCode="A")
    sentence = "NAV of 2024-11-01, 376 days old."
    assert sentence not in text(body)
    assert str(DIALECT.to_mcp_parts(body).text).endswith(sentence)
    for tool in ("get_rmf_fund_nav_history", "get_rmf_fund_detail"):
        thai = await market.call(tool, fundCode="A", lang="th")
        assert str(DIALECT.to_mcp_parts(thai).text).endswith("NAV ณ 2024-11-01 เก่า 376 วัน")
    searched = await market.call("search_rmf_funds", amc="ผู้จัดการ", search="a", lang="en")
    searched["structuredContent"]["funds"] = [body["structuredContent"]["fund"]]
    assert str(DIALECT.to_mcp_parts(searched).text).endswith(sentence)
    fresh = await market.call("get_rmf_fund_detail", fundCode="B")
    assert DIALECT.to_mcp_parts(fresh).text == text(fresh)


async def test_a_ranking_says_of_how_many_funds_it_shows_the_first(demo_market: Market) -> None:
    first = text(await demo_market.call("get_rmf_fund_performance", period="1y", riskLevel=6, limit=2))
    assert first.startswith("2 of 6 RMF funds with risk 6/8, highest 1-year return first:"), first
    every = text(await demo_market.call("get_rmf_fund_performance", period="1y", riskLevel=6))
    assert every.startswith("6 RMF funds with risk 6/8, "), every


async def test_a_list_names_what_was_searched(demo_market: Market) -> None:
    assert text(await demo_market.call("get_rmf_funds", search="gold")).startswith(
        "Found 1 RMF fund (matching “gold”), "
    )


async def test_filters_that_find_nothing_together_say_what_each_finds_alone(demo_market: Market) -> None:
    sentence = text(await demo_market.call("search_rmf_funds", search="gold equity", amc="riverside", maxRiskLevel=6))
    assert "Each alone finds: matching “gold”: 1, matching “equity”: 7, manager “riverside”: " in sentence
    assert "risk at most 6: " in sentence


async def test_words_that_find_nothing_together_say_what_each_finds_alone(demo_market: Market) -> None:
    sentence = text(await demo_market.call("get_rmf_funds", search="gold equity"))
    assert "Each alone finds: matching “gold”: 1, matching “equity”: 7." in sentence


async def test_a_misspelt_manager_gets_the_nearest_names(real_market: Market) -> None:
    assert "ไทยพาณิชย์" in text(await real_market.call("search_rmf_funds", amc="ไทยพานิชย์"))
    assert "krungsri" in text(await real_market.call("search_rmf_funds", amc="krungsree"))
    assert "Nearest" not in text(await real_market.call("search_rmf_funds", amc="zzzzzz"))
