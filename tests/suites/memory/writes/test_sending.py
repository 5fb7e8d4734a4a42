"""Many senders at once lose nothing, and one who fails or leaves takes nobody along."""

from __future__ import annotations

import asyncio

import pytest

from sanya.kernel.calls.call import OWNER
from sanya.kernel.faults import InvalidArgument
from sanya.suites.memory.writes.sending import MemoryDraft, Sender, store_drafts
from tests.suites.memory.memory_harness import MemoryHarness

WRITERS = 64
EACH = 4


def draft(name: str, **more: object) -> MemoryDraft:
    fields = {"key": name, "namespace": OWNER.id, "content": f"Note {name}.", "created_at": "2026-03-01T09:00:00.000Z"}
    return MemoryDraft(**{**fields, **more})  # type: ignore[arg-type]


async def test_sixty_four_writers_lose_nothing(harness: MemoryHarness) -> None:
    async def write(writer: int) -> list[str]:
        return [await harness.send(f"Writer {writer} notes item {number}.") for number in range(EACH)]

    sent = [memory_id for ids in await asyncio.gather(*map(write, range(WRITERS))) for memory_id in ids]
    assert len(set(sent)) == WRITERS * EACH
    kept = await harness.parts.store.reader.list_by_arrival(OWNER.id, limit=1000)
    assert {memory.id for memory in kept} == set(sent)
    assert len({memory.arrival for memory in kept}) == len({memory.place for memory in kept}) == len(sent)
    library = await harness.parts.index.open_library()
    await library.refresh()
    assert await library.count("memory") == len(sent)


async def test_writers_that_correct_and_consolidate_at_once_lose_nothing(harness: MemoryHarness) -> None:
    targets = [await harness.send(f"Fact {number} about the plant.") for number in range(4)]

    async def contest(target: str) -> None:
        body = await harness.correct(target, "contest", reason="doubt")
        assert body["status"] == "applied"

    jobs = [contest(target) for target in targets for _ in range(4)]
    jobs += [harness.send(f"More {number}.") for number in range(16)]  # type: ignore[misc]
    await asyncio.gather(*jobs, harness.consolidator.consolidate_now())
    found = await harness.parts.store.reader.find_memories(OWNER.id, targets)
    assert {memory.contests for memory in found.values()} == {4}


async def test_one_bad_draft_does_not_spoil_the_others(harness: MemoryHarness) -> None:
    sender = Sender(harness.parts.store)
    good = [sender.send(draft(f"good {number}")) for number in range(5)]
    bad = sender.send(draft("bad", derived_from=("mem_none",)))
    outcomes = await asyncio.gather(*good, bad, return_exceptions=True)
    assert isinstance(outcomes[-1], InvalidArgument)
    assert len(await harness.parts.store.reader.list_by_arrival(OWNER.id)) == 5


async def test_a_sender_who_leaves_takes_nobody_along(harness: MemoryHarness) -> None:
    sender = Sender(harness.parts.store)
    leaving = asyncio.create_task(sender.send(draft("leaving")))
    staying = asyncio.create_task(sender.send(draft("staying")))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert (await staying).content == "Note staying."
    await sender.close()


async def test_a_second_try_finds_the_first_and_a_request_of_another_day_does_not(harness: MemoryHarness) -> None:
    store = harness.parts.store

    async def tried(call: str, at: str) -> str:
        return (await store_drafts(store, [draft("request", call=call, created_at=at)]))[0].id

    first = await tried("call_1", "2026-03-01T09:00:00.000Z")
    assert await tried("call_2", "2026-03-01T09:10:00.000Z") == first
    later = await tried("call_3", "2026-03-02T09:00:00.000Z")
    assert later != first
    rows = await store.database.fetch("SELECT id FROM memories ORDER BY arrival")
    assert [row[0] for row in rows] == [first, later]
