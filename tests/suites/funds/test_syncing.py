"""Sync from the Thai SEC's open data over HTTP, on both engines: each fund completely or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from sanya.kernel.faults import UpstreamFailed
from sanya.kernel.storage.database import Database
from sanya.sources.pacing import Clock, LocalBudget
from sanya.sources.thai_sec import ThaiSec, open_thai_sec
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.syncing import SyncPeriod, SyncReport, sync_funds
from tests.sources.open_data import KEY, OpenDataServer, open_data_served
from tests.suites.funds.market import Market, open_market

NOW = datetime(2025, 11, 10, 9, 0, tzinfo=UTC)
SPAN = SyncPeriod(NOW, date(2025, 1, 1))


async def _at_once(_: float) -> None:
    """Return at once instead of waiting."""


@pytest.fixture
async def server() -> AsyncIterator[OpenDataServer]:
    async with open_data_served() as served:
        yield served


@pytest.fixture
async def source(server: OpenDataServer) -> AsyncIterator[ThaiSec]:
    clock = Clock(sleep=_at_once)
    async with open_thai_sec(server.url, KEY, LocalBudget(1e6, clock), clock=clock) as source:
        yield source


@pytest.fixture
async def synced(database: Database, source: ThaiSec) -> SyncReport:
    await load_demo(database)
    return await sync_funds(database, source, SPAN)


@pytest.fixture
async def market(database: Database, synced: SyncReport) -> AsyncIterator[Market]:
    async with open_market(database) as opened:
        yield opened


async def fund(market: Market, code: str) -> dict[str, Any]:
    found: dict[str, Any] = (await market.ask("get_rmf_fund_detail", fundCode=code))["fund"]
    return found


async def test_only_living_retirement_funds_are_taken_and_the_demo_goes(market: Market, synced: SyncReport) -> None:
    listed = await market.ask("get_rmf_funds")
    assert sorted(fund["symbol"] for fund in listed["funds"]) == ["ONE-RMF", "TWO-RMF(A)"]
    assert (synced.projects, synced.written.created, synced.refused) == (2, 2, [])
    assert synced.written.demo_removed > 0


async def test_a_fund_is_read_from_all_kinds_of_rows(market: Market) -> None:
    found = await fund(market, "ONE-RMF")
    expected = {
        "fund_id": "M9001_2560",
        "fund_name": "ONE-RMF Fund",
        "fund_name_th": "กองทุน ONE-RMF",
        "amc": "SAMPLE ASSET MANAGEMENT COMPANY LIMITED",
        "registered_on": "2017-05-01",
        "risk_level": 6,
        "management_style": "AM",
        "dividend_policy": "No",
        "perf_ytd": 8.8,
        "perf_1y": -1.25,
        "benchmark_ytd": 18.78,
        "benchmark_name": "SET TRI + ดัชนี ข",
        "min_initial": 5000.0,
        "min_additional": 100.0,
        "min_redemption": None,
        "min_balance": 0.0,
        "factsheet_url": "https://example.org/new.pdf",
        "nav_date": "2025-11-07",
    }
    assert {name: found[name] for name in expected} == expected
    assert [share["percentage"] for share in found["asset_allocation"]] == [95.68, 4.32]
    assert [fee["fee_value"] for fee in found["fees"]] == [1.07, 1.0]
    assert found["statistics"]["tracking_error"] == 3.21
    dividend = {"book_close_date": "2024-01-14", "payment_date": "2024-01-26", "amount": 0.25}
    assert found["dividends"] == [dividend]


async def test_what_an_investor_buys_at_is_the_sell_price(market: Market) -> None:
    found = await fund(market, "ONE-RMF")
    assert found["sell_price"] == pytest.approx(found["nav_value"] + 0.0001)
    assert found["buy_price"] == found["nav_value"]


async def test_reasons_are_given_for_what_the_register_does_not_tell(market: Market) -> None:
    found = await fund(market, "ONE-RMF")
    assert found["perf_10y"] is None and found["nulls"]["perf_10y"] == "unknown_at_source"
    assert found["nulls"]["perf_3y"] == "not_reported"


async def test_the_higher_half_of_the_highest_risk_is_eight(market: Market) -> None:
    assert (await fund(market, "TWO-RMF(A)"))["risk_level"] == 8


async def test_noughts_throughout_are_no_statistics(market: Market) -> None:
    found = await fund(market, "TWO-RMF(A)")
    assert found["statistics"] is None
    compared = await market.ask("compare_rmf_funds", fundCodes=["ONE-RMF", "TWO-RMF(A)"])
    assert [fund["tracking_error"] for fund in compared["funds"]] == [3.21, None]
    assert compared["funds"][1]["nulls"]["tracking_error"] == "not_reported"


async def test_days_without_a_value_make_no_point(market: Market) -> None:
    history = await market.ask("get_rmf_fund_nav_history", fundCode="ONE-RMF", days=60)
    assert all(point["nav"] > 0 for point in history["navHistory"])
    assert history["points"] == 22  # 23 weekdays, one without a value


async def test_a_second_sync_asks_only_for_the_last_days(
    database: Database, synced: SyncReport, server: OpenDataServer, source: ThaiSec
) -> None:
    server.asked.clear()
    again = await sync_funds(database, source, SyncPeriod(datetime(2025, 11, 11, tzinfo=UTC), SPAN.since))
    assert {query["start_nav_date"] for query in server.questions("daily-info/nav")} == {"2025-10-31"}
    assert (again.written.unchanged, again.written.points_added) == (2, 0)


async def test_a_sync_that_was_cut_short_goes_on_where_it_stopped(
    database: Database, server: OpenDataServer, source: ThaiSec
) -> None:
    last = server.tables["general-info/profiles"][1]["proj_id"]
    server.fails_for = last
    with pytest.raises(UpstreamFailed):
        await sync_funds(database, source, SPAN)
    assert await database.fetch("SELECT symbol FROM funds") == [("ONE-RMF",)]
    server.fails_for = None
    report = await sync_funds(database, source, SPAN)
    assert (report.fresh, report.written.created) == (1, 1)
    once_more = await sync_funds(database, source, SyncPeriod(NOW, SPAN.since, again=True))
    assert (once_more.fresh, once_more.written.unchanged) == (0, 2)


async def test_a_fund_without_a_risk_is_named_and_left_out(
    database: Database, server: OpenDataServer, source: ThaiSec
) -> None:
    server.tables["factsheet/risk-spectrum"] = [
        row for row in server.tables["factsheet/risk-spectrum"] if row["proj_id"] != "M9001_2560"
    ]
    report = await sync_funds(database, source, SPAN)
    assert [refusal.place for refusal in report.refused] == ["M9001_2560 ONE-RMF"]
    assert "risk" in report.refused[0].reason
    assert report.written.created == 1
