"""A home opened lazily shows the same as one opened whole, and opens no more of it than is called."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sanya
from sanya.assembly import outline
from sanya.assembly.outline import LazySuite
from sanya.assembly.workers import run_workers
from sanya.engines.outline_file import OUTLINE_NAME
from sanya.kernel.calls.call import OWNER, Answered, Call, Refused
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Suite, Worker
from sanya.kernel.faults import Unavailable
from sanya.suites.tasks.dialect import DIALECT
from sanya.surfaces.mcp.listing import lists as listing
from sanya.surfaces.mcp.listing.tool_names import ToolNames

ONE_CALL = """
import asyncio, sys, sanya
async def main():
    async with sanya.open(sys.argv[1], lazily=True) as app:
        await app.call("get_tasks", {"limit": 1})
asyncio.run(main())
print([name for name in ("tasks", "funds", "memory", "herbs", "papers") if f"sanya.suites.{name}.suite" in sys.modules])
"""


@pytest.fixture(scope="module")
def served_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that a server has started in once."""
    home = tmp_path_factory.mktemp("outline") / "home"
    asyncio.run(serve_once(home))
    return home


async def serve_once(home: Path, tasks_database: str = "") -> None:
    async with sanya.open(home, tasks_database=tasks_database or None) as app:
        app.check_contracts()


def shown(catalogue: Catalogue) -> list[object]:
    """Everything that a list of any surface is made from."""
    return [
        [(suite.name, suite.title, bool(suite.workers)) for suite in catalogue.suites],
        [(tool.contract_hash, tool.required_scopes, tool.dialect) for tool in catalogue.tools],
        listing.list_tools(catalogue, portable=False),
        listing.list_resources(catalogue.resources),
        listing.list_templates(catalogue.resources),
        listing.list_prompts(catalogue.prompts.values(), ToolNames(catalogue.tools, portable=True)),
        [sorted(resource.complete) for resource in catalogue.resources],
        [[its.complete is None for its in prompt.arguments] for prompt in catalogue.prompts.values()],
    ]


async def test_a_home_opened_lazily_shows_all_that_one_opened_whole_does(served_home: Path) -> None:
    async with sanya.open(served_home) as whole, sanya.open(served_home, lazily=True) as lazy:
        assert lazy.is_outlined
        assert shown(lazy.kernel.catalogue) == shown(whole.kernel.catalogue)


def test_a_call_loads_the_suite_of_its_tool_and_no_other(served_home: Path) -> None:
    assert list_opened_suites(served_home) == "['tasks']"


