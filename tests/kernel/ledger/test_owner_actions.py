"""Writes of the owner outside tools, as the ledger records them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import orjson
import pytest

from sanya.kernel.calls.call import Progress, ignore_progress
from sanya.kernel.faults import NotFound, StoreUnavailable
from sanya.kernel.ledger.chain import CitedPaper, Ledger, LedgerEntry, StoredAnswer, verify_chain
from sanya.kernel.ledger.owner_actions import record_owner_action
from tests.kernel.conftest import InMemoryLedgerStore


@dataclass
class BreakableStore(InMemoryLedgerStore):
    is_broken: bool = False

    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        if self.is_broken:
            raise StoreUnavailable("the disk is full")
        await super().append(entries, answers, cited)

    @property
    def entries(self) -> list[LedgerEntry]:
        return [row.entry for row in self.rows]


@pytest.fixture
def store() -> BreakableStore:
    return BreakableStore()


@pytest.fixture
async def ledger(store: BreakableStore) -> AsyncIterator[Ledger]:
    ledger = Ledger(store, group_ms=1)
    ledger.start()
    yield ledger
    store.is_broken = False
    async with asyncio.timeout(10):
        await ledger.close()


async def test_the_row_is_durable_when_the_action_ends(store: BreakableStore, ledger: Ledger) -> None:
    async with record_owner_action(ledger, "funds.import", "funds", {"sha256": "ab"}) as action:
        assert store.entries == []
        action.add(counts={"created": 1})
    (entry,) = store.entries
    assert (entry.tool, entry.suite, entry.effect, entry.status) == ("funds.import", "funds", "write", "ok")
    assert (entry.caller, entry.surface, entry.request_id) == ("owner", "cli", entry.id)
    assert orjson.loads(entry.input) == {"counts": {"created": 1}, "sha256": "ab"}
    assert await verify_chain(store) == (1, None)


async def test_an_action_in_steps_has_a_durable_row_before_its_first_step(
    store: BreakableStore, ledger: Ledger
) -> None:
    async with record_owner_action(ledger, "papers.import", "papers", {"sha256": "ab"}, in_steps=True):
        (start,) = store.entries
        assert (start.tool, start.status) == ("papers.import.start", "ok")
    assert [entry.tool for entry in store.entries] == ["papers.import.start", "papers.import"]
    assert {entry.request_id for entry in store.entries} == {start.id}


async def test_an_action_that_cannot_be_recorded_does_not_start(store: BreakableStore, ledger: Ledger) -> None:
    store.is_broken = True
    steps = 0
    with pytest.raises(StoreUnavailable):
        async with record_owner_action(ledger, "papers.import", "papers", {}, in_steps=True):
            steps += 1
    assert steps == 0


async def test_an_action_is_not_acknowledged_without_its_row(store: BreakableStore, ledger: Ledger) -> None:
    with pytest.raises(StoreUnavailable, match="disk is full"):
        async with record_owner_action(ledger, "keys.create", "keys", {}):
            store.is_broken = True


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (NotFound("no such key"), "not_found"),
        (ValueError("cannot read"), "invalid_argument"),
        (asyncio.CancelledError(), "cancelled"),
        (KeyboardInterrupt(), "cancelled"),
        (ZeroDivisionError("secret"), "internal"),
    ],
)
async def test_a_failure_is_recorded_by_its_kind_and_goes_on(
    error: BaseException, kind: str, store: BreakableStore, ledger: Ledger
) -> None:
    with pytest.raises(type(error)):
        async with record_owner_action(ledger, "keys.revoke", "keys", {"id": "a"}):
            raise error
    (entry,) = store.entries
    assert (entry.status, entry.fault, orjson.loads(entry.input)) == ("error", kind, {"id": "a"})


async def test_a_failure_says_how_far_the_action_came(store: BreakableStore, ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="broken"):
        async with record_owner_action(ledger, "papers.import", "papers", {}, in_steps=True) as action:
            action.follow(ignore_progress)(Progress(3, 9, "3 records"))
            raise ValueError("broken")
    assert orjson.loads(store.entries[-1].input) == {"progress": {"done": 3, "total": 9}}


async def test_the_first_error_reaches_the_owner_even_if_the_ledger_fails_as_well(
    store: BreakableStore, ledger: Ledger
) -> None:
    with pytest.raises(ValueError, match="broken"):
        async with record_owner_action(ledger, "funds.import", "funds", {}):
            store.is_broken = True
            raise ValueError("broken")


async def test_an_action_that_found_nothing_to_write_leaves_no_row(store: BreakableStore, ledger: Ledger) -> None:
    async with record_owner_action(ledger, "memory.forget", "memory", {"ids": []}) as action:
        action.discard()
    assert store.entries == []
