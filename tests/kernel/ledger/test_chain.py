"""The ledger between calls and its store: order, durability, and a store that comes and goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest

from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.chain import CitedPaper, Ledger, LedgerEntry, StoredAnswer, verify_chain
from sanya.kernel.storage.database import Database
from tests.engines.entries import make_answer, make_entry
from tests.kernel.conftest import InMemoryLedgerStore

LATER = "2999-01-01T00:00:00.000Z"


@dataclass
class FickleStore(InMemoryLedgerStore):
    """Raises the set error, blocks appends while `gate` is shut, and records the size of every group."""

    error: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    groups: list[int] = field(default_factory=list)

    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        self.entered.set()
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        self.groups.append(len(entries))
        await super().append(entries, answers, cited)

    @property
    def numbers(self) -> list[int]:
        return [row.entry.latency_ms for row in self.rows]


@pytest.fixture
def store() -> FickleStore:
    store = FickleStore()
    store.gate.set()
    return store


@pytest.fixture
async def ledger(store: FickleStore) -> AsyncIterator[Ledger]:
    ledger = Ledger(store, group_ms=1)
    ledger.start()
    yield ledger
    store.error = None
    store.gate.set()
    async with asyncio.timeout(10):
        await ledger.close()


def record(ledger: Ledger, first: int, last: int) -> None:
    for number in range(first, last + 1):
        ledger.record(make_entry(number))


async def test_rows_reach_the_database_in_the_order_they_were_recorded(database: Database) -> None:
    store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
    ledger = Ledger(store, group_ms=1)
    ledger.start()
    for first in range(1, 200, 20):
        record(ledger, first, first + 19)
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await ledger.close()
    assert [link.entry.latency_ms async for link in store.read_links("main")] == list(range(1, 201))
    assert await verify_chain(store) == (200, None)


async def test_flush_returns_when_the_rows_are_in_the_database(database: Database) -> None:
    store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
    # A group that would wait for a minute is written at once, because somebody waits.
    ledger = Ledger(store, group_ms=60_000)
    ledger.start()
    record(ledger, 1, 3)
    async with asyncio.timeout(20):
        await ledger.flush()
    assert await store.read_head("main") != (0, "0" * 64)
    assert (await store.read_head("main"))[0] == 3
    await ledger.close()


async def test_rows_that_nobody_waits_for_are_written_soon(ledger: Ledger, store: FickleStore) -> None:
    record(ledger, 1, 5)
    async with asyncio.timeout(10):
        await store.entered.wait()
        await ledger.flush()
    assert store.numbers == [1, 2, 3, 4, 5]
    assert store.groups == [5]


async def test_flush_of_nothing_returns_at_once(ledger: Ledger) -> None:
    async with asyncio.timeout(5):
        await ledger.flush()


async def test_flush_waits_for_a_group_that_is_on_its_way(ledger: Ledger, store: FickleStore) -> None:
    store.gate.clear()
    record(ledger, 1, 1)
    async with asyncio.timeout(10):
        await store.entered.wait()
        flushing = asyncio.create_task(ledger.flush())
        await asyncio.wait([flushing], timeout=0.05)
        assert not flushing.done()
        store.gate.set()
        await flushing
    assert store.numbers == [1]


async def test_a_store_that_fails_keeps_the_rows_and_the_order(ledger: Ledger, store: FickleStore) -> None:
    store.error = StoreUnavailable("no space left")
    record(ledger, 1, 2)
    async with asyncio.timeout(10):
        with pytest.raises(StoreUnavailable, match="no space left"):
            await ledger.flush()
        assert (ledger.failing, ledger.pending) == (True, 2)
        record(ledger, 3, 4)
        store.error = None
        await ledger.flush()
    assert store.numbers == [1, 2, 3, 4]
    assert (ledger.failing, ledger.pending) == (False, 0)


async def test_rows_are_written_when_the_store_is_back_even_if_nobody_asks(
    ledger: Ledger, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.kernel.ledger.chain._RETRY_S", 0.01)
    store.error = StoreUnavailable("no space left")
    record(ledger, 1, 1)
    async with asyncio.timeout(10):
        with pytest.raises(StoreUnavailable):
            await ledger.flush()
        store.error = None
        while not store.rows:
            store.entered.clear()
            await store.entered.wait()
            await asyncio.sleep(0)
    assert store.numbers == [1]


async def test_an_error_nobody_foresaw_does_not_end_the_ledger(
    ledger: Ledger, store: FickleStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.error = ZeroDivisionError("a bug")
    record(ledger, 1, 1)
    async with asyncio.timeout(10):
        with pytest.raises(StoreUnavailable, match="server's log") as caught:
            await ledger.flush()
        assert "a bug" not in caught.value.message
        assert "a bug" in caplog.text
        store.error = None
        await ledger.flush()
    assert store.numbers == [1]


async def test_answers_are_kept_through_a_failure(ledger: Ledger, store: FickleStore) -> None:
    store.error = StoreUnavailable("no space left")
    answer = make_answer(1, expires_at=LATER)
    ledger.record(make_entry(1), answer)
    async with asyncio.timeout(10):
        with pytest.raises(StoreUnavailable):
            await ledger.flush()
        store.error = None
        await ledger.flush()
    assert await ledger.find_answer("owner", "r", at="2026-11-16T00:00:00.000Z") == answer


async def test_an_answer_is_forgotten_when_its_window_has_closed(ledger: Ledger) -> None:
    ledger.record(make_entry(1), make_answer(1, expires_at="2026-11-16T00:10:00.000Z"))
    await ledger.flush()
    assert await ledger.find_answer("owner", "r", at="2026-11-16T00:09:59.999Z") is not None
    assert await ledger.find_answer("owner", "r", at="2026-11-16T00:10:00.000Z") is None


async def test_when_too_much_waits_calls_are_refused_rather_than_unrecorded(store: FickleStore) -> None:
    ledger = Ledger(store, group_ms=60_000, max_pending=3)
    ledger.start()
    record(ledger, 1, 3)
    with pytest.raises(StoreUnavailable) as caught:
        record(ledger, 4, 4)
    assert caught.value.retry_after_ms
    async with asyncio.timeout(10):
        await ledger.close()
    assert store.numbers == [1, 2, 3]


async def test_a_caller_who_stops_waiting_does_not_stop_the_write(ledger: Ledger, store: FickleStore) -> None:
    store.gate.clear()
    record(ledger, 1, 1)
    async with asyncio.timeout(10):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await ledger.flush()
        store.gate.set()
        await ledger.flush()
    assert store.numbers == [1]


async def test_close_writes_what_is_pending_and_takes_no_more(store: FickleStore) -> None:
    ledger = Ledger(store, group_ms=60_000)
    ledger.start()
    record(ledger, 1, 4)
    async with asyncio.timeout(10):
        await ledger.close()
    assert store.numbers == [1, 2, 3, 4]
    with pytest.raises(StoreUnavailable, match="stopping"):
        record(ledger, 5, 5)


async def test_close_writes_what_came_while_it_was_writing(store: FickleStore) -> None:
    ledger = Ledger(store, group_ms=60_000)
    ledger.start()
    store.gate.clear()
    record(ledger, 1, 2)
    async with asyncio.timeout(10):
        closing = asyncio.create_task(ledger.close())
        await store.entered.wait()
        record(ledger, 3, 4)
        store.gate.set()
        await closing
    assert store.numbers == [1, 2, 3, 4]


async def test_close_says_when_the_last_rows_could_not_be_written(store: FickleStore) -> None:
    ledger = Ledger(store)
    ledger.start()
    store.error = StoreUnavailable("no space left")
    record(ledger, 1, 1)
    async with asyncio.timeout(10):
        with pytest.raises(StoreUnavailable, match="no space left"):
            await ledger.close()


async def test_a_ledger_that_was_never_started_closes(store: FickleStore) -> None:
    await Ledger(store).close()
