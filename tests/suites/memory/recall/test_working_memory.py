"""Working memory, embedded and on a real Redis: the same behaviour, and nothing is lost when it forgets or is away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sanya.engines.redis.client import open_redis
from sanya.engines.redis.working_memory import RedisWorkingMemory
from sanya.kernel.calls.call import OWNER, Caller
from sanya.kernel.storage.database import Database
from sanya.retrieval.terms import TermReader
from sanya.suites.memory.recall.working_memory import EmbeddedWorkingMemory, WorkingMemory
from sanya.suites.memory.storage.store import MemoryStore
from tests.suites.memory.memory_harness import MemoryHarness, open_memory_harness


@pytest.fixture(params=["embedded", "redis"])
async def working(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[WorkingMemory]:
    embedded = EmbeddedWorkingMemory(MemoryStore(database), size=4)
    if request.param == "embedded":
        yield embedded
        return
    url = str(request.getfixturevalue("redis_url"))
    async with open_redis(url) as client:
        on_redis = RedisWorkingMemory(client, embedded, size=4)
        await on_redis.clear()
        yield on_redis


@pytest.fixture
async def harness(
    database: Database, tmp_path: Path, reader: TermReader, working: WorkingMemory
) -> AsyncIterator[MemoryHarness]:
    async with open_memory_harness(database, tmp_path / "index", reader, working=working) as opened:
        yield opened


async def test_the_newest_are_held_and_the_oldest_give_way(harness: MemoryHarness, working: WorkingMemory) -> None:
    sent = [await harness.send(f"Note {number} of the turbine.") for number in range(6)]
    assert [entry.id for entry in await working.list_entries(OWNER.id)] == sent[:1:-1]
    assert await working.list_entries("somebody else") == []


async def test_who_has_not_asked_for_long_gives_way_and_loses_nothing(
    harness: MemoryHarness, database: Database
) -> None:
    few = EmbeddedWorkingMemory(MemoryStore(database), size=4, namespaces=2)
    callers = [Caller(f"key:{number}", frozenset({"*"})) for number in range(4)]
    sent = [await harness.send("The turbine hums.", caller) for caller in callers]
    for _ in range(2):
        assert [[entry.id for entry in await few.list_entries(caller.id)] for caller in callers] == [
            [memory_id] for memory_id in sent
        ]
        await few.release("somebody else", ["mem_0123456789abcdef"])
        assert few.namespace_count == 2


async def test_what_gave_way_is_still_found(harness: MemoryHarness) -> None:
    sent = {await harness.send(f"Note {number} of the turbine.") for number in range(6)}
    assert {memory["id"] for memory in await harness.find("turbine")} == sent


async def test_what_was_merged_away_is_let_go(harness: MemoryHarness, working: WorkingMemory) -> None:
    first, second = await harness.send("The turbine runs."), await harness.send("The turbine hums.")
    await harness.correct(first, "merge_entities", merge_with=second)
    assert second not in {entry.id for entry in await working.list_entries(OWNER.id)}
    assert [memory["id"] for memory in await harness.find("turbine hums")] == [first]


async def test_memories_that_the_search_does_not_hold_yet_are_found_by_their_words(harness: MemoryHarness) -> None:
    await harness.send("The garden is green.")
    await harness.find("garden")
    sent = await harness.send("The turbine hums.")

    async def behind() -> bool:
        """Another process has the index and has not taken the new memory up."""
        return False

    library = await harness.parts.index.open_library()
    library.refresh = behind  # type: ignore[method-assign]
    assert sent in {memory["id"] for memory in await harness.find("turbine")}


async def test_without_redis_everything_is_found_all_the_same(
    database: Database, tmp_path: Path, reader: TermReader
) -> None:
    embedded = EmbeddedWorkingMemory(MemoryStore(database))
    nowhere = f"unix://{tmp_path / 'no-redis.sock'}"
    async with open_redis(nowhere) as client:
        away = RedisWorkingMemory(client, embedded)
        async with open_memory_harness(database, tmp_path / "index", reader, working=away) as harness:
            sent = await harness.send("The turbine hums.")
            assert [memory["id"] for memory in await harness.find("turbine")] == [sent]
            assert [entry.id for entry in await away.list_entries(OWNER.id)] == [sent]
            await away.release(OWNER.id, [sent])
