"""Path search on each engine: order, pages, filters, and the limit of its work."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph.model import EdgeType, HerbEdge, HerbNode
from sanya.suites.herbs.paths import path_search as paths
from sanya.suites.herbs.paths.neighbours import EdgeFilter
from sanya.suites.herbs.paths.path_search import PathCursor, PathSearch, PathSearchResult
from sanya.suites.herbs.paths.patterns import Step
from tests.suites.herbs.graph_harness import PATHS, GraphHarness, edge, ids, insert_graph, node

HERB = {"type": "herb", "id": "h"}


def walked(edges: list[HerbEdge], start: str, depth: int) -> list[tuple[str, ...]]:
    """Return all simple paths in order, found by brute force."""
    beside: dict[str, set[str]] = {}
    for statement in edges:
        beside.setdefault(statement.from_id, set()).add(statement.to_id)
        beside.setdefault(statement.to_id, set()).add(statement.from_id)
    found: list[tuple[str, ...]] = [(start,)]
    for path in found:
        if len(path) <= depth:
            found += [(*path, other) for other in sorted(beside.get(path[-1], ())) if other not in path]
    return sorted(found, key=lambda path: (len(path), path))


def tangle(seed: int) -> tuple[list[HerbNode], list[HerbEdge]]:
    """Return a dozen nodes with random edges, some of them doubled and some in the opposite direction."""
    random = Random(seed)
    nodes = [node(f"n{number:02}", random.choice(["herb", "drug", "paper"])) for number in range(12)]
    types: list[EdgeType] = ["contains", "treats"]
    ends = [(random.choice(nodes), random.choice(types), random.choice(nodes)) for _ in range(22)]
    return nodes, [edge(*three, id=f"e{number}") for number, three in enumerate(ends)]


@pytest.mark.parametrize("seed", range(2))
async def test_without_a_pattern_all_simple_paths_come_by_length_and_then_ids(
    database: Database, empty_graph: GraphHarness, seed: int
) -> None:
    nodes, edges = tangle(seed)
    await insert_graph(database, nodes, edges)
    start = {"type": nodes[0].type, "id": "n00"}
    for depth in (0, 1, 4):
        found = await empty_graph.all_paths(40, start=start, max_depth=depth)
        assert [tuple(path) for path in found] == walked(edges, "n00", depth)


@pytest.mark.parametrize("seed", range(2))
async def test_however_little_is_read_at_once_the_paths_are_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    nodes, edges = tangle(seed)
    await insert_graph(database, nodes, edges)
    monkeypatch.setattr(paths, "_PAGE_ROWS", 2)
    monkeypatch.setattr(paths, "_MAX_ROWS_IN_PLACE", 0)
    lengths = [(Step(),) * length for length in range(4)]
    found: list[tuple[str, ...]] = []
    mark: PathCursor | None = None
    for _ in range(2000):
        part: PathSearchResult = await PathSearch(database, "n00", EdgeFilter(), max_work=30).find(lengths, 5, mark)
        found += part.paths
        assert part.work <= 30 + 2 + 1
        mark = part.next
        if mark is None:
            break
    assert found == walked(edges, "n00", 3)


async def test_work_that_is_cut_says_so_and_goes_on(
    database: Database, empty_graph: GraphHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Search from a hub of many herbs with a pattern that only the last one matches."""
    hub, drug = node("hub", "indication"), node("d", "drug")
    herbs = [node(f"h{number:04}") for number in range(1000)]
    treats = [edge(herb, "treats", hub) for herb in herbs]
    await insert_graph(database, [hub, drug, *herbs], [*treats, edge(herbs[-1], "interacts_with", drug)])
    monkeypatch.setattr(paths, "MAX_WORK", 500)
    monkeypatch.setattr(paths, "_PAGE_ROWS", 200)
    arguments: dict[str, Any] = {"start": {"type": "indication", "id": "hub"}, "pattern": "indication->herb->drug"}
    calls, body = 1, await empty_graph.call(PATHS, **arguments)
    assert body["truncated"] is True
    while body["next_cursor"]:
        assert body["work"] < 1000
        calls, body = calls + 1, await empty_graph.call(PATHS, **arguments, cursor=body["next_cursor"])
    assert ids(body) == [["hub", "h0999", "d"]]
    assert body["truncated"] is False
    assert calls > 1


async def chain(database: Database) -> None:
    """h contains c, c acts on i; two warnings of h; one more herb."""
    h, c, i = node("h"), node("c", "constituent"), node("i", "indication")
    d, other = node("d", "drug"), node("other")
    await insert_graph(
        database,
        [h, c, i, d, other],
        [
            edge(h, "contains", c, sources=("s_1",)),
            edge(c, "acts_on", i, basis="rule: so", review="unreviewed"),
            edge(h, "interacts_with", d, id="w1", strength="low", sources=("s-1",)),
            edge(h, "interacts_with", d, id="w2", strength="high", sources=("s%1", "b")),
            edge(other, "treats", i),
        ],
    )
    async with database.transaction() as transaction:
        await transaction.execute_many(
            "INSERT INTO herb_sources (id, kind, review, batch) VALUES (?, 'article', 'reviewed', 'x')",
            [("s_1",), ("s%1",)],
        )


