"""The contract of the ingest tools: shapes, messages, and arbitrary input."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.suites.herbs.ingest import contract
from tests.suites.generated import MANY, allowed, fields_of, ruled_out
from tests.suites.herbs.ingest.jobs.ingest_harness import (
    CANCEL,
    ROLLBACK,
    RUN,
    STATUS,
    TEXT,
    IngestHarness,
    insert_small_graph,
    open_ingest_harness,
)

INPUTS: dict[str, type[Shape]] = {
    RUN: contract.IngestRunInput,
    STATUS: contract.IngestStatusInput,
    CANCEL: contract.JobInput,
    ROLLBACK: contract.JobInput,
}
ITEM = {"uri": "file:///nowhere/a.txt"}
GOOD: dict[str, dict[str, Any]] = {
    RUN: {"batch": [ITEM]},
    STATUS: {"limit": 5},
    CANCEL: {"job_id": "job_1"},
    ROLLBACK: {"job_id": "job_1"},
}
TOOLS = tuple(INPUTS)
LIKELY: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    RUN: {
        "batch": st.lists(st.sampled_from([ITEM, {"uri": "file:///etc/passwd"}, {"uri": "x"}]), max_size=2),
        "ner": st.just({"provider": "gazetteer"}),
        "wait_s": st.integers(0, 1),
    },
    STATUS: {"wait_s": st.just(0)},
    CANCEL: {},
    ROLLBACK: {},
}


@pytest.fixture
async def one_room(tmp_path: Path) -> AsyncIterator[IngestHarness]:
    """Open a harness on SQLite with an empty folder, for tests that make many calls."""
    async with open_database("", tmp_path / "home") as database:
        await insert_small_graph(database)
        async with open_ingest_harness(database, tmp_path / "nothing") as opened:
            yield opened


@pytest.mark.parametrize("name", TOOLS)
async def test_every_field_is_described(one_room: IngestHarness, name: str) -> None:
    tool = one_room.kernel.catalogue.find_tool(name)
    assert tool is not None
    assert tool.examples
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))


async def test_an_answer_has_the_contracts_keys_first_and_its_stamp(harness: IngestHarness) -> None:
    body = await harness.call(RUN, batch=[harness.document("a.txt", TEXT)])
    assert list(body) == ["job_id", "status", "log_uri", "job", "audit"]
    assert body["log_uri"] == f"job://{body['job_id']}/log"
    assert set(body["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "batch"),
        ({"batch": [ITEM], "depth": 1}, "depth"),
        ({"batch": [ITEM] * 101}, "batch"),
        ({"batch": [{**ITEM, "doc_type": "exe"}]}, "batch[0].doc_type"),
        ({"batch": [{**ITEM, "pages": 3}]}, "batch[0].pages"),
        ({"batch": [ITEM], "ner": {"provider": "spacy"}}, "ner.provider"),
        ({"batch": [ITEM], "ner": {"params": {"k": "v"}}}, "ner.params"),
        ({"batch": [ITEM], "apply_job": "job_1", "dry_run": False}, "batch"),
        ({"apply_job": "job_1"}, "dry_run"),
        ({"batch": [ITEM], "wait_s": 3601}, "wait_s"),
    ],
)
async def test_a_bad_argument_is_refused_by_name(
    one_room: IngestHarness, arguments: dict[str, Any], field: str
) -> None:
    error = await one_room.refusal(RUN, **arguments)
    assert (error["code"], error["details"]["field"]) == ("INVALID_ARG", field)
    assert await one_room.jobs.list() == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (STATUS, {"job_id": "job_1"}),
        (CANCEL, {"job_id": "job_1"}),
        (ROLLBACK, {"job_id": "job_1"}),
        (RUN, {"apply_job": "job_1", "dry_run": False}),
    ],
)
async def test_an_unknown_job_is_not_found(harness: IngestHarness, tool: str, arguments: dict[str, Any]) -> None:
    assert (await harness.refusal(tool, **arguments))["code"] == "NOT_FOUND"


@cache
def good_inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return allowed(get_published_schema(INPUTS[name]), LIKELY[name])


@cache
def bad_inputs(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_or_refused_with_a_reason(
    one_room: IngestHarness, name: str, data: st.DataObject
) -> None:
    outcome = await one_room.kernel.call(Call(name, data.draw(good_inputs(name))))
    if isinstance(outcome, Refused):
        assert outcome.error["code"] in ("INVALID_ARG", "NOT_FOUND")
        assert outcome.error["message"]
    else:
        assert isinstance(outcome, Answered)
        documents = (outcome.body["job"] or {}).get("documents", [])
        assert all(report["error"]["message"] for report in documents)


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(
    one_room: IngestHarness, name: str, data: st.DataObject
) -> None:
    outcome = await one_room.kernel.call(Call(name, data.draw(bad_inputs(name))))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "INVALID_ARG"
