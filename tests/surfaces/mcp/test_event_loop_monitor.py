"""The log names a handler that blocks the event loop."""

from __future__ import annotations

import asyncio
import time

import pytest

from sanya.surfaces.mcp.event_loop_monitor import EventLoopMonitor


async def test_a_blocked_event_loop_is_logged_with_the_called_tools(caplog: pytest.LogCaptureFixture) -> None:
    called = {"shop.block", "shop.echo"}
    noted = asyncio.Event()
    caplog.handler.addFilter(lambda record: noted.set() or True)  # type: ignore[func-returns-value]
    async with asyncio.timeout(10), EventLoopMonitor(called, interval_s=0.001, threshold_s=0.02).watching():
        await asyncio.sleep(0)
        time.sleep(0.05)  # noqa: ASYNC251 - what a handler must not do
        await noted.wait()
    assert "shop.block or shop.echo" in caplog.text
    assert "move blocking work to a thread" in caplog.text
    assert called == set()
