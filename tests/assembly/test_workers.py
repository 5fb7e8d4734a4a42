from __future__ import annotations

import asyncio
import logging

import pytest

from sanya.assembly import workers
from sanya.assembly.workers import run_workers
from sanya.kernel.contracts.suite import Worker


async def test_a_worker_that_fails_begins_again_and_the_log_says_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_FIRST_PAUSE_S", 0.0)
    done, tries = asyncio.Event(), 0

    async def run() -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ValueError("first")
        done.set()

    with caplog.at_level(logging.ERROR):
        async with run_workers([Worker("sweeper", run)]):
            await asyncio.wait_for(done.wait(), 10)
    assert "sweeper failed" in caplog.text


async def test_workers_are_cancelled_when_the_server_stops() -> None:
    cancelled, begun = asyncio.Event(), asyncio.Event()

    async def run() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with run_workers([Worker("sweeper", run)]):
        await asyncio.wait_for(begun.wait(), 10)
    assert cancelled.is_set()
