"""`detail: short` on the real tools: hashes, replays and the other surfaces stay as they were."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import pytest_asyncio

import sanya
from sanya.app import App
from sanya.kernel.calls.call import OWNER, Answered, Call
from sanya.kernel.calls.replay import replay
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.contracts.detail import relax_schema

pytestmark = pytest.mark.asyncio(loop_scope="module")

WEEK = {"week_start_iso": "2025-06-02"}
CHECK = {"herb_ids": ["ginger"], "drugs": ["Plavix"]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(filled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    home = shutil.copytree(filled_home, tmp_path_factory.mktemp("detail") / "home")
    async with sanya.open(home, log_level="error") as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def week(app: App) -> tuple[Answered, Answered]:
    full = await app.kernel.call(Call("get_weekly_review", WEEK))
    short = await app.kernel.call(Call("get_weekly_review", {**WEEK, "detail": "short"}))
    assert isinstance(full, Answered)
    assert isinstance(short, Answered)
    return full, short


async def test_the_hashes_cover_the_argument_and_the_short_body(app: App) -> None:
    full = await app.kernel.call(Call("get_tasks", {"status": "DOING"}))
    short = await app.kernel.call(Call("get_tasks", {"status": "DOING", "detail": "short"}))
    assert isinstance(short, Answered)
    assert full.stamp.in_hash != short.stamp.in_hash
    assert short.stamp.out_hash == sha256(to_canonical_json(short.body)).hexdigest()


async def test_a_short_answer_says_the_same_in_fewer_words(week: tuple[Answered, Answered]) -> None:
    full, short = week
    assert len(to_canonical_json(short.body)) < 0.7 * len(to_canonical_json(full.body))
    for counted in ("completed_count", "pending_count", "overdue_count"):
        assert short.body[counted] == full.body[counted]
    titles = {task["id"]: task["title"] for name in full.body if name.endswith("_tasks") for task in full.body[name]}
    seen = {
        task["id"]: task.get("title") for name in short.body if name.endswith("_tasks") for task in short.body[name]
    }
    assert seen.keys() == titles.keys()


async def test_a_short_answer_is_replayed_as_it_was(app: App, week: tuple[Answered, Answered]) -> None:
    _, short = week
    await app.ledger.flush()
    replayed = await replay(app.kernel, app.ledger, app.ledger_store, short.id, OWNER)
    assert replayed.same
    assert isinstance(replayed.outcome, Answered)
    assert replayed.outcome.body == short.body


async def test_a_stamp_in_the_body_stands_beside_a_short_one(app: App) -> None:
    full = await app.kernel.call(Call("tool.find_contraindications", CHECK))
    short = await app.kernel.call(Call("tool.find_contraindications", {**CHECK, "detail": "short"}))
    assert isinstance(full, Answered)
    assert isinstance(short, Answered)
    assert "audit" in full.body
    assert "audit" not in short.body
    assert short.stamp.status == "ok"


async def test_short_answers_match_the_schema_without_its_required_fields(app: App) -> None:
    """Over the examples of every tool that takes `detail`, in its own words."""
    checked = 0
    for tool in app.kernel.catalogue.tools:
        for example in tool.examples[:1] if tool.takes_detail and tool.suite in ("tasks", "funds", "memory") else ():
            outcome = await app.kernel.call(Call(tool.name, {**example.arguments, "detail": "short"}, OWNER))
            assert isinstance(outcome, Answered), tool.name
            jsonschema.validate(outcome.body, relax_schema(tool.output_schema))
            checked += 1
    assert checked >= 15


def make_all_optional(schema: dict[str, Any]) -> bool:
    return "required" not in schema and all(make_all_optional(part) for part in schema.get("properties", {}).values())


async def test_typed_surfaces_do_not_take_detail(app: App) -> None:
    tool = app.kernel.catalogue.find_tool("get_tasks")
    assert tool is not None
    assert "detail" in tool.input_schema["properties"]
    assert "detail" not in tool.typed_input_schema["properties"]
    assert make_all_optional(relax_schema(tool.output_schema))
