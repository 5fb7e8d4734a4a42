"""Clocks that are set years forward and hours back: the ledger keeps its order, nothing waits for a date in the future,
and no work is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sanya.engines.jobs import SqlJobs
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.redis.client import open_redis
from sanya.engines.redis.rate_limits import RedisRateLimiter
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.clock import format_timestamp
from sanya.kernel.cursors import Cursors
from sanya.kernel.ledger import chain as ledger_module
from sanya.kernel.ledger.chain import Ledger, make_call_id, raise_id_floor
from sanya.kernel.ledger.verification import verify_ledger
from sanya.kernel.storage.database import Database
from sanya.sources.pacing import Clock, LocalBudget
from sanya.sources.shared_budget import SharedBudget
from sanya.sources.thai_sec import open_thai_sec
from sanya.suites.funds.syncing import SyncPeriod, sync_funds
from sanya.suites.papers.sync.watches import Watches
from sanya.suites.tasks import suite
from sanya.suites.tasks.starter import load_starter
from sanya.suites.tasks.store import TaskStore
from tests.faults.house import open_house
from tests.faults.places import Place
from tests.sources.open_data import KEY, open_data_served
from tests.suites.tasks.harness import SECRET, UTC_ZONE

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
AHEAD, BACK = NOW + timedelta(days=3653), NOW - timedelta(hours=7)


@pytest.fixture
async def clock() -> list[datetime]:
    return [NOW]


@pytest.fixture
async def kernel(database: Database, clock: list[datetime]) -> AsyncIterator[Kernel]:
    await load_starter(database)
    ledger = Ledger(SqlLedgerStore(database, code_hash=lambda: "code"), group_ms=1)
    ledger.start()
    yield Kernel(
        [suite.build(TaskStore(database), Cursors(SECRET), UTC_ZONE)],
        ledger=ledger,
        limiter=LocalRateLimiter(),
        window=RequestWindow(),
        clock=lambda: clock[0],
    )
    await ledger.close()


async def test_pages_go_on_weeks_are_whole_and_the_ledger_holds_while_the_clock_jumps(
    database: Database, kernel: Kernel, clock: list[datetime]
) -> None:
    seen: list[str] = []
    ids: list[str] = []
    cursor = None
    for moment in (NOW, AHEAD, BACK, NOW):
        clock[0] = moment
        page = await kernel.call(Call("get_tasks", {"limit": 2, "cursor": cursor}))
        week = await kernel.call(Call("get_weekly_review", {}))
        assert isinstance(page, Answered) and isinstance(week, Answered)
        seen += [item["id"] for item in page.body["items"]]
        ids += [page.id, week.id]
        cursor = page.body["next_cursor"]
        counts = [value for value in week.body.values() if isinstance(value, int)]
        assert counts and min(counts) >= 0
        assert page.stamp.latency_ms >= 0
    assert len(seen) == len(set(seen)) == 8 and cursor is None
    await kernel._ledger.flush()
    store = SqlLedgerStore(database, code_hash=str)
    assert (await verify_ledger(store)).problem is None
    assert [link.entry.id async for link in store.read_links("main")] == ids
    assert [link.entry.id for link in await store.page(100)] == ids[::-1]


async def test_a_request_id_is_known_again_whatever_the_clock_says(kernel: Kernel, clock: list[datetime]) -> None:
    call = Call("get_tasks", {"limit": 1}, request_id="one")
    first = await kernel.call(call)
    for moment in (AHEAD, BACK):
        clock[0] = moment
        again = await kernel.call(call)
        assert isinstance(again, Answered) and again.replayed and again.id == first.id


def test_ids_rise_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "_last_ns", 0)
    times = iter([5_000, 9_000, 2_000, 3_000])
    monkeypatch.setattr(ledger_module, "time_ns", lambda: next(times))
    ids = [make_call_id("aaaaaa") for _ in range(3)]
    raise_id_floor(f"call_{20_000:016x}ffffff")
    ids.append(make_call_id("aaaaaa"))
    assert ids == sorted(ids)
    assert ids[-1] > f"call_{20_000:016x}ffffff"


async def test_a_memory_keeps_its_place_when_the_clock_was_ahead(tmp_path: Path) -> None:
    async with open_house(Place(tmp_path / "home", ""), ("memory",)) as house:
        for number, moment in enumerate((AHEAD, BACK, NOW)):
            await house.kernel.call(Call("send_memory", {"content": f"Note {number}."}, now=moment))
        rows = await house.engine.fetch("SELECT content FROM memories ORDER BY arrival")
        assert [row[0] for row in rows] == ["Note 0.", "Note 1.", "Note 2."]
        found = await house.call("get_memory", query="note", limit=10)
        assert len(found["memories"]) == 3


async def test_a_job_whose_worker_died_is_taken_up_although_the_clock_was_set_back(database: Database) -> None:
    jobs = SqlJobs(database)
    job = await jobs.create("test", OWNER.id, {}, AHEAD)
    assert await jobs.claim(job.id, AHEAD, 20.0) is not None
    assert await jobs.list_due(NOW) == [job.id]
    taken = await jobs.claim(job.id, NOW, 20.0)
    assert taken is not None
    # By the clock of another server, half a minute off.
    assert await jobs.list_due(NOW - timedelta(seconds=30)) == []


async def test_a_watched_query_is_due_although_it_was_synced_in_the_future(database: Database) -> None:
    watches = Watches(database)
    await watches.add("ginger", 3600, AHEAD)
    watch = await watches.claim(AHEAD)
    assert watch is not None
    await watches.settle(watch, "done", AHEAD)
    again = await watches.claim(NOW)
    assert again is not None
    await watches.settle(again, "done", NOW)
    assert await watches.claim(NOW + timedelta(seconds=60)) is None
    assert await watches.claim(NOW + timedelta(seconds=3601)) is not None


async def test_funds_that_were_synced_in_the_future_are_synced_again(database: Database) -> None:
    async def at_once(_: float) -> None:
        """Do not wait."""

    clock = Clock(sleep=at_once)
    async with (
        open_data_served() as sec,
        open_thai_sec(sec.url, KEY, LocalBudget(1e6, clock), clock=clock) as source,
    ):
        await sync_funds(database, source, SyncPeriod(AHEAD, date(2025, 1, 1)))
        report = await sync_funds(database, source, SyncPeriod(NOW, date(2025, 1, 1)))
        assert (report.fresh, report.written.older) == (0, 0)
        rows = await database.fetch("SELECT DISTINCT fetched_at FROM funds")
        assert all(str(row[0]) <= format_timestamp(NOW) for row in rows)
        assert (await sync_funds(database, source, SyncPeriod(NOW, date(2025, 1, 1)))).fresh == report.projects


async def test_limits_on_redis_hold_nobody_for_hours_when_its_clock_was_set_back(redis_url: str) -> None:
    caller = Caller("clock", frozenset(), calls_per_minute=60)
    hours_ahead_ms = (datetime.now(UTC) + timedelta(hours=7)).timestamp() * 1000
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    async with open_redis(redis_url) as client:
        await client.set(f"sanya:rate:{caller.id}", f"{hours_ahead_ms:.3f}")
        counting = RedisRateLimiter(client).admit(caller)
        assert counting is not None
        await counting
        await client.set("sanya:budget:clock", f"{hours_ahead_ms:.0f}")
        pace = Clock(sleep=waited)
        await SharedBudget(client, "clock", 3, LocalBudget(1e6, pace), pace).take()
    assert sum(waits) < 600
