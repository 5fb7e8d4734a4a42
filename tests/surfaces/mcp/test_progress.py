"""Progress reaches the client in order, and a silent handler is spoken for."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest

from sanya.kernel.call import Progress
from sanya.surfaces.mcp.progress import ProgressRelay
from tests.surfaces.mcp.conftest import endpoint_of, held
from tests.surfaces.mcp.wire import Exchange, modern_headers, post, scope_of, tool_call
from tests.surfaces.mcp.workshop import Workshop

Sent = list[tuple[float, float | None, str | None]]


def relay(sent: Sent, heartbeat_s: float = 60.0) -> ProgressRelay:
    async def send(done: float, total: float | None, message: str | None) -> None:
        sent.append((done, total, message))

    return ProgressRelay(send, heartbeat_s)


async def test_all_that_was_reported_is_sent_before_the_answer() -> None:
    sent: Sent = []
    async with relay(sent).relaying() as report:
        for step in range(3):
            report(Progress(step, 2, f"step {step}"))
    assert sent == [(0, 2, "step 0"), (1, 2, "step 1"), (2, 2, "step 2")]


async def test_values_always_rise_as_the_protocol_demands() -> None:
    sent: Sent = []
    async with relay(sent).relaying() as report:
        for done in (5, 5, 3, 1e9, 1e9, -1):
            report(Progress(done))
    values = [done for done, _, _ in sent]
    assert len(values) == 6
    assert all(first < second for first, second in pairwise(values))


async def test_a_handler_may_report_from_a_thread() -> None:
    sent: Sent = []
    async with relay(sent).relaying() as report:
        await asyncio.to_thread(report, Progress(1, 1, "from a thread"))
    assert sent == [(1, 1, "from a thread")]


async def test_a_silent_handler_is_spoken_for_and_goes_on_where_it_was() -> None:
    sent: Sent = []
    beaten = asyncio.Event()

    async def send(done: float, total: float | None, message: str | None) -> None:
        sent.append((done, total, message))
        if len(sent) == 3:
            beaten.set()

    async with asyncio.timeout(10), ProgressRelay(send, heartbeat_s=0.01).relaying() as report:
        report(Progress(1, 4, "one"))
        await beaten.wait()
        report(Progress(2, 4, "two"))
    first, beat, *_, last = sent
    assert (first, last) == ((1, 4, "one"), (2, 4, "two"))
    assert "still working" in str(beat[2])
    assert 1 < beat[0] < 2
    assert beat[1] == 4


async def test_a_cancelled_call_sends_nothing_more() -> None:
    sent: Sent = []

    async def cancelled() -> None:
        async with relay(sent).relaying() as report:
            report(Progress(1))
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await cancelled()
    await asyncio.sleep(0)
    assert sent == []


async def test_a_client_that_asked_gets_progress_and_then_the_result_on_one_stream(shop: Workshop) -> None:
    endpoint = endpoint_of(shop)
    async with held(endpoint.running()):
        body = tool_call("shop.steps", {"steps": 3}, progressToken="t1")
        reply = await post(endpoint, body, modern_headers(name="shop.steps"))
    *notes, last = reply.events
    assert [(one["params"]["progressToken"], one["params"]["progress"]) for one in notes] == [
        ("t1", 1),
        ("t1", 2),
        ("t1", 3),
    ]
    assert last["result"]["structuredContent"]["said"] == ["done"]


async def test_a_client_that_asked_hears_heartbeats_through_a_long_call(shop: Workshop) -> None:
    endpoint = endpoint_of(shop, heartbeat_s=0.01)
    exchange = Exchange()
    body = json.dumps(tool_call("shop.wait", progressToken=7)).encode()
    async with held(endpoint.running()), asyncio.timeout(10):
        running = asyncio.create_task(exchange.run(endpoint, scope_of(modern_headers(name="shop.wait")), [body]))
        await exchange.heard(4)
        shop.go_on.set()
        *beats, last = (await running).events
    assert len(beats) >= 2
    assert all("still working" in one["params"]["message"] for one in beats)
    assert last["result"]["isError"] is False
