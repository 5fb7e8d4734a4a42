"""One more name removes no warning, one more statement lowers no verdict, and every verdict cites."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.herbs.graph.model import WARNING_EDGES, HerbEdge, HerbGraph, HerbNode
from sanya.suites.herbs.graph.starter import FILE, read_starter
from sanya.suites.herbs.safety.check import SafetyCheck
from sanya.suites.herbs.safety.contract import PairVerdict
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.severity import SEVERITIES, rank_severity
from sanya.suites.herbs.safety.verdicts import PairJudge
from tests.suites.herbs.graph_harness import CHECK, GraphHarness

_QUICK = settings(max_examples=60, deadline=None)
_NUMBERS = st.integers(min_value=0, max_value=10_000)


@cache
def load_graph() -> HerbGraph:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    return HerbGraph(
        revision=1,
        nodes={node.id: node for node in starter.nodes},
        edges=tuple(starter.edges),
        names=tuple(name for name, _ in starter.names),
        sources={source.id: source for source in starter.sources},
    )


@cache
def list_nodes(*types: str) -> tuple[HerbNode, ...]:
    return tuple(node for node in load_graph().nodes.values() if node.type in types)


def choose_entity(number: int) -> Entry:
    nodes = list_nodes("herb", "formulation")
    node = nodes[number % len(nodes)]
    return Entry(node.id, "herb_ids", "known", (node,))


def choose_object(number: int) -> Entry:
    nodes = list_nodes("drug", "condition")
    node = nodes[number % len(nodes)]
    return Entry(node.id, "drugs", "known", (node,))


def judge(graph: HerbGraph, entities: list[Entry], objects: list[Entry]) -> dict[tuple[str, str], PairVerdict]:
    verdicts = PairJudge(SafetyCheck(graph), "en").judge_all(entities, objects)
    return {(verdict.entity, verdict.object): verdict for verdict in verdicts}


def rank(verdict: PairVerdict) -> int:
    return rank_severity(verdict.severity) if verdict.severity else 0


@_QUICK
@given(st.lists(_NUMBERS, min_size=1, max_size=4), st.lists(_NUMBERS, min_size=1, max_size=5), _NUMBERS)
def test_adding_a_name_never_removes_a_warning(entities: list[int], objects: list[int], added: int) -> None:
    herbs, targets = [*map(choose_entity, entities)], [*map(choose_object, objects)]
    before = judge(load_graph(), herbs, targets)
    for more in (choose_object(added), Entry("unobtainium", "drugs", "unknown")):
        after = judge(load_graph(), herbs, [*targets, more])
        assert {pair: after[pair] for pair in before} == before
    after = judge(load_graph(), [*herbs, choose_entity(added)], targets)
    assert {pair: after[pair] for pair in before} == before


@_QUICK
@given(_NUMBERS, _NUMBERS, st.sampled_from(SEVERITIES), _NUMBERS)
def test_adding_a_statement_never_lowers_a_verdict(entity: int, object: int, severity: str, about: int) -> None:
    graph, herb, asked = load_graph(), choose_entity(entity), choose_object(object)
    (before,) = judge(graph, [herb], [asked]).values()
    template = next(edge for edge in graph.edges if edge.type in WARNING_EDGES)
    targets = (asked.nodes[0], choose_object(about).nodes[0])
    for target in targets:
        added = _state(template, herb.nodes[0], target, severity)
        (after,) = judge(replace(graph, edges=(*graph.edges, added)), [herb], [asked]).values()
        assert rank(after) >= rank(before)
        assert set(before.statement_ids) <= set(after.statement_ids)
        if target is asked.nodes[0]:
            assert after.verdict == "warned"


def _state(template: HerbEdge, herb: HerbNode, target: HerbNode, severity: str) -> HerbEdge:
    return replace(
        template,
        id="added",
        fact="added",
        from_id=herb.id,
        from_type=herb.type,
        type="interacts_with" if target.type == "drug" else "contraindicated_in",
        to_id=target.id,
        to_type=target.type,
        data={"severity": severity, "route": "any"},
    )


@_QUICK
@given(_NUMBERS, _NUMBERS)
def test_every_verdict_cites_what_it_rests_on(entity: int, object: int) -> None:
    graph = load_graph()
    (verdict,) = judge(graph, [choose_entity(entity)], [choose_object(object)]).values()
    cited = [edge for edge in graph.edges if edge.fact in verdict.statement_ids]
    assert bool(cited) == (verdict.verdict == "warned")
    assert all(edge.sources and set(edge.sources) <= set(graph.sources) for edge in cited)
    assert verdict.message


_DOUBTFUL = ("unobtainium 5 mg", "warfrin", "ยาเม็ดสีฟ้า", "เด็กอายุ 11 ปี", "แพ้ขิง", "ยาละลายลิ่มเลือด", "🌿", "โกฐ", "ขิง")
"""Names that are unknown, guessed, wide, or of another kind than their field."""


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_is_added_to_a_request_leaves_every_warning_and_verdict_in_the_answer(
    sqlite_starter: GraphHarness, seed: int
) -> None:
    """The results are one list for the whole request, so a further name could push a warning out of it."""
    chance = random.Random(seed)
    names = {
        type: [n.name for n in load_graph().names if n.node_type == type] for type in ("herb", "drug", "condition")
    }
    for _ in range(6):
        asked = {
            "herb_ids": chance.sample(names["herb"], 2),
            "drugs": chance.sample(names["drug"], 2),
            "conditions": chance.sample(names["condition"], 1),
        }
        before = await sqlite_starter.call(CHECK, **asked, limit=500, lang="en")
        for field in asked:
            more = [chance.choice(_DOUBTFUL), chance.choice(names[chance.choice(list(names))])]
            given_names = asked | {field: list(dict.fromkeys([*asked[field], *more]))}
            after = await sqlite_starter.call(CHECK, **given_names, limit=500, lang="en")
            assert [pair for pair in before["pairs"] if pair not in after["pairs"]] == []
            assert list_warnings(before) <= list_warnings(after)


def list_warnings(body: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Return what an answer of one page shows: each statement of each result that was asked for."""
    assert body["next_cursor"] is None or body["total"] > 500
    shown = (
        (result, [*(each["id"] for each in result["statements"]), *result["repeats"]]) for result in body["results"]
    )
    return {(result["entity_id"], result["object_id"], id) for result, ids in shown if result["narrowed"] for id in ids}
