"""Several processes share one budget of requests through Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya.engines.redis.client import open_redis
from sanya.sources.pacing import Clock, LocalBudget
from sanya.sources.shared_budget import SharedBudget
from tests.sources.test_entrez import FastClock


@asynccontextmanager
async def shared_budget(url: str, party: str, own: LocalBudget, clock: Clock) -> AsyncIterator[SharedBudget]:
    async with open_redis(url) as client:
        yield SharedBudget(client, party, 0.1, own, clock)


def unbounded() -> LocalBudget:
    return LocalBudget(1_000_000, FastClock().clock)


async def test_turns_of_two_processes_follow_each_other(redis_url: str) -> None:
    """Two clients stand for two processes. Redis has its own clock, so what is asked of each wait is looked at."""
    time = FastClock()
    async with (
        shared_budget(redis_url, "party", unbounded(), time.clock) as first,
        shared_budget(redis_url, "party", unbounded(), time.clock) as other,
    ):
        for budget in (first, other, first, other):
            await budget.take()
    assert [round(wait / 10) for wait in time.waits] == [1, 2, 3]


async def test_another_party_has_its_own_turns(redis_url: str) -> None:
    time = FastClock()
    for party in ("a", "b", "c"):
        async with shared_budget(redis_url, party, unbounded(), time.clock) as budget:
            await budget.take()
    assert time.waits == []


async def test_without_redis_each_process_keeps_to_its_own(tmp_path: Path) -> None:
    time = FastClock()
    own = LocalBudget(0.1, time.clock)
    async with shared_budget(f"unix://{tmp_path}/none.sock", "party", own, time.clock) as budget:
        await budget.take()
        await budget.take()
    assert time.waits == [10.0]
