"""Managers and classes by the names that people use, and imports that change the taxonomy or lack a fund."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import FundImportReport, import_funds
from sanya.suites.funds.naming.classes import load_classes, place_fund
from tests.suites.funds.market import Market, fund, write_folder

THAI_MANAGERS = {
    "กรุงศรี": 48, "กสิกรไทย": 33, "กสิกร": 33, "บัวหลวง": 33, "ไทยพาณิชย์": 37, "ทิสโก้": 59, "อีสท์สปริง": 41, "กรุงไทย": 28,
    "ยูโอบี": 24, "วรรณ": 15, "ทาลิส": 15, "เกียรตินาคินภัทร": 14, "แอสเซทพลัส": 12, "พรินซิเพิล": 9, "เอ็มเอฟซี": 9,
    "แลนด์ แอนด์ เฮ้าส์": 8, "อเบอร์ดีน": 5, "บลจ.กรุงศรี": 48, "บลจ. กสิกรไทย จำกัด": 33, "SCBAM": 37, "ktam": 28, "abrdn": 5,
    "KAsset": 33, "เค แอสเซท": 33, "ธนาคารกสิกรไทย": 33, "X spring": 1, "อาเบอร์ดีน": 5,
    "BBLAM": 33, "Land & Houses": 8, "krungsri": 48,
}  # fmt: skip


async def count(market: Market, **filters: Any) -> int:
    return int((await market.ask("search_rmf_funds", **filters))["totalCount"])


@pytest.mark.parametrize("name", THAI_MANAGERS)
async def test_a_manager_is_found_by_thai_name_short_name_and_brand(real_market: Market, name: str) -> None:
    assert await count(real_market, amc=name) == THAI_MANAGERS[name]


async def test_a_class_is_found_in_both_taxonomies(database: Database, market: Market, tmp_path: Path) -> None:
    by_code = fund("CODE", metadata={"fund_classification": "EQUS"})
    by_policy = fund("POLICY", metadata={"fund_classification": "ตราสารทุน"}, fund_name="American Leaders RMF")
    bond = fund("BOND", metadata={"fund_classification": "ตราสารหนี้"}, fund_name="American Bond RMF")
    short = fund("SHORT", metadata={"fund_classification": "FIXGEN"}, fund_name="Short Term Fixed Income RMF")
    gold = fund("GOLD", metadata={"fund_classification": "ทรัพย์สินทางเลือก"}, fund_name="Gold Bullion RMF")
    await import_funds(database, read_funds(write_folder(tmp_path / "a", by_code, by_policy, bond, short, gold)).funds)
    expectations = {
        "CODE POLICY": ("ตราสารทุน", "equity", "US", "หุ้นอเมริกา"),
        "GOLD": ("gold", "ทองคำ", "ทรัพย์สินทางเลือก"),
        "BOND SHORT": ("bond", "FIXED_INCOME"),
        "SHORT": ("ตราสารหนี้ระยะสั้น", "short term bond", "SHORT_TERM_BOND", "short-term-bond"),
        "CODE": ("EQ",),
        "": ("nothing",),
    }
    for symbols, words in expectations.items():
        for word in words:
            found = await market.ask("search_rmf_funds", category=word, sortBy="name", sortOrder="asc")
            assert " ".join(sorted(listed["symbol"] for listed in found["funds"])) == symbols, word


async def test_a_placement_by_name_is_counted_and_said(database: Database, market: Market, tmp_path: Path) -> None:
    named = fund("A", metadata={"fund_classification": "-"}, fund_name="China Equity RMF")
    await import_funds(
        database,
        read_funds(write_folder(tmp_path / "a", named, fund("B", metadata={"fund_classification": "EQCH"}))).funds,
    )
    body = await market.call("search_rmf_funds", category="china")
    assert (body["structuredContent"]["totalCount"], body["structuredContent"]["inferredCount"]) == (2, 1)
    assert "1 of the funds shown has no finer class" in body["content"][0]["text"]


def test_names_never_contradict_a_code() -> None:
    placement = place_fund("EQGL", " china gold equity ", "")
    assert placement.reported == {"equity", "global_equity"}
    assert placement.inferred == frozenset()
    assert place_fund("ตราสารหนี้", " china bond ", "").inferred == frozenset()


def test_an_index_places_only_a_fund_that_is_known_to_hold_shares() -> None:
    index = " ดัชนีผลตอบแทนรวมตลาดหลักทรัพย์แห่งประเทศไทย (set tri) "
    assert "thai_equity" in place_fund("-", " bualuang equity rmf ", index).inferred
    assert "thai_equity" in place_fund("ตราสารทุน", " top ten rmf ", index).inferred
    for classification, names in (("-", " good life rmf "), ("ผสม", " mixed rmf "), ("EQGL", " equity rmf ")):
        placement = place_fund(classification, names, index)
        assert "thai_equity" not in placement.reported | placement.inferred, names


async def test_the_words_of_an_unknown_class_are_counted_as_a_search(real_market: Market) -> None:
    body = await real_market.call("search_rmf_funds", category="blockchain")
    assert body["structuredContent"]["totalCount"] == 0
    assert "matching “blockchain”: 1" in body["content"][0]["text"]


def test_every_class_has_words_that_lead_to_it_and_known_parents() -> None:
    for known in load_classes().values():
        assert known.words, known.id
        assert set(known.parents) <= load_classes().keys(), known.id


@pytest.mark.parametrize(
    ("search", "least"),
    [
        ("S&P 500", {"K-US500XRMF"}),
        ("equity asia bualuang", {"B-ASIARMF"}),
        ("bualuang ASIA equity", {"B-ASIARMF"}),
        ("กองทุนหุ้นจีน", {"K-CHINARMF", "UCHINARMF"}),
        ("หุ้น เวียดนาม กสิกร", {"K-VIETNAMRMF"}),
        ("nasdaq", {"KFNDQRMF", "SCBRMNDQ(A)"}),
    ],
)
async def test_words_are_found_in_any_order_in_name_class_manager_and_benchmark(
    real_market: Market, search: str, least: set[str]
) -> None:
    found = await real_market.ask("search_rmf_funds", search=search, limit=100)
    assert least <= {listed["symbol"] for listed in found["funds"]}
    assert 0 < found["totalCount"] < 100


async def test_a_short_word_is_not_found_inside_others(real_market: Market) -> None:
    found = await real_market.ask("search_rmf_funds", search="US", limit=100)
    managers = {listed["amc"] for listed in found["funds"]}
    assert "ASSET PLUS FUND MANAGEMENT COMPANY LIMITED" not in managers
    assert found["totalCount"] < 40


async def import_market(
    database: Database, folder: Path, classification: str, symbols: list[str], day: str
) -> FundImportReport:
    funds = [
        fund(symbol, metadata={"fund_classification": classification}, data_fetched_at=f"{day}T06:00:00.000Z")
        for symbol in symbols
    ]
    return await import_funds(database, read_funds(write_folder(folder, *funds)).funds)


async def test_a_broader_taxonomy_keeps_the_finer_class_and_says_so(
    database: Database, market: Market, tmp_path: Path
) -> None:
    symbols = [f"F{number:02}" for number in range(12)]
    await import_market(database, tmp_path / "a", "EQGL", symbols, "2025-10-01")
    report = await import_market(database, tmp_path / "b", "ตราสารทุน", symbols, "2025-11-01")
    assert report.classes_kept == 12
    assert (await market.ask("get_rmf_fund_detail", fundCode="F00"))["fund"]["fund_classification"] == "EQGL"
    changed = await import_market(database, tmp_path / "c", "ตราสารหนี้", symbols, "2025-11-02")
    assert changed.classes_kept == 0
    assert (await market.ask("get_rmf_fund_detail", fundCode="F00"))["fund"]["fund_classification"] == "ตราสารหนี้"


async def test_a_fund_missing_from_a_newer_snapshot_is_gone_until_it_returns(
    database: Database, market: Market, tmp_path: Path
) -> None:
    symbols = [f"F{number:02}" for number in range(40)]
    await import_market(database, tmp_path / "a", "EQGL", symbols, "2025-10-01")
    assert (await import_market(database, tmp_path / "b", "EQGL", symbols[3:], "2025-11-01")).gone == 3
    gone = await market.call("get_rmf_fund_detail", fundCode="F00")
    assert gone["structuredContent"]["fund"]["gone_since"] == "2025-11-01"
    assert "missing from the market since 2025-11-01" in gone["content"][0]["text"]
    listed = (await market.ask("search_rmf_funds", search="F01"))["funds"]
    assert [entry["gone_since"] for entry in listed] == ["2025-11-01"]
    # An older snapshot and a folder with a few funds say nothing about the others.
    assert (await import_market(database, tmp_path / "c", "EQGL", symbols[4:], "2025-10-15")).gone == 0
    assert (await import_market(database, tmp_path / "d", "EQGL", symbols[:2], "2025-11-03")).gone == 0
    assert (await market.ask("get_rmf_fund_detail", fundCode="F00"))["fund"]["gone_since"] is None
    assert (await market.ask("get_rmf_fund_detail", fundCode="F02"))["fund"]["gone_since"] == "2025-11-01"


async def test_infrastructure_is_not_property(real_market: Market) -> None:
    async def list_symbols(category: str) -> set[str]:
        found = await real_market.ask("search_rmf_funds", category=category, limit=50)
        return {listed["symbol"] for listed in found["funds"]}

    property_funds, infrastructure = await list_symbols("อสังหา"), await list_symbols("โครงสร้างพื้นฐาน")
    assert {"K-GIFRMF", "IN-RMF"} <= infrastructure - property_funds
    assert "KT-PROPERTY RMF" in property_funds - infrastructure
    assert "KT-PIF RMF" in property_funds & infrastructure