async def test_an_arrow_goes_along_an_edge_in_either_direction(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    body = await empty_graph.call(PATHS, start=HERB, pattern="herb->constituent->indication->herb")
    assert ids(body) == [["h", "c", "i", "other"]]
    assert {(edge["from"], edge["type"], edge["to"], edge["basis"]) for edge in body["edges"]} == {
        ("h", "contains", "c", "source"),
        ("c", "acts_on", "i", "rule: so"),
        ("other", "treats", "i", "source"),
    }


async def test_a_named_edge_is_the_only_one_taken(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    assert ids(await empty_graph.call(PATHS, start=HERB, pattern="herb-[treats]->*")) == []
    assert ids(await empty_graph.call(PATHS, start=HERB, pattern="*-[treats|contains]->*")) == [["h", "c"]]


async def test_two_statements_between_two_nodes_are_one_path_that_shows_both(
    database: Database, empty_graph: GraphHarness
) -> None:
    await chain(database)
    body = await empty_graph.call(PATHS, start=HERB, pattern="herb->drug")
    assert ids(body) == [["h", "d"]]
    assert [edge["strength"] for edge in body["edges"]] == ["low", "high"]


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["c", "d"]),
    ({"edges": "contains|treats"}, ["c"]),
    ({"min_strength": "moderate"}, ["c", "d"]),
    ({"source": "s_1"}, ["c"]),
    ({"source": "s%1"}, ["d"]),
    ({"reviewed": True, "edges": "contains"}, ["c"]),
]


async def test_filters_choose_edges(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    for filters, expected in FILTERS:
        body = await empty_graph.call(PATHS, start=HERB, pattern="*->*", filters=filters)
        assert [path[1] for path in ids(body)] == expected, filters
        if filters.get("min_strength"):
            assert [edge["strength"] for edge in body["edges"]] == [None, "high"]


async def test_only_reviewed_edges_can_be_asked_for(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    pattern = "herb->constituent->indication"
    assert len(ids(await empty_graph.call(PATHS, start=HERB, pattern=pattern))) == 1
    assert ids(await empty_graph.call(PATHS, start=HERB, pattern=pattern, filters={"reviewed": True})) == []


async def test_depth_zero_is_the_start_itself(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    assert ids(await empty_graph.call(PATHS, start=HERB, max_depth=0)) == [["h"]]
    assert ids(await empty_graph.call(PATHS, start=HERB, pattern="herb", max_depth=0)) == [["h"]]


REFUSED: list[tuple[dict[str, Any], str, str | None, str]] = [
    ({"pattern": "drug->herb"}, "INVALID_ARG", "pattern", "start is a herb"),
    ({"pattern": "herb->*->*->*->*", "max_depth": 2}, "INVALID_ARG", "pattern", "column 11: max_depth is 2"),
    ({"filters": {"edges": "treat"}}, "INVALID_ARG", "filters.edges", "did you mean treats?"),
    ({"filters": {"source": "none"}}, "NOT_FOUND", None, "no source has the id 'none'"),
    ({"start": {"type": "herb", "id": "d"}}, "NOT_FOUND", "start.id", "no herb has the id or name 'd'"),
    ({"max_depth": 6}, "INVALID_ARG", "max_depth", "5"),
    ({"limit": 201}, "INVALID_ARG", "limit", "200"),
    ({"cursor": "abc"}, "INVALID_ARG", "cursor", "cursor"),
]


async def test_a_question_that_cannot_be_answered_says_why(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    for arguments, code, field, words in REFUSED:
        error = await empty_graph.refusal(PATHS, {"start": HERB, **arguments})
        assert (error["code"], error.get("details", {}).get("field")) == (code, field)
        assert words in error["message"]


async def test_a_cursor_belongs_to_its_question(database: Database, empty_graph: GraphHarness) -> None:
    await chain(database)
    body = await empty_graph.call(PATHS, start=HERB, max_depth=2, limit=1)
    error = await empty_graph.refusal(PATHS, {"start": HERB, "max_depth": 3, "limit": 1, "cursor": body["next_cursor"]})
    assert error["code"] == "INVALID_ARG"
    again = await empty_graph.call(PATHS, start=HERB, max_depth=2, limit=2, cursor=body["next_cursor"])
    assert len(again["paths"]) == 2


async def test_on_the_starter_graph_paths_join_and_keep_their_order(starter: GraphHarness) -> None:
    found = await starter.all_paths(200, start={"type": "herb", "id": "zingiber-officinale"}, max_depth=2)
    assert found == sorted(found, key=lambda path: (len(path), path))
    assert len({tuple(path) for path in found}) == len(found)
    graph = await starter.store.load_graph()
    joined = {frozenset((edge.from_id, edge.to_id)) for edge in graph.edges}
    assert all(frozenset(pair) in joined for path in found for pair in pairwise(path))


async def test_the_contracts_own_question_has_an_answer(starter: GraphHarness) -> None:
    start = {"type": "herb", "id": "ฟ้าทะลายโจร"}
    body = await starter.call(PATHS, start=start, pattern="herb->constituent->indication")
    assert body["paths"]
    for path in body["paths"]:
        assert [node["type"] for node in path] == ["herb", "constituent", "indication"]
    inferred = [edge for edge in body["edges"] if edge["type"] == "acts_on"]
    assert inferred
    assert all("no source says" in edge["basis"] and edge["review"] == "unreviewed" for edge in inferred)


async def test_the_edges_of_warnings_carry_their_severity(sqlite_starter: GraphHarness) -> None:
    page = await sqlite_starter.call(
        "tool.query_kg",
        start={"type": "herb", "id": "andrographis-paniculata"},
        pattern="herb-[contraindicated_in|contains]->*",
        limit=200,
    )
    severities = {(edge["type"], edge["to"]): edge["severity"] for edge in page["edges"]}
    assert severities["contraindicated_in", "condition:pregnancy"] == "contraindicated"
    assert severities["contraindicated_in", "condition:hepatic-impairment"] == "moderate"
    assert {severity for (type, _), severity in severities.items() if type == "contains"} == {None}
