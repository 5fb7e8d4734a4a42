"""Workers share request ids, rate limits and counts through the coordinator, over real sockets in one process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from sanya.coordination.coordinator import Coordinator, WorkerConnection
from sanya.coordination.peers import WorkerPeers, open_peers
from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import InvalidArgument, RateLimited
from sanya.kernel.ledger.chain import StoredAnswer

KEY = ("caller", "id-1")
ANSWER = StoredAnswer("call-1", *KEY, "f1", '{"body": {}}', "2030-01-01T00:00:00.000Z")


@dataclass
class Joined:
    coordinator: Coordinator
    workers: list[WorkerPeers]
    connections: list[WorkerConnection]


@pytest.fixture
async def joined() -> AsyncIterator[Joined]:
    """Two workers and their coordinator."""
    coordinator = Coordinator(600)
    async with AsyncExitStack() as stack:
        workers, connections = [], []
        for index in range(2):
            ours, theirs = socket.socketpair()
            connection = await coordinator.connect(index, ours)
            stack.push_async_callback(coordinator.disconnect, connection)
            connections.append(connection)
            workers.append(await stack.enter_async_context(open_peers(theirs, index, 2)))
        yield Joined(coordinator, workers, connections)


async def test_the_first_answer_reaches_the_worker_that_waits_for_it(joined: Joined) -> None:
    first, second = (worker.window for worker in joined.workers)
    assert await first.claim(KEY, "f1", "call-1", 1000) is None
    waiting = asyncio.create_task(second.claim(KEY, "f1", "call-2", 1000))
    with pytest.raises(InvalidArgument, match="already used for another call"):
        await second.claim(KEY, "other", "call-3", 1000)
    assert not waiting.done()
    await first.keep(ANSWER)
    assert await waiting == ANSWER
    assert await second.claim(KEY, "f1", "call-4", 1000) == ANSWER


async def test_a_released_or_abandoned_claim_can_be_taken_again(joined: Joined) -> None:
    first, second = (worker.window for worker in joined.workers)
    assert await first.claim(KEY, "f1", "call-1", 1000) is None
    given_up = asyncio.create_task(second.claim(KEY, "f1", "call-2", 1000))
    await joined.workers[1].report_ready()  # the claim before it has arrived
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    await first.release(KEY, "call-1")
    async with asyncio.timeout(10):
        assert await first.claim(KEY, "f1", "call-3", 1000) is None


async def test_a_worker_that_dies_leaves_no_claim(joined: Joined) -> None:
    first, second = (worker.window for worker in joined.workers)
    assert await first.claim(KEY, "f1", "call-1", 1000) is None
    waiting = asyncio.create_task(second.claim(KEY, "f1", "call-2", 1000))
    await joined.workers[0].channel.close()
    await joined.connections[0].channel.ended.wait()
    await joined.coordinator.disconnect(joined.connections[0])
    async with asyncio.timeout(10):
        assert await waiting is None, "it may run the call now"


async def test_a_rate_counts_the_calls_of_both(joined: Joined) -> None:
    caller = Caller("limited", frozenset(), calls_per_minute=60)
    admitted = 0
    with pytest.raises(RateLimited) as refused:
        for turn in range(100):
            admission = joined.workers[turn % 2].limiter.admit(caller)
            assert admission is not None
            await admission
            admitted += 1
    assert 10 <= admitted <= 12
    assert refused.value.retry_after_ms
    assert joined.workers[0].limiter.admit(Caller("free", frozenset())) is None


async def test_counts_come_from_every_other_worker(joined: Joined) -> None:
    joined.workers[1].tell_counts(lambda: {"calls": 7})
    assert await joined.workers[0].collect_counts() == {"1": {"calls": 7}}


async def test_a_worker_goes_on_alone_without_its_supervisor(joined: Joined) -> None:
    worker = joined.workers[0]
    await joined.coordinator.disconnect(joined.connections[0])
    await worker.channel.ended.wait()
    assert await worker.window.claim(KEY, "f1", "call-1", 1000) is None
    await worker.window.keep(ANSWER)
    await worker.window.release(KEY, "call-1")
    admission = worker.limiter.admit(Caller("limited", frozenset(), calls_per_minute=1))
    assert admission is not None
    await admission
    await worker.make_budget("party", 1).take()
    assert await worker.collect_counts() == {}