def list_opened_suites(home: Path) -> str:
    """Make one call in a process of its own, and return the suites that it imported."""
    command = [sys.executable, "-c", ONE_CALL, str(home)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


async def test_answers_and_refusals_are_the_same_to_the_last_byte(served_home: Path) -> None:
    calls = [Call("get_projects", {}), Call("get_tasks", {"limit": 0}), Call("get_rmf_funds", {"page_size": 2})]
    async with sanya.open(served_home) as whole, sanya.open(served_home, lazily=True) as lazy:
        for call in calls:
            ours, theirs = await lazy.kernel.call(call), await whole.kernel.call(call)
            assert (ours.stamp.in_hash, ours.stamp.out_hash) == (theirs.stamp.in_hash, theirs.stamp.out_hash)


async def test_resources_are_read_and_completed_and_prompts_put_into_words(served_home: Path) -> None:
    async with sanya.open(served_home, lazily=True) as app:
        catalogue = app.kernel.catalogue
        read = await app.kernel.read(Call("tasks://task/sample-sales-report", {}))
        assert isinstance(read, Answered)
        template = next(resource for resource in catalogue.resources if resource.uri == "tasks://task/{id}")
        assert "sample-sales-report" in await template.complete["id"]("sample-sales", {}, OWNER)
        prompt = catalogue.prompts["project_status"]
        assert prompt.arguments[0].complete is not None
        assert await prompt.arguments[0].complete("coffee", {}, OWNER)
        await catalogue.open_prompt("explain_fund_risk")
        assert "B-ASIARMF" in catalogue.prompts["explain_fund_risk"].render({"fund": "B-ASIARMF"})


async def test_a_copied_home_at_another_address_keeps_its_outline(served_home: Path, home: Path) -> None:
    shutil.copytree(served_home, home)
    async with sanya.open(home, lazily=True, port=9000) as app:
        assert app.is_outlined


async def test_an_outlined_tool_keeps_the_schemas_of_its_contract(served_home: Path) -> None:
    async with sanya.open(served_home) as whole, sanya.open(served_home, lazily=True) as lazy:
        for built, outlined in zip(whole.kernel.catalogue.tools, lazy.kernel.catalogue.tools, strict=True):
            opened = await outlined.open()
            assert opened.contract == built.contract
            assert opened.has_plain_input == built.has_plain_input
            assert opened.has_plain_output == built.has_plain_output


async def test_other_settings_or_a_broken_outline_open_everything(served_home: Path, home: Path) -> None:
    async with sanya.open(served_home, lazily=True, time_zone="Asia/Bangkok") as app:
        assert not app.is_outlined
    async with sanya.open(home):
        pass
    (home / OUTLINE_NAME).write_bytes(b"{")
    async with sanya.open(home, lazily=True) as app:
        assert not app.is_outlined


async def test_what_a_setting_names_and_is_gone_makes_its_own_suite_unavailable(home: Path, tmp_path: Path) -> None:
    database = tmp_path / "tasks.db"
    async with sanya.open(home):
        pass
    database.write_bytes((home / "sanya.db").read_bytes())
    await serve_once(home, tasks_database=str(database))
    database.unlink()
    async with sanya.open(home, lazily=True, tasks_database=str(database)) as app:
        assert app.is_outlined
        refused = await app.kernel.call(Call("get_tasks", {}))
        assert isinstance(refused, Refused)
        assert "tasks.db" in refused.message
        assert isinstance(await app.kernel.call(Call("get_rmf_funds", {})), Answered)


async def test_background_work_begins_though_nobody_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline, "_WORKER_DELAY_S", 0.0)
    begun = asyncio.Event()

    async def run() -> None:
        begun.set()

    async def open_suite() -> Suite:
        return Suite(name="tasks", title="Tasks", dialect=DIALECT, workers=(Worker("sweeper", run),))

    suite = outline.build_suite(outline.describe_suite(await open_suite()), LazySuite(open_suite))
    async with run_workers(suite.workers):
        await asyncio.wait_for(begun.wait(), 10)


async def test_a_caller_who_leaves_does_not_take_the_suite_from_others_and_a_failure_is_tried_again() -> None:
    allowed, tries = asyncio.Event(), 0

    async def open_suite() -> Suite:
        nonlocal tries
        tries += 1
        await allowed.wait()
        if tries == 1:
            raise Unavailable("not yet")
        return Suite(name="tasks", title="Tasks", dialect=DIALECT)

    door = LazySuite(open_suite)
    leaving, staying = asyncio.create_task(door()), asyncio.create_task(door())
    await asyncio.sleep(0)
    leaving.cancel()
    allowed.set()
    with pytest.raises(Unavailable):
        await staying
    assert (await door()).name == "tasks"
    assert (await door()) is door.suite
    assert tries == 2


def test_the_first_call_of_a_command_saves_the_outline_for_the_next(begun_home: Path) -> None:
    command = [sys.executable, "-m", "sanya", "call", "get_tasks", '{"limit": 1}', "--home", str(begun_home)]
    (begun_home / OUTLINE_NAME).unlink()
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert (begun_home / OUTLINE_NAME).exists()
    assert list_opened_suites(begun_home) == "['tasks']"
