"""The curated scenarios, through the tools, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import sanya
from benchmarks.memory_scenarios import DATA, call_tool, check_ground_truth, check_scenarios, wait_until_consolidated
from sanya.app import App
from sanya.kernel.calls.call import ALL_SCOPES, Caller

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no scenarios at {DATA}")


@pytest.fixture
async def app(home: Path, database_url: str) -> AsyncIterator[App]:
    async with sanya.open(home, database_url=database_url) as opened:
        yield opened


async def test_every_expectation_of_every_scenario_is_met(app: App) -> None:
    missed = [check for check in await check_scenarios(app) if not check.holds]
    assert not missed
    await _only_independent_voices_count(app)


async def _only_independent_voices_count(app: App) -> None:
    """In the same home, since opening one takes long: what one agent says twice, from two logs, is one voice."""
    caller = Caller("one agent", frozenset({ALL_SCOPES}))
    for content in (
        "Flight log reports AC123 departed JFK at 09:00.",
        "ATC transcript confirms AC123 departed JFK at 09:00.",
    ):
        await call_tool(app, caller, "send_memory", {"content": content, "agent_id": "reporter"})
    await wait_until_consolidated(app)
    answer = await call_tool(app, caller, "get_memory", {"query": "ac123 departed jfk"})
    assert {memory["confidence"] for memory in answer["memories"]} == {"F3"}


def test_records_that_are_not_whole_are_refused_for_the_reason_they_name() -> None:
    assert all(check.holds for check in check_ground_truth())
