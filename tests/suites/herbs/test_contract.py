"""The contract of the graph's tools: shapes, messages, arbitrary input, and the same answer for the same call."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.tool import Tool
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES
from sanya.suites.herbs.paths.contract import QueryKgInput
from sanya.suites.herbs.safety.contract import FindContraindicationsInput
from tests.long_form import often
from tests.suites.generated import MANY, allowed, fields_of, ruled_out
from tests.suites.herbs.graph_harness import CHECK, PATHS, GraphHarness, open_graph_harness

INPUTS: dict[str, type[Shape]] = {
    PATHS: QueryKgInput,
    CHECK: FindContraindicationsInput,
}
GOOD: dict[str, dict[str, Any]] = {
    PATHS: {"start": {"type": "herb", "id": "curcuma-longa"}, "limit": 3},
    CHECK: {"herb_ids": ["curcuma-longa"], "drugs": ["warfarin"]},
}
KEYS = {
    PATHS: ["paths", "edges", "truncated", "work", "next_cursor"],
    CHECK: [
        "results",
        "unknown_ids",
        "unresolved",
        "coverage",
        "total",
        "next_cursor",
        "notice",
        "summary",
        "pairs",
        "references",
    ],
}
TOOLS = tuple(INPUTS)
NAMES = st.sampled_from(
    ["curcuma-longa", "ฟ้าทะลายโจร", "green chiretta", "ลูกใต้ใบ", "ya-khamin-chan", "warfarin", "tumeric", "ตั้งครรภ์"]
)
ARROWS = st.sampled_from(["->", "-[contains]->", "-[treats|part_of]->", "-[*]->", "-[contain]->", "=>", "-[treats]"])
NODES = st.sampled_from([*NODE_TYPES, "*", "herbs"])
PATTERNS = st.builds(
    lambda first, rest: first + "".join(arrow + node for arrow, node in rest),
    NODES,
    st.lists(st.tuples(ARROWS, NODES), max_size=4),
)


def tool_named(empty_graph: GraphHarness, name: str) -> Tool:
    tool = empty_graph.kernel.catalogue.find_tool(name)
    assert tool is not None
    return tool


@pytest.mark.parametrize("name", TOOLS)
async def test_an_answer_has_the_contracts_keys_and_its_stamp(starter: GraphHarness, name: str) -> None:
    body = await starter.call(name, **GOOD[name])
    assert list(body) == [*KEYS[name], "audit"]
    assert set(body["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}


@pytest.mark.parametrize("name", TOOLS)
async def test_every_field_is_described(sqlite_starter: GraphHarness, name: str) -> None:
    tool = tool_named(sqlite_starter, name)
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))


@pytest.mark.parametrize("name", TOOLS)
async def test_every_example_works_on_the_starter_graph(starter: GraphHarness, name: str) -> None:
    examples = tool_named(starter, name).examples
    assert examples
    for example in examples:
        body = await starter.call(name, **example.arguments)
        assert body.get("paths") or body.get("results")


@pytest.mark.parametrize("name", TOOLS)
async def test_an_unknown_argument_is_refused_by_name(sqlite_starter: GraphHarness, name: str) -> None:
    error = await sqlite_starter.refusal(name, {**GOOD[name], "depth": 3})
    assert (error["code"], error["details"]["field"]) == ("INVALID_ARG", "depth")


@pytest.mark.parametrize("name", TOOLS)
async def test_many_replays_give_one_hash(sqlite_starter: GraphHarness, name: str) -> None:
    hashes = {(await sqlite_starter.call(name, **GOOD[name]))["audit"]["out_hash"] for _ in range(often(100, 1000))}
    assert len(hashes) == 1


async def test_both_engines_give_one_hash(starter_home: Path, starter_schema: str, tmp_path: Path) -> None:
    hashes = set()
    for url, home in (("", starter_home), (starter_schema, tmp_path)):
        async with open_database(url, home) as database, open_graph_harness(database) as empty_graph:
            check = await empty_graph.call(CHECK, formulation_ids=["ya-hom-nawakot"], herb_ids=["ขิง"], limit=500)
            paths = await empty_graph.call(PATHS, start={"type": "drug", "id": "warfarin"}, max_depth=2, limit=200)
            hashes.add((check["audit"]["out_hash"], paths["audit"]["out_hash"]))
    assert len(hashes) == 1


@cache
def good_inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    start = st.fixed_dictionaries({"type": st.sampled_from(NODE_TYPES), "id": NAMES})
    filters = st.fixed_dictionaries(
        {}, optional={"edges": st.lists(st.sampled_from([*EDGE_TYPES, "x"])).map("|".join), "reviewed": st.booleans()}
    )
    likely: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        PATHS: {"start": start, "pattern": PATTERNS, "filters": filters, "limit": st.integers(1, 5)},
        CHECK: {field: st.lists(NAMES, max_size=3) for field in ("herb_ids", "formulation_ids", "drugs", "conditions")},
    }
    return allowed(get_published_schema(INPUTS[name]), likely[name])


@cache
def bad_inputs(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_or_refused_with_a_reason(
    sqlite_starter: GraphHarness, name: str, data: st.DataObject
) -> None:
    outcome = await sqlite_starter.kernel.call(Call(name, data.draw(good_inputs(name))))
    if isinstance(outcome, Refused):
        assert outcome.error["code"] in ("INVALID_ARG", "NOT_FOUND")
        assert outcome.error["message"]
    else:
        assert isinstance(outcome, Answered)


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(
    sqlite_starter: GraphHarness, name: str, data: st.DataObject
) -> None:
    error = await sqlite_starter.refusal(name, data.draw(bad_inputs(name)))
    assert error["code"] == "INVALID_ARG"
    assert error["message"]


@given(pattern=PATTERNS)
@settings(parent=MANY, max_examples=often(75, 300))
async def test_every_generated_pattern_runs_or_points_at_its_fault(sqlite_starter: GraphHarness, pattern: str) -> None:
    start = {"type": "herb", "id": "zingiber-officinale"}
    outcome = await sqlite_starter.kernel.call(Call(PATHS, {"start": start, "pattern": pattern, "limit": 2}))
    if isinstance(outcome, Refused):
        assert outcome.error["code"] == "INVALID_ARG"
        assert 1 <= outcome.error["details"]["column"] <= len(pattern) + 1
    else:
        types = [[node["type"] for node in path] for path in outcome.body["paths"]]
        assert all(path[0] == "herb" for path in types)
