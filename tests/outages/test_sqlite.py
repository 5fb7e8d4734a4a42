"""Another process holds the write lock of the home: writers get a time to retry, readers continue, and it recovers."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import sanya
from sanya.app import CallRefused
from sanya.engines.home import DATABASE_NAME
from sanya.engines.sqlite import database as sqlite
from sanya.kernel.faults import DeadlineExceeded, StoreUnavailable
from sanya.kernel.ledger.verification import verify_ledger
from tests.outages.errands import Errands
from tests.outages.gate import WAIT_S

HOLD = """
import sqlite3, sys
holder = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
holder.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@asynccontextmanager
async def locked(home: Path) -> AsyncIterator[Process]:
    program = [sys.executable, "-c", HOLD, str(home / DATABASE_NAME)]
    holder = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)
    assert holder.stdout is not None and holder.stdin is not None
    assert await asyncio.wait_for(holder.stdout.readline(), WAIT_S) == b"held\n"
    try:
        yield holder
    finally:
        holder.stdin.close()
        await asyncio.wait_for(holder.communicate(), WAIT_S)


async def test_a_lock_of_another_process_is_waited_for_and_then_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errands = Errands()
    async with sanya.open(home, extra_suites=[errands.suite()]) as app:
        errands.database = app.database
        await app.ledger.flush()
        async with asyncio.timeout(WAIT_S), locked(home):
            with pytest.raises(CallRefused) as late:
                await app.call("errand.write", {"name": "late"}, timeout_ms=100)
            assert isinstance(late.value.fault, DeadlineExceeded)
            assert late.value.fault.details == {"outcome": "unknown"}
            monkeypatch.setattr(sqlite, "_WRITER_WAIT_S", 0.2)
            with pytest.raises(CallRefused) as busy:
                await app.call("errand.write", {"name": "busy"}, request_id="busy")
            assert isinstance(busy.value.fault, StoreUnavailable)
            assert busy.value.fault.retry_after_ms == 1000
            assert (await app.call("errand.read", {"name": "busy"}))["count"] == 0
        assert (await app.call("errand.write", {"name": "busy"}, request_id="busy"))["count"] == 1
        assert (await app.call("errand.read", {"name": "late"}))["count"] == 0
        await app.ledger.flush()
        assert (await verify_ledger(app.ledger_store)).problem is None


async def test_a_write_that_is_made_while_the_ledger_cannot_be_is_answered_once_it_can(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is taken between the write and its ledger row."""
    monkeypatch.setattr(sqlite, "_WRITER_WAIT_S", 0.2)
    errands = Errands()
    async with sanya.open(home, extra_suites=[errands.suite()]) as app, asyncio.timeout(WAIT_S):
        errands.database = app.database
        append = app.ledger_store.append
        holding = locked(home)

        async def lock_and_append(*rows: object) -> None:
            monkeypatch.setattr(app.ledger_store, "append", append)
            await holding.__aenter__()
            await append(*rows)  # type: ignore[arg-type]

        await app.ledger.flush()
        monkeypatch.setattr(app.ledger_store, "append", lock_and_append)
        with pytest.raises(CallRefused, match="not recorded yet") as unkept:
            await app.call("errand.write", {"name": "made"}, request_id="made")
        assert unkept.value.fault.details == {"outcome": "made"}
        with pytest.raises(CallRefused):
            await app.call("errand.write", {"name": "made"}, request_id="made")
        await holding.__aexit__(None, None, None)
        assert (await app.call("errand.write", {"name": "made"}, request_id="made"))["count"] == 1
        assert (await app.call("errand.read", {"name": "made"}))["count"] == 1
