"""Imports on each engine: atomic, repeatable, with a history that only grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.importing.files import NothingToImport, read_funds
from sanya.suites.funds.importing.writer import FundImportReport, import_funds
from tests.suites.funds.market import Market, fund, nav, write_folder

LATER = "2025-12-11T06:00:00.000Z"


async def take(database: Database, folder: Path, *funds: dict[str, Any]) -> FundImportReport:
    return await import_funds(database, read_funds(write_folder(folder, *funds)).funds)


async def test_a_second_import_adds_history_and_renews_the_figures(
    database: Database, market: Market, tmp_path: Path
) -> None:
    await take(database, tmp_path / "a", fund("A"))
    newer = fund(
        "A",
        latest_nav=nav("2025-11-10", 11.0),
        nav_history_30d=[nav("2025-11-10", 11.0)],
        performance={"ytd": 9.0},
        data_fetched_at=LATER,
    )
    report = await take(database, tmp_path / "b", newer)
    assert (report.updated, report.points_added, report.points_corrected) == (1, 1, 0)
    history = await market.ask("get_rmf_fund_nav_history", fundCode="A")
    assert [point["nav"] for point in history["navHistory"]] == [9.5, 10.0, 11.0]
    (listed,) = (await market.ask("get_rmf_funds"))["funds"]
    assert (listed["perf_ytd"], listed["nav_value"], listed["nav_change_percent"]) == (9.0, 11.0, 10.0)


async def test_the_same_files_twice_change_nothing(database: Database, tmp_path: Path) -> None:
    await take(database, tmp_path / "a", fund("A"), fund("B"))
    before = await database.fetch("SELECT revision FROM revisions WHERE suite = 'funds'")
    report = await take(database, tmp_path / "a")
    assert (report.created, report.updated, report.unchanged, report.points_added) == (0, 0, 2, 0)
    assert await database.fetch("SELECT revision FROM revisions WHERE suite = 'funds'") == before


async def test_an_older_file_fills_gaps_and_overwrites_nothing(
    database: Database, market: Market, tmp_path: Path
) -> None:
    await take(database, tmp_path / "a", fund("A", data_fetched_at=LATER))
    older = fund("A", fund_name="Old name", nav_history_30d=[nav("2025-11-05", 9.0), nav("2025-11-06", 1.0)])
    report = await take(database, tmp_path / "b", older)
    assert (report.older, report.points_added, report.points_corrected) == (1, 1, 0)
    history = await market.ask("get_rmf_fund_nav_history", fundCode="A")
    assert [point["nav"] for point in history["navHistory"]] == [9.0, 9.5, 10.0]
    assert history["fundName"] == "Fund A"


async def test_a_corrected_nav_replaces_the_one_it_corrects(database: Database, market: Market, tmp_path: Path) -> None:
    await take(database, tmp_path / "a", fund("A"))
    corrected = fund("A", latest_nav=nav("2025-11-07", 10.5), data_fetched_at=LATER)
    report = await take(database, tmp_path / "b", corrected)
    assert (report.points_added, report.points_corrected) == (0, 1)
    assert (await market.ask("get_rmf_fund_detail", fundCode="A"))["fund"]["nav_value"] == 10.5


async def test_the_first_import_removes_the_demo_funds_and_their_mark(
    database: Database, market: Market, tmp_path: Path
) -> None:
    await load_demo(database)
    assert (await market.call("get_rmf_funds"))["_meta"]["demo"] is True
    report = await take(database, tmp_path / "a", fund("ABAPAC-RMF"))
    assert report.demo_removed == 12
    body = await market.call("get_rmf_fund_nav_history", fundCode="ABAPAC-RMF", days=365)
    assert body["_meta"]["demo"] is False
    assert body["structuredContent"]["points"] == 2
    assert await load_demo(database) is False


async def test_nothing_is_half_imported(database: Database, market: Market, tmp_path: Path) -> None:
    await load_demo(database)
    good = read_funds(write_folder(tmp_path / "a", fund("A"), fund("B"))).funds

    def fail(_: object) -> None:
        raise OSError("the reader went away")

    with pytest.raises(OSError, match="went away"):
        await import_funds(database, good, progress=fail)
    assert (await market.call("get_rmf_funds"))["_meta"]["demo"] is True
    assert (await market.refusal("get_rmf_fund_detail", {"fundCode": "A"}))["code"] == "NOT_FOUND"


async def test_a_row_that_cannot_be_placed_is_refused_with_its_reason(
    database: Database, market: Market, tmp_path: Path
) -> None:
    shifted = {"management_style": "No", "dividend_policy": "9", "fund_classification": "AM", "risk_level": 0}
    folder = write_folder(
        tmp_path / "a",
        fund("A"),
        fund("B", amc="EQGEN", metadata=shifted),
        fund("C", metadata={"risk_level": 0}),
        fund("a"),
        {"symbol": "D"},
        {"generated_at": "2025"},
    )
    (folder / "broken.json").write_text("{", encoding="utf-8")
    found = read_funds(folder)
    reasons = {refusal.place: refusal.reason for refusal in found.refused}
    assert "risk of 1 to 8" in reasons["001.json"]
    assert "risk level must be 1 to 8" in reasons["002.json"]
    assert "000.json already" in reasons["003.json"]
    assert "fund_id" in reasons["004.json"]
    assert "not JSON" in reasons["broken.json"]
    assert [refusal.place for refusal in found.skipped] == ["005.json"]
    await import_funds(database, found.funds)
    assert (await market.ask("get_rmf_funds"))["totalCount"] == 1


def test_a_shifted_row_without_a_register_takes_its_manager_from_a_sibling(tmp_path: Path) -> None:
    metadata = {"management_style": "No", "dividend_policy": "6", "fund_classification": "AM", "risk_level": 0}
    shifted = fund("A-B", fund_id="M1", amc="EQUS", metadata=metadata)
    found = read_funds(write_folder(tmp_path / "a", fund("A-A", fund_id="M1"), shifted))
    repaired = next(fund for fund in found.funds if fund.symbol == "A-B")
    assert repaired.amc == "ONE ASSET MANAGEMENT LIMITED"
    assert (repaired.fund_classification, repaired.risk_level) == ("EQUS", 6)
    assert {repair.field for repair in found.repairs} == {
        "amc",
        "fund_classification",
        "management_style",
        "dividend_policy",
        "risk_level",
    }


def test_a_nav_of_zero_is_left_out_and_told(tmp_path: Path) -> None:
    found = read_funds(write_folder(tmp_path / "a", fund("A", nav_history_30d=[nav("2025-11-06", 0)])))
    assert [point.date for point in found.funds[0].points] == ["2025-11-07"]
    assert [repair.field for repair in found.repairs] == ["nav"]


def test_a_folder_without_funds_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(NothingToImport, match="folder of fund JSON files"):
        read_funds(tmp_path)
