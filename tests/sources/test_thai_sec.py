from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sanya.kernel.faults import RateLimited, Unauthorized, UpstreamFailed
from sanya.sources.egress import EgressLimits
from sanya.sources.pacing import Clock, LocalBudget
from sanya.sources.thai_sec import REQUESTS_PER_SECOND, ThaiSec, open_thai_sec
from tests.sources.open_data import KEY, OpenDataServer, Trouble, open_data_served

PROFILES = "general-info/profiles"


class Waits:
    """A clock that does not wait: it notes for how long it was asked to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self.sleep)


@asynccontextmanager
async def asking(server: OpenDataServer, waits: Waits, key: str = KEY) -> AsyncIterator[ThaiSec]:
    budget = LocalBudget(REQUESTS_PER_SECOND, waits.clock)
    limits = EgressLimits(max_bytes=1024 * 1024, total_s=5.0)
    async with open_thai_sec(server.url, key, budget, clock=waits.clock, limits=limits) as source:
        yield source


@pytest.fixture
async def server() -> AsyncIterator[OpenDataServer]:
    async with open_data_served() as source_server:
        yield source_server


@pytest.fixture
def waits() -> Waits:
    return Waits()


async def test_all_pages_are_read_in_order(server: OpenDataServer, waits: Waits) -> None:
    server.page = 2
    async with asking(server, waits) as source:
        rows = await source.fetch_rows(PROFILES)
    assert [row["proj_abbr_name"] for row in rows] == ["ONE-RMF", "TWO", "TWO", "THREE", "GONE-RMF"]
    assert [question.get("next_cursor") for question in server.questions(PROFILES)] == [None, "2", "4"]


async def test_no_content_is_no_rows(server: OpenDataServer, waits: Waits) -> None:
    async with asking(server, waits) as source:
        assert await source.fetch_rows("factsheet/fees", proj_id="M0000_2500") == []


async def test_questions_keep_within_the_quota(server: OpenDataServer, waits: Waits) -> None:
    async with asking(server, waits) as source:
        for _ in range(20):
            await source.fetch_rows(PROFILES)
    assert waits.now == pytest.approx(19 / REQUESTS_PER_SECOND)
    assert 300 * REQUESTS_PER_SECOND <= 5_000


@pytest.mark.parametrize("status", [421, 429])
async def test_a_full_quota_is_waited_for_as_long_as_asked(server: OpenDataServer, waits: Waits, status: int) -> None:
    server.troubles = [Trouble(PROFILES, "status", status, {"Retry-After": "120"})]
    async with asking(server, waits) as source:
        assert len(await source.fetch_rows(PROFILES)) == 5
    assert 120.0 in waits.waits


async def test_a_quota_that_never_comes_back_is_told_with_what_to_do(server: OpenDataServer, waits: Waits) -> None:
    server.troubles = [Trouble(PROFILES, "status", 421)] * 6
    async with asking(server, waits) as source:
        with pytest.raises(RateLimited, match="5,000 calls in five minutes"):
            await source.fetch_rows(PROFILES)


@pytest.mark.parametrize("kind", ["html", "cut", "close", "no_items", "status"])
async def test_a_broken_answer_is_asked_for_again(server: OpenDataServer, waits: Waits, kind: str) -> None:
    server.troubles = [Trouble(PROFILES, kind)]  # type: ignore[arg-type]
    async with asking(server, waits) as source:
        assert len(await source.fetch_rows(PROFILES)) == 5


async def test_what_stays_broken_is_told_and_names_the_question(server: OpenDataServer, waits: Waits) -> None:
    server.troubles = [Trouble(PROFILES, "html")] * 6
    async with asking(server, waits) as source:
        with pytest.raises(UpstreamFailed, match=r"not JSON \(general-info/profiles\)"):
            await source.fetch_rows(PROFILES)


async def test_a_cursor_that_leads_back_to_itself_ends(server: OpenDataServer, waits: Waits) -> None:
    server.troubles = [Trouble(PROFILES, "circle")] * 2
    async with asking(server, waits) as source:
        assert await source.fetch_rows(PROFILES) == []


async def test_a_wrong_key_is_told_with_the_setting_to_change(server: OpenDataServer, waits: Waits) -> None:
    async with asking(server, waits, key="wrong") as source:
        with pytest.raises(Unauthorized, match="thai_sec_key") as refused:
            await source.fetch_rows(PROFILES)
    assert "wrong" not in str(refused.value)
    assert waits.waits == []
