"""Progress reaches the client in order, and a silent handler gets heartbeats."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest

from sanya.kernel.calls.call import Progress
from sanya.surfaces.mcp.progress import ProgressRelay
from tests.surfaces.mcp.asgi_requests import Exchange, build_scope, modern_headers, post, tool_call
from tests.surfaces.mcp.conftest import build_endpoint, hold_in_one_task
from tests.surfaces.mcp.sample_suites import SampleKernel

Sent = list[tuple[float, float | None, str | None]]


def relay(sent: Sent, heartbeat_s: float = 60.0) -> ProgressRelay:
    async def send(done: float, total: float | None, message: str | None) -> None:
        sent.append((done, total, message))

    return ProgressRelay(send, heartbeat_s)


async def test_all_progress_is_sent_before_the_answer() -> None:
    sent: Sent = []
    async with relay(sent).relaying() as report:
        for step in range(3):
            report(Progress(step, 2, f"step {step}"))
    assert sent == [(0, 2, "step 0"), (1, 2, "step 1"), (2, 2, "step 2")]


async def test_progress_values_always_rise() -> None:
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


async def test_a_silent_handler_gets_heartbeats_between_its_reports() -> None:
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


async def test_a_client_with_a_progress_token_gets_progress_and_the_result_on_one_stream(shop: SampleKernel) -> None:
    endpoint = build_endpoint(shop)
    async with hold_in_one_task(endpoint.running()):
        body = tool_call("shop.steps", {"steps": 3}, progressToken="t1")
        reply = await post(endpoint, body, modern_headers(name="shop.steps"))
    *notes, last = reply.events
    assert [(note["params"]["progressToken"], note["params"]["progress"]) for note in notes] == [
        ("t1", 1),
        ("t1", 2),
        ("t1", 3),
    ]
    assert last["result"]["structuredContent"]["said"] == ["done"]


async def test_a_client_with_a_progress_token_gets_heartbeats_during_a_long_call(shop: SampleKernel) -> None:
    endpoint = build_endpoint(shop, heartbeat_s=0.01)
    exchange = Exchange()
    body = json.dumps(tool_call("shop.wait", progressToken=7)).encode()
    async with hold_in_one_task(endpoint.running()), asyncio.timeout(10):
        running = asyncio.create_task(exchange.run(endpoint, build_scope(modern_headers(name="shop.wait")), [body]))
        await exchange.wait_for_messages(4)
        shop.resume.set()
        *beats, last = (await running).events
    assert len(beats) >= 2
    assert all("still working" in beat["params"]["message"] for beat in beats)
    assert last["result"]["isError"] is False
