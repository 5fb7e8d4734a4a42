from __future__ import annotations

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.memory.recall.causal_chains import CausalChains, find_causal_chains, summarise
from tests.suites.memory.graph_harness import NAMESPACE, GraphHarness

CHAIN = (
    "Heavy rain caused flooding in Ayutthaya.",
    "Flooding in Ayutthaya led to factory closures.",
    "Factory closures resulted in supply shortages.",
    "Supply shortages triggered price increases.",
)


@pytest.fixture
def graph(database: Database) -> GraphHarness:
    return GraphHarness(database)


async def _chains(graph: GraphHarness, ids: list[str], max_depth: int) -> CausalChains:
    said = await graph.store.reader.find_edges_stated_by(NAMESPACE, ids)
    return await find_causal_chains(graph.store.reader, NAMESPACE, said, max_depth)


def _targets(chains: CausalChains, memory_id: str, relation: str) -> list[str]:
    return [link.target_id for link in chains.links[memory_id] if link.relation == relation]


async def test_a_chain_is_followed_as_deep_as_is_asked_for(graph: GraphHarness) -> None:
    ids = await graph.consolidate(*CHAIN)
    for depth in (1, 2, 3, 10):
        found = await _chains(graph, ids[:1], depth)
        assert _targets(found, ids[0], "caused") == ids[1 : 1 + depth]
        assert found.depth == min(depth, 3)
    backward = await _chains(graph, ids[3:], 10)
    assert _targets(backward, ids[3], "caused_by") == [ids[2], ids[1], ids[0]]


async def test_a_circle_is_walked_once(graph: GraphHarness) -> None:
    ids = await graph.consolidate("Fear caused inflation.", "Inflation caused unrest.", "Unrest caused fear.")
    found = await _chains(graph, ids, 10)
    assert _targets(found, ids[0], "caused") == [ids[1], ids[2]]
    assert _targets(found, ids[0], "caused_by") == [ids[2], ids[1]]


async def test_a_cause_that_nobody_else_speaks_of_is_shown_as_the_event_that_it_is(graph: GraphHarness) -> None:
    ids = await graph.consolidate("โรงงานปิดเนื่องจากไฟไหม้")
    links = (await _chains(graph, ids, 3)).links[ids[0]]
    assert {(link.relation, link.target_summary) for link in links} == {("caused", "โรงงานปิด"), ("caused_by", "ไฟไหม้")}
    nodes = await graph.store.reader.find_nodes(NAMESPACE, [link.target_id for link in links])
    assert {node.kind for node in nodes.values()} == {"event"}


async def test_thai_causes_make_a_chain(graph: GraphHarness) -> None:
    ids = await graph.consolidate("ฝนตกหนักทำให้น้ำท่วมอยุธยา", "น้ำท่วมอยุธยาส่งผลให้โรงงานปิด")
    assert _targets(await _chains(graph, ids, 3), ids[0], "caused") == [ids[1]]


async def test_an_event_told_with_more_words_is_still_the_same_event(graph: GraphHarness) -> None:
    ids = await graph.consolidate(
        "Heavy rain caused flooding in Ayutthaya.", "Severe flooding in Ayutthaya led to factory closures."
    )
    assert _targets(await _chains(graph, ids, 2), ids[0], "caused") == [ids[1]]


async def test_a_denied_or_doubted_cause_makes_no_chain(graph: GraphHarness) -> None:
    ids = await graph.consolidate(
        "The fire was not caused by lightning.", "The fire may have been caused by lightning."
    )
    assert not (await _chains(graph, ids, 3)).links


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_an_effect_cannot_come_before_its_cause(graph: GraphHarness, order: tuple[int, int]) -> None:
    texts = ("The fire caused the evacuation on 3 May 2024.", "The fire happened on 5 May 2024.")
    ids = await graph.consolidate(*(texts[place] for place in order))
    assert await graph.read_natures(ids) == ["temporal_impossibility"]


async def test_an_effect_after_its_cause_is_fine(graph: GraphHarness) -> None:
    ids = await graph.consolidate("The fire caused the evacuation on 5 May 2024.", "The fire happened on 5 May 2024.")
    assert await graph.read_natures(ids) == []


def test_summaries_are_short() -> None:
    assert len(summarise("word " * 400)) <= 160
    assert summarise("  two\n words ") == "two words"
