from __future__ import annotations

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.memory.graph.removal import remove_from_graph
from tests.suites.memory.graph_harness import NAMESPACE, GraphHarness

TABLES = ("nodes", "names", "edges", "contradictions")


@pytest.fixture
def graph(database: Database) -> GraphHarness:
    return GraphHarness(database)


async def _remove(graph: GraphHarness, *ids: str) -> list[str]:
    async with graph.store.write_transaction() as writer:
        return await remove_from_graph(writer, NAMESPACE, ids)


async def _graph(graph: GraphHarness) -> str:
    return "".join([str(await graph.store.database.fetch(f"SELECT * FROM memory_{name}")) for name in TABLES])


async def test_nothing_that_a_memory_said_stays_in_the_graph(graph: GraphHarness) -> None:
    (memory_id,) = await graph.consolidate("The clinic closed because Dr. Zelda Quill resigned on 3 May 2024.")
    assert "clinic closed" in await _graph(graph)
    await _remove(graph, memory_id)
    for word in ("clinic", "resign", "2024"):
        assert word not in await _graph(graph)


async def test_what_others_say_too_stays_in_their_own_words(graph: GraphHarness) -> None:
    first, second = await graph.consolidate(
        "The secret informant reports that AC123 departed JFK at 09:00.", "AC123 departed JFK at 09:00."
    )
    await _remove(graph, first)
    async with graph.store.database.transaction() as transaction:
        await transaction.execute("DELETE FROM memory_edges WHERE memory_id = ?", (first,))
        await transaction.execute("DELETE FROM memories WHERE id = ?", (first,))
    assert await graph.consolidator.consolidate_now() == 1
    (event,) = await graph.store.reader.list_nodes_of_kind(NAMESPACE, "event")
    assert event.name == "AC123 departed JFK at 09:00."
    edges = await graph.store.reader.find_edges_to(NAMESPACE, [event.id], "asserts")
    assert [edge.from_id for edge in edges] == [second]


async def test_a_rule_goes_with_what_it_rested_on(graph: GraphHarness) -> None:
    ids = await graph.consolidate(*["Signal Beta repeatedly caused packet loss."] * 2)
    rules = await _remove(graph, *ids)
    assert len(rules) == 1
    assert "packet loss" not in await _graph(graph)


async def test_somebody_keeps_only_the_names_that_others_use(graph: GraphHarness) -> None:
    _, second = await graph.consolidate("Jeffrey Epstein visited Rome in 1999.", "Jeff Epstein visited Paris in 1998.")
    await _remove(graph, second)
    people = await graph.find_people()
    assert people["Jeffrey Epstein"].aliases == ()
    assert "jeff epstein" not in await graph.store.reader.find_nodes_by_name(NAMESPACE, ["Jeff Epstein"])
