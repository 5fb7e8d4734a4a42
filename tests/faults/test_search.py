"""Search after a failure: the index is derived again in the same process, at the next call."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.assembly.memory import forget_with_tombstone
from sanya.kernel.calls.call import OWNER
from sanya.kernel.faults import StoreUnavailable, Unavailable
from tests.faults.house import House, open_house
from tests.faults.places import Place
from tests.faults.twin import Failure, Steps

SECRET = "The xylophone hides in the cellar."


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "home", "")


async def search_contents(house: House) -> list[str]:
    answer = await house.call("get_memory", request_id=None, query="xylophone in the cellar")
    return [memory["content"] for memory in answer["memories"]]


async def test_a_search_that_could_not_be_made_anew_still_finds(place: Place) -> None:
    # Away from the first step on: background work may take that step before the rebuild does.
    steps = Steps(Failure(1, lambda: StoreUnavailable("the database does not answer"), once=False))
    async with open_house(place, ("memory",), {"database": steps}) as house:
        await house.call("send_memory", content=SECRET)
        assert await search_contents(house) == [SECRET]
        library = await house.opened.library()
        await house.ledger.flush()
        steps.counting = True
        with pytest.raises(StoreUnavailable):
            await library.rebuild("memory")
        steps.counting = False
        await library.refresh()
        assert await library.count("memory") == 1
        assert await search_contents(house) == [SECRET]


async def test_what_was_half_forgotten_is_forgotten_whole_when_asked_again(place: Place) -> None:
    steps = Steps()
    async with open_house(place, ("memory",), {"index": steps}) as house:
        sent = await house.call("send_memory", content=SECRET)
        await search_contents(house)
        steps.counting = True
        steps.failure = Failure(3, lambda: Unavailable("the index does not answer"))
        with pytest.raises(Unavailable):
            await forget_with_tombstone(house.memory, house.ledger, OWNER.id, [sent["memory_id"]])
        assert steps.names[2:] == ["rebuild"]
        await forget_with_tombstone(house.memory, house.ledger, OWNER.id, [sent["memory_id"]])
        assert steps.names[3:].count("rebuild") == 1, "files of the search still hold its words"
        assert await search_contents(house) == []
