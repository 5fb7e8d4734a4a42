"""The contract of each tool: its size, descriptions, bounds, and every cause of each error code."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.storage.database import Database
from sanya.suites.tasks import contract
from sanya.suites.tasks.starter import load_starter
from sanya.surfaces.mcp.listing.lists import list_tools
from tests.suites.generated import MANY, allowed, fields_of, ruled_out
from tests.suites.tasks.harness import TasksHarness, fill, open_harness, task

TOOLS = ("get_tasks", "get_projects", "get_weekly_review", "search_tasks", "get_task_changelogs")
LIMITS = {
    "get_tasks": ("limit", 50, 500),
    "get_projects": ("limit", 50, 200),
    "get_weekly_review": ("item_limit", 20, 100),
    "search_tasks": ("limit", 30, 200),
    "get_task_changelogs": ("limit", 20, 200),
}
REQUIRED: dict[str, dict[str, Any]] = {"search_tasks": {"query": "a"}, "get_task_changelogs": {"task_id": "t1"}}


def tool_named(harness: TasksHarness, name: str) -> Tool:
    tool = harness.kernel.catalogue.find_tool(name)
    assert tool is not None
    return tool


async def test_there_are_these_five_tools(harness: TasksHarness) -> None:
    assert tuple(tool.name for tool in harness.kernel.catalogue.tools) == TOOLS
    assert {tool.effect for tool in harness.kernel.catalogue.tools} == {"read"}


@pytest.mark.parametrize("name", TOOLS)
async def test_a_tool_takes_few_tokens_of_a_list(harness: TasksHarness, name: str) -> None:
    """Measured as listed: the listing drops descriptions of the output where a schema would be too long."""
    (listed,) = [tool for tool in list_tools(harness.kernel.catalogue, portable=False).tools if tool.name == name]
    dumped = listed.model_dump(by_alias=True, mode="json", exclude_none=True)
    assert "outputSchema" in dumped
    # Some four characters a token, 600 tokens.
    assert len(json.dumps(dumped, ensure_ascii=False, separators=(",", ":"))) <= 2400


@pytest.mark.parametrize("name", TOOLS)
async def test_every_field_is_described_and_nothing_is_referred_to(harness: TasksHarness, name: str) -> None:
    tool = tool_named(harness, name)
    for schema in (tool.input_schema, tool.output_schema):
        assert "$ref" not in json.dumps(schema)
        assert all(field.get("description") for field in fields_of(schema)), schema


@pytest.mark.parametrize("name", TOOLS)
async def test_the_limit_has_its_default_and_both_its_bounds(harness: TasksHarness, name: str) -> None:
    field, default, most = LIMITS[name]
    schema = tool_named(harness, name).input_schema["properties"][field]
    assert (schema["default"], schema["minimum"], schema["maximum"]) == (default, 1, most)
    for value in (0, most + 1):
        refused = await harness.refusal(name, {**REQUIRED.get(name, {}), field: value})
        assert refused.error["code"] == "INVALID_ARGUMENT"
        assert field in refused.error["message"]
        assert str(value) in refused.error["message"]


@pytest.mark.parametrize("name", TOOLS)
async def test_an_unknown_argument_is_refused_by_name(harness: TasksHarness, name: str) -> None:
    refused = await harness.refusal(name, {**REQUIRED.get(name, {}), "sort": "title"})
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert refused.error["details"]["field"] == "sort"


@pytest.mark.parametrize("name", TOOLS)
async def test_every_example_works_on_the_starter_data(database: Database, harness: TasksHarness, name: str) -> None:
    await load_starter(database)
    harness.clock[0] = datetime(2025, 7, 1, tzinfo=UTC)
    examples = tool_named(harness, name).examples
    assert examples
    for example in examples:
        body = await harness.call(name, **example.arguments)
        assert body.get("items") or body.get("completed_count"), example


async def test_one_task_can_be_read_by_its_address(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("a/ข", title="นัดหมอ")])
    outcome = await harness.kernel.read(Call("tasks://task/a%2F%E0%B8%82", {}))
    assert isinstance(outcome, Answered)
    assert outcome.body["title"] == "นัดหมอ"
    missing = await harness.kernel.read(Call("tasks://task/none", {}))
    assert isinstance(missing, Refused)
    assert missing.error["code"] == "NOT_FOUND"


async def test_ids_are_offered_while_an_address_is_typed(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("ab1"), task("ab2"), task("b"), task("ก1")])
    complete = harness.kernel.catalogue.resources[0].complete["id"]
    assert await complete("ab", {}, OWNER) == ["ab1", "ab2"]
    assert await complete("ก", {}, OWNER) == ["ก1"]
    assert await complete("%", {}, OWNER) == []


async def test_prompts_name_the_tools_and_guard_against_orders_in_titles(harness: TasksHarness) -> None:
    prompts = harness.kernel.catalogue.prompts
    assert set(prompts) == {"weekly_review", "plan_day", "project_status"}
    assert '{"week_start_iso": "2025-06-02"}' in prompts["weekly_review"].render({"week_start": "2025-06-02"})
    for prompt in prompts.values():
        assert "data" in prompt.render({"project": "x"})


async def test_the_history_of_a_task_comes_newest_first(database: Database, harness: TasksHarness) -> None:
    await load_starter(database)
    ids = await harness.all_ids("get_task_changelogs", 2, task_id="sample-sales-report")
    assert ids == [f"sample-sales-report-{n}" for n in (3, 2, 1, 0)]


async def test_a_task_without_history_has_an_empty_one(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("t1")])
    assert await harness.call("get_task_changelogs", task_id="t1") == {
        "items": [],
        "next_cursor": None,
        "samples": False,
        "shortened": False,
    }


# Every code of the contract, and a way to it.


async def test_invalid_argument_is_answered_to_a_bad_value(harness: TasksHarness) -> None:
    refused = await harness.refusal("get_tasks", {"status": "OPEN"})
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert set(refused.error) == {"code", "message", "retry_after_ms", "details"}


async def test_not_found_is_answered_to_an_unknown_task(harness: TasksHarness) -> None:
    refused = await harness.refusal("get_task_changelogs", {"task_id": "nobody's"})
    assert refused.error["code"] == "NOT_FOUND"
    assert "nobody's" in refused.error["message"]


async def test_rate_limited_is_answered_with_a_time_to_come_back(harness: TasksHarness) -> None:
    hasty = Caller("hasty", frozenset({"tasks:read"}), calls_per_minute=1)
    assert isinstance(await harness.kernel.call(Call("get_tasks", {}, caller=hasty)), Answered)
    refused = await harness.refusal("get_tasks", {}, caller=hasty)
    assert refused.error["code"] == "RATE_LIMITED"
    assert refused.error["retry_after_ms"] > 0


async def test_unauthorized_is_answered_to_a_caller_without_the_scope(harness: TasksHarness) -> None:
    refused = await harness.refusal("get_tasks", {}, caller=Caller("stranger", frozenset({"funds:read"})))
    assert refused.error["code"] == "UNAUTHORIZED"


class _Stuck:
    """A database that never answers."""

    def __init__(self, database: Database) -> None:
        self.dialect = database.dialect
        self.transaction = database.transaction

    async def fetch(self, sql: str, params: Any = (), *, touches: int | None = None) -> Any:
        await asyncio.Event().wait()


class _Garbled(_Stuck):
    """A database that answers with rows of another shape, as only a bug of ours could cause."""

    async def fetch(self, sql: str, params: Any = (), *, touches: int | None = None) -> Any:
        return [(1,)]


async def test_timeout_is_answered_when_the_store_does_not_answer_in_time(database: Database) -> None:
    async with open_harness(_Stuck(database)) as harness:
        outcome = await harness.kernel.call(Call("get_tasks", {}, timeout_ms=10))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "TIMEOUT"


async def test_internal_error_is_answered_without_telling_what_happened(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    async with open_harness(_Garbled(database)) as harness:
        refused = await harness.refusal("get_tasks", {})
    assert refused.error["code"] == "INTERNAL_ERROR"
    assert "Error" not in refused.error["message"]
    assert refused.error["details"]["error_id"]


async def test_unavailable_is_answered_when_the_store_cannot_be_read(tmp_path: Path) -> None:
    """Destroy the database file while the suite serves it."""
    path = tmp_path / "tasks.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tasks (id TEXT)")
    async with open_external_file(path) as database, open_harness(database) as harness:
        path.write_bytes(b"no database at all " * 500)
        refused = await harness.refusal("get_tasks", {})
    assert refused.error["code"] == "UNAVAILABLE"


# Whatever is sent, the answer is the contract's: a body, or one of its seven codes other than INTERNAL_ERROR.


@pytest.fixture
async def stocked(home: Path) -> AsyncIterator[TasksHarness]:
    async with open_database("", home) as database:
        await load_starter(database)
        async with open_harness(database) as harness:
            yield harness


@cache
def inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return allowed(_schemas()[name])


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    shapes: dict[str, type[Shape]] = {
        "get_tasks": contract.GetTasksInput,
        "get_projects": contract.GetProjectsInput,
        "get_weekly_review": contract.GetWeeklyReviewInput,
        "search_tasks": contract.SearchTasksInput,
        "get_task_changelogs": contract.GetTaskChangelogsInput,
    }
    return {name: get_published_schema(shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_or_refused_with_a_reason(
    stocked: TasksHarness, name: str, data: st.DataObject
) -> None:
    outcome = await stocked.kernel.call(Call(name, data.draw(inputs(name))))
    if isinstance(outcome, Refused):
        # What a schema cannot say: whose cursor it is, which ids there are, what is a day.
        assert outcome.error["code"] in ("INVALID_ARGUMENT", "NOT_FOUND")
        assert outcome.error["details"].get("field") in (
            "cursor",
            "week_start_iso",
            "query",
            "due_before",
            "due_after",
            None,
        )


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_invalid(
    stocked: TasksHarness, name: str, data: st.DataObject
) -> None:
    arguments = data.draw(_broken(name))
    refused = await stocked.refusal(name, arguments)
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert refused.error["message"]


@cache
def _broken(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(_schemas()[name], REQUIRED.get(name, {}))
