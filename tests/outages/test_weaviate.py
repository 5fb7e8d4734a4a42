"""Weaviate hangs or is stopped: searches fail at once with a time to retry, and it recovers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sanya.kernel.breaker import BreakerPolicy, Breakers
from tests.outages.gate import WAIT_S, Gate, connect_tcp

pytest.importorskip("weaviate", reason="the extra `weaviate` is not installed")

from sanya.engines.index.weaviate.connection import (
    WeaviateAddress,
    WeaviateConnection,
    WeaviateFailed,
    WeaviateSilent,
    open_connection,
)
from tests.engines.index.weaviate_server.server import VERSION, StandIn, stand_in

FAILURES = 2


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with stand_in() as running:
        yield running


async def fail(connection: WeaviateConnection) -> WeaviateFailed:
    with pytest.raises(WeaviateFailed) as caught:
        async with asyncio.timeout(WAIT_S):
            await connection.read_version()
    assert caught.value.retry_after_ms
    return caught.value


async def test_a_server_that_swallows_questions_is_left_alone_and_heals(server: StandIn) -> None:
    clock = Clock()
    breakers = Breakers(BreakerPolicy(failures=FAILURES), clock)
    with Gate(connect_tcp(int(server.url.rpartition(":")[2]))) as gate:
        address = WeaviateAddress(f"http://127.0.0.1:{gate.port}", server.grpc_port, timeout_s=2.0)
        async with open_connection(address, breakers) as connection:
            assert await connection.read_version() == VERSION
            gate.mode = "hole"
            assert {type(await fail(connection)) for _ in range(FAILURES)} == {WeaviateSilent}
            before = gate.accepted
            assert (await fail(connection)).retry_after_ms == 1000
            assert gate.accepted == before
            gate.heal()
            clock.now += 1
            assert await connection.read_version() == VERSION
            assert [breaker.state for breaker in breakers.list_all()] == ["closed"]


async def test_a_server_that_is_stopped_and_started_is_found_again(server: StandIn) -> None:
    clock = Clock()
    address = WeaviateAddress(server.url, server.grpc_port, timeout_s=2.0)
    async with open_connection(address, Breakers(BreakerPolicy(failures=FAILURES), clock)) as connection:
        await server.stop()
        for _ in range(FAILURES + 1):
            await fail(connection)
        await server.start()
        clock.now += 1
        assert await connection.read_version() == VERSION
