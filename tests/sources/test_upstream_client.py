"""An outside party that does not answer is left alone: no more requests, a refusal that says when, one trial."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from sanya.kernel.breaker import BreakerPolicy, Breakers
from sanya.kernel.faults import Fault, RateLimited, UpstreamFailed
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import Clock, RetryPolicy
from sanya.sources.upstream_client import UpstreamClient, UpstreamProfile, UpstreamRequest, choose_breaker
from tests.sources.pages import Page, Pages, local_pages

MANNERS = UpstreamProfile(name="the party", source="party", wait_hint="later")
_TIME_S = 1.0
GOOD, BUSY = Page(b"well"), Page(status=503)


@dataclass
class Party:
    """`now` is the breaker's time; waits between tries take none of it."""

    pages: Pages
    asking: UpstreamClient
    now: float = 100.0

    async def ask(self) -> bytes:
        return await self.asking.send(UpstreamRequest("a thing", f"{self.pages.url}/thing"), bytes)

    async def refused(self) -> Fault:
        with pytest.raises(Fault) as caught:
            await self.ask()
        return caught.value


@pytest.fixture
async def party() -> AsyncIterator[Party]:
    async def no_wait(seconds: float) -> None:
        del seconds

    async with local_pages() as pages:
        destination = Destination.from_url(pages.url, private=True)
        async with EgressClient("party", [destination], EgressLimits(total_s=_TIME_S)) as outside:
            breakers = Breakers(BreakerPolicy(failures=4), lambda: made.now)
            asking = UpstreamClient(
                egress=outside,
                profile=MANNERS,
                breaker=choose_breaker(MANNERS, breakers),
                clock=Clock(sleep=no_wait),
                retry_policy=RetryPolicy(tries=2),
            )
            made = Party(pages, asking)
            pages.pages["/thing"] = GOOD
            await made.ask()  # the first question takes longer: certificates are read
            yield made


@pytest.mark.parametrize("page", [BUSY, Page(b"half", hang=True)])
async def test_a_party_that_fails_is_left_alone_and_comes_back_by_itself(party: Party, page: Page) -> None:
    party.pages.pages["/thing"] = page
    for _ in range(2):
        assert isinstance(await party.refused(), UpstreamFailed)
    before = party.pages.count("/thing")
    for _ in range(10):
        fault = await party.refused()
        assert isinstance(fault, UpstreamFailed) and fault.source == "party"
        assert fault.retry_after_ms == 1000
    assert party.pages.count("/thing") == before
    party.now += 1
    await party.refused()
    assert party.pages.count("/thing") == before + 1
    party.pages.pages["/thing"] = GOOD
    party.now += 2
    assert [await party.ask(), await party.ask()] == [b"well"] * 2


async def test_a_party_that_answers_no_is_no_party_that_fails(party: Party) -> None:
    party.pages.pages["/thing"] = Page(status=429)
    assert {type(await party.refused()) for _ in range(5)} == {RateLimited}
    party.pages.pages["/thing"] = Page(status=404)
    assert {type(await party.refused()) for _ in range(5)} == {UpstreamFailed}
    party.pages.pages["/thing"] = GOOD
    assert await party.ask() == b"well"


async def test_who_asks_on_their_own_account_is_told_every_time_what_failed(party: Party) -> None:
    party.pages.pages["/thing"] = BUSY
    asking = replace(party.asking, breaker=choose_breaker(MANNERS, None))
    alone = Party(party.pages, asking)
    assert {(await alone.refused()).message for _ in range(10)} == {"the party answered with status 503 (a thing)"}
