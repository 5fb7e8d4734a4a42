"""Rate limits and request ids that processes share through Redis. Two clients stand for two processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from sanya.engines.redis.client import RedisUnavailable, open_redis
from sanya.engines.redis.rate_limits import RedisRateLimiter
from sanya.engines.redis.request_window import RedisRequestWindow
from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.limits import BURST_SECONDS, RateLimiter
from sanya.kernel.calls.requests import RequestKey
from sanya.kernel.faults import InvalidArgument, RateLimited
from sanya.kernel.ledger.chain import StoredAnswer

HOLD_MS = 60_000


@pytest.fixture
async def clients(redis_url: str) -> AsyncIterator[tuple[Redis, Redis]]:
    async with open_redis(redis_url) as first, open_redis(redis_url) as second:
        yield first, second


@pytest.fixture
async def away(tmp_path: Path) -> AsyncIterator[Redis]:
    async with open_redis(f"unix://{tmp_path}/none.sock") as client:
        yield client


def make_caller(calls_per_minute: int) -> Caller:
    return Caller(uuid4().hex, frozenset(), calls_per_minute)


async def is_admitted(limiter: RateLimiter, caller: Caller) -> bool:
    try:
        counting = limiter.admit(caller)
        if counting is not None:
            await counting
    except RateLimited as refused:
        assert refused.retry_after_ms is not None and refused.retry_after_ms > 0
        return False
    return True


async def test_two_processes_count_a_caller_together(clients: tuple[Redis, Redis]) -> None:
    limiters = [RedisRateLimiter(client) for client in clients]
    caller = make_caller(60)
    count = [await is_admitted(limiters[turn % 2], caller) for turn in range(40)]
    # One or two more may have become available during the calls.
    assert BURST_SECONDS <= sum(count) <= BURST_SECONDS + 2
    assert await is_admitted(limiters[0], make_caller(60))
    assert all([await is_admitted(limiters[0], make_caller(0)) for _ in range(100)])


async def test_without_redis_a_process_counts_for_itself(away: Redis) -> None:
    limiter, caller = RedisRateLimiter(away), make_caller(60)
    assert sum([await is_admitted(limiter, caller) for _ in range(40)]) == BURST_SECONDS


def make_key() -> RequestKey:
    return "caller", uuid4().hex


def answer_to(key: RequestKey, outcome: str = "{}") -> StoredAnswer:
    return StoredAnswer("call_1", *key, "tool hash", outcome, "2027-01-01T00:00:00.000Z")


async def test_an_answer_is_given_again_by_another_process(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600) for client in clients)
    key = make_key()
    assert await first.claim(key, "tool hash", "first", HOLD_MS) is None
    waiting = asyncio.create_task(second.claim(key, "tool hash", "second", HOLD_MS))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    await first.keep(answer_to(key))
    assert await asyncio.wait_for(waiting, 10) == answer_to(key)


async def test_who_waits_for_a_call_that_is_refused_runs_in_its_place(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600) for client in clients)
    key = make_key()
    await first.claim(key, "tool hash", "first", HOLD_MS)
    waiting = asyncio.create_task(second.claim(key, "tool hash", "second", HOLD_MS))
    await first.release(key, "somebody else")
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    await first.release(key, "first")
    assert await asyncio.wait_for(waiting, 10) is None


async def test_a_claim_of_a_process_that_died_runs_out(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600) for client in clients)
    key = make_key()
    await first.claim(key, "tool hash", "died", 100)
    assert await asyncio.wait_for(second.claim(key, "tool hash", "second", HOLD_MS), 10) is None


async def test_a_claim_is_held_while_its_call_runs_however_short_the_lease(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600, lease_ms=1000) for client in clients)
    key = make_key()
    await first.claim(key, "tool hash", "first", HOLD_MS)
    waiting = asyncio.create_task(second.claim(key, "tool hash", "second", HOLD_MS))
    done, _ = await asyncio.wait({waiting}, timeout=2.5)
    assert not done
    await first.keep(answer_to(key))
    assert await asyncio.wait_for(waiting, 10) == answer_to(key)


async def test_another_input_under_the_id_is_refused(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600) for client in clients)
    key = make_key()
    await first.claim(key, "tool hash", "first", HOLD_MS)
    with pytest.raises(InvalidArgument, match="request_id"):
        await second.claim(key, "tool other", "second", HOLD_MS)


async def test_an_answer_too_large_to_be_kept_frees_its_id(clients: tuple[Redis, Redis]) -> None:
    first, second = (RedisRequestWindow(client, 600) for client in clients)
    key = make_key()
    await first.claim(key, "tool hash", "first", HOLD_MS)
    await first.keep(answer_to(key, "x" * 2_000_000))
    assert await second.claim(key, "tool hash", "second", HOLD_MS) is None


async def test_without_redis_every_process_goes_ahead(away: Redis) -> None:
    window, key = RedisRequestWindow(away, 600), make_key()
    assert await window.claim(key, "tool hash", "first", HOLD_MS) is None
    await window.keep(answer_to(key))
    await window.release(key, "first")


async def test_an_address_that_cannot_be_read_is_refused() -> None:
    async with AsyncExitStack() as stack:
        with pytest.raises(RedisUnavailable, match="redis_url"):
            await stack.enter_async_context(open_redis("http://nowhere"))
