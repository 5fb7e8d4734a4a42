from __future__ import annotations

import pytest

from sanya.kernel.database import Database
from sanya.suites.memory.graph.removal import remove_from_graph
from tests.suites.memory.weaving import NAMESPACE, Loom

TABLES = ("nodes", "names", "edges", "contradictions")


@pytest.fixture
def loom(database: Database) -> Loom:
    return Loom(database)


async def _unweave(loom: Loom, *ids: str) -> list[str]:
    async with loom.store.write_transaction() as writer:
        return await remove_from_graph(writer, NAMESPACE, ids)


async def _graph(loom: Loom) -> str:
    return "".join([str(await loom.store.database.fetch(f"SELECT * FROM memory_{name}")) for name in TABLES])


async def test_nothing_that_a_memory_said_stays_in_the_graph(loom: Loom) -> None:
    (one,) = await loom.weave("The clinic closed because Dr. Zelda Quill resigned on 3 May 2024.")
    assert "clinic closed" in await _graph(loom)
    await _unweave(loom, one)
    for word in ("clinic", "resign", "2024"):
        assert word not in await _graph(loom)


async def test_what_others_say_too_stays_in_their_own_words(loom: Loom) -> None:
    first, second = await loom.weave(
        "The secret informant reports that AC123 departed JFK at 09:00.", "AC123 departed JFK at 09:00."
    )
    await _unweave(loom, first)
    async with loom.store.database.transaction() as transaction:
        await transaction.execute("DELETE FROM memory_edges WHERE memory_id = ?", (first,))
        await transaction.execute("DELETE FROM memories WHERE id = ?", (first,))
    assert await loom.consolidator.consolidate_now() == 1
    (event,) = await loom.store.reader.list_nodes_of_kind(NAMESPACE, "event")
    assert event.name == "AC123 departed JFK at 09:00."
    edges = await loom.store.reader.find_edges_to(NAMESPACE, [event.id], "asserts")
    assert [edge.from_id for edge in edges] == [second]


async def test_a_rule_goes_with_what_it_rested_on(loom: Loom) -> None:
    ids = await loom.weave(*["Signal Beta repeatedly caused packet loss."] * 2)
    rules = await _unweave(loom, *ids)
    assert len(rules) == 1
    assert "packet loss" not in await _graph(loom)


async def test_somebody_keeps_only_the_names_that_others_use(loom: Loom) -> None:
    _, second = await loom.weave("Jeffrey Epstein visited Rome in 1999.", "Jeff Epstein visited Paris in 1998.")
    await _unweave(loom, second)
    people = await loom.people()
    assert people["Jeffrey Epstein"].aliases == ()
    assert "jeff epstein" not in await loom.store.reader.find_nodes_by_name(NAMESPACE, ["Jeff Epstein"])
