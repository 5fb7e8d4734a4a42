"""The contract of each tool: its shapes, bounds and descriptions, and generated calls."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Answered, Call, Caller, Refused
from sanya.kernel.contracts.detail import relax_schema
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.tool import Tool
from sanya.retrieval.terms import TermReader
from sanya.suites.papers import contract
from sanya.suites.papers.sample_ids import FIRST_SAMPLE
from sanya.surfaces.mcp.listing.lists import list_tools
from tests.retrieval.conftest import WordVectors
from tests.suites.generated import MANY, allowed, fields_of, ruled_out
from tests.suites.papers.contract_schemas import ANSWERS, ARGUMENTS, ERROR, REQUIRED
from tests.suites.papers.harness import PapersHarness, open_harness

INPUTS: dict[str, type[Shape]] = {
    "rag.search": contract.SearchInput,
    "rag.get": contract.GetInput,
    "corpus.checkpoint.get": contract.GetCheckpointInput,
    "corpus.checkpoint.create": contract.CreateCheckpointInput,
}
GOOD: dict[str, dict[str, Any]] = {
    "rag.search": {"query": "randomized trial of weight loss", "top_k": 3},
    "rag.get": {"doc_id": f"pmid:{FIRST_SAMPLE}"},
    "corpus.checkpoint.get": {"checkpoint_id": "cp_samples"},
    "corpus.checkpoint.create": {"name": "Now"},
}
LIKELY: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "rag.search": {
        "query": st.sampled_from(["placebo", "ไข้หวัด", "heart attack", "a AND (b", "phase 2 weight loss"]),
        "filters": st.fixed_dictionaries({}, optional={"date_from": st.dates().map(str), "journals": st.just(["x"])}),
        "checkpoint_id": st.sampled_from([None, "cp_samples"]),
    },
    "rag.get": {"doc_id": st.integers(FIRST_SAMPLE, FIRST_SAMPLE + 45).map(lambda number: f"pmid:{number}")},
    "corpus.checkpoint.get": {"checkpoint_id": st.just("cp_samples")},
    "corpus.checkpoint.create": {},
}
TOOLS = tuple(INPUTS)
each_tool = pytest.mark.parametrize("name", TOOLS)


@pytest.fixture
async def quick_harness(
    embedded_home: Path, reader: TermReader, embedders: dict[str, WordVectors]
) -> AsyncIterator[PapersHarness]:
    """Open the suite with the samples on the embedded engine, for many generated calls."""
    async with (
        open_database("", embedded_home) as database,
        open_harness(database, embedded_home, reader, embedders) as opened,
    ):
        yield opened


def tool_named(harness: PapersHarness, name: str) -> Tool:
    tool = harness.kernel.catalogue.find_tool(name)
    assert tool is not None
    return tool


def keeps(schema: dict[str, Any], value: Any) -> bool:
    return jsonschema_rs.validator_for(schema).is_valid(value)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_are_the_contracts_and_what_is_added_is_optional(name: str) -> None:
    schema = get_published_schema(INPUTS[name])
    assert schema["additionalProperties"] is False
    assert schema["required"] == REQUIRED[name]
    for field, rule in ARGUMENTS[name].items():
        ours = schema["properties"][field]
        assert {key: ours.get(key) for key in rule} == rule
        assert set(ours) - set(rule) <= {"description", "pattern"}


@each_tool
async def test_every_field_is_described_and_the_listing_is_small(quick_harness: PapersHarness, name: str) -> None:
    tool = tool_named(quick_harness, name)
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))
    (listed,) = [tool for tool in list_tools(quick_harness.kernel.catalogue, portable=False).tools if tool.name == name]
    listing = json.dumps(listed.model_dump(mode="json", by_alias=True, exclude_none=True), separators=(",", ":"))
    assert len(listing) <= 2400


async def test_examples_work_on_the_samples_and_keep_the_contract(harness: PapersHarness) -> None:
    for name in TOOLS:
        examples = tool_named(harness, name).examples
        assert examples
        for example in examples:
            body = await harness.call(name, **example.arguments)
            assert keeps(ANSWERS[name], body)
            assert body.get("documents", True)


@each_tool
async def test_an_unknown_argument_is_refused_by_name(quick_harness: PapersHarness, name: str) -> None:
    error = await quick_harness.refusal(name, {**GOOD[name], "quality_bias": True})
    assert error["code"] == "VALIDATION"
    assert error["details"]["field"] == "quality_bias"


@pytest.mark.parametrize(
    ("field", "value"),
    [("top_k", 0), ("top_k", 51), ("alpha", 1.01), ("alpha", -0.1), ("search_mode", "vector"), ("query", "")],
)
async def test_a_value_out_of_bounds_is_refused_by_name(quick_harness: PapersHarness, field: str, value: Any) -> None:
    error = await quick_harness.refusal("rag.search", {**GOOD["rag.search"], field: value})
    assert error["code"] == "VALIDATION"
    assert field in error["message"]


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"date_from": "11/05/2024"}, "filters.date_from"),
        ({"date_to": "2023-02-29"}, "filters.date_to"),
        ({"date_from": "2024-01-02", "date_to": "2024-01-01"}, "filters.date_from"),
        ({"year": 2024}, "filters.year"),
    ],
)
async def test_a_filter_that_says_nothing_is_refused_by_name(
    quick_harness: PapersHarness, filters: Any, field: str
) -> None:
    error = await quick_harness.refusal("rag.search", {**GOOD["rag.search"], "filters": filters})
    assert error["code"] == "VALIDATION"
    assert error["details"]["field"] == field


async def test_a_checkpoint_is_made_only_with_the_write_scope(quick_harness: PapersHarness) -> None:
    assert tool_named(quick_harness, "corpus.checkpoint.create").required_scopes == ("papers:write",)
    reader = Caller("reader", frozenset({"papers:read"}))
    outcome = await quick_harness.kernel.call(Call("corpus.checkpoint.create", {"name": "x"}, caller=reader))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "VALIDATION"


async def test_the_time_that_a_search_took_is_not_hashed(quick_harness: PapersHarness) -> None:
    hashes = set()
    for _ in range(2):
        outcome = await quick_harness.kernel.call(Call("rag.search", GOOD["rag.search"]))
        assert isinstance(outcome, Answered)
        hashes.add(outcome.stamp.out_hash)
    assert len(hashes) == 1


@cache
def good_inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return allowed(get_published_schema(INPUTS[name]), LIKELY[name])


@cache
def bad_inputs(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@each_tool
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_as_the_contract_has_it_or_refused_with_its_codes(
    quick_harness: PapersHarness, name: str, data: st.DataObject
) -> None:
    arguments = data.draw(good_inputs(name))
    outcome = await quick_harness.kernel.call(Call(name, arguments))
    if isinstance(outcome, Answered):
        promised = ANSWERS[name]
        assert keeps(relax_schema(promised) if arguments.get("detail") == "short" else promised, outcome.body)
    else:
        # What a schema cannot say: which papers and checkpoints there are, what is a date, how long a query may be.
        assert keeps(ERROR, outcome.body)
        assert outcome.error["code"] in ("VALIDATION", "NOT_FOUND")


@each_tool
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(
    quick_harness: PapersHarness, name: str, data: st.DataObject
) -> None:
    outcome = await quick_harness.kernel.call(Call(name, data.draw(bad_inputs(name))))
    assert isinstance(outcome, Refused)
    assert keeps(ERROR, outcome.body)
    assert outcome.error["code"] == "VALIDATION"
