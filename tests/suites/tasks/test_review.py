"""The weekly review: its definitions, past weeks, and a comparison with a second implementation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.storage.database import Database
from tests.long_form import often
from tests.suites.tasks.harness import NOW, TasksHarness, change, fill, open_harness, task
from tests.suites.tasks.review_model import START, histories, review, shown

WEEK = "2025-01-06"


def at(day: int, hour: int = 12) -> str:
    return f"2025-01-{day:02d}T{hour:02d}:00:00.000Z"


def counts(body: dict[str, Any]) -> dict[str, int]:
    return {name.removesuffix("_count"): value for name, value in body.items() if name.endswith("_count") and value}


async def test_the_shared_week_has_the_expected_counts(
    database: Database, harness: TasksHarness, small_week: dict[str, Any]
) -> None:
    await fill(database, small_week["tasks"], small_week["projects"], small_week["task_changelogs"])
    body = await harness.call("get_weekly_review", week_start_iso=small_week["week_start_iso"])
    expected = small_week["expected"]
    assert len(body["completed_tasks"]) == expected.pop("completed_tasks_len")
    assert {name: body[name] for name in expected} == expected
    assert body["week_start"] == "2025-01-06T00:00:00.000Z"
    assert body["week_end"] == body["period_end"] == "2025-01-13T00:00:00.000Z"


async def test_a_task_done_later_was_open_in_the_week_before(database: Database, harness: TasksHarness) -> None:
    done = task("t1", status="DONE", created_at=at(2), updated_at=at(14))
    await fill(database, [done], changelogs=[change("c1", "t1", at(14), "DOING", "DONE")])
    body = await harness.call("get_weekly_review", week_start_iso=WEEK)
    assert counts(body) == {"pending": 1, "carry_over": 1}
    assert body["pending_tasks"][0]["status"] == "DOING"
    assert counts(await harness.call("get_weekly_review", week_start_iso="2025-01-13")) == {"completed": 1}


async def test_a_task_that_was_reopened_counts_as_completed_then_and_as_open_now(
    database: Database, harness: TasksHarness
) -> None:
    changes = [change("c1", "t1", at(8), "TODO", "DONE"), change("c2", "t1", at(14), "DONE", "TODO")]
    await fill(database, [task("t1", created_at=at(7), updated_at=at(14))], changelogs=changes)
    assert counts(await harness.call("get_weekly_review", week_start_iso=WEEK)) == {"completed": 1, "created": 1}
    assert counts(await harness.call("get_weekly_review")) == {"pending": 1, "carry_over": 1}


async def test_a_task_done_twice_in_a_week_is_completed_once(database: Database, harness: TasksHarness) -> None:
    changes = [
        change("c1", "t1", at(7), "TODO", "DONE"),
        change("c2", "t1", at(8), "DONE", "TODO"),
        change("c3", "t1", at(9), "TODO", "DONE"),
    ]
    await fill(database, [task("t1", status="DONE", created_at=at(6))], changelogs=changes)
    body = await harness.call("get_weekly_review", week_start_iso=WEEK)
    assert counts(body) == {"completed": 1, "created": 1}
    assert [task["id"] for task in body["completed_tasks"]] == ["t1"]


async def test_a_due_date_moved_later_is_judged_as_it_was(database: Database, harness: TasksHarness) -> None:
    moved = change("c1", "t1", at(14), at(9), at(31), action="UPDATED", field_name="due_at")
    await fill(database, [task("t1", created_at=at(6), due_at=at(31))], changelogs=[moved])
    body = await harness.call("get_weekly_review", week_start_iso=WEEK)
    assert counts(body) == {"overdue": 1, "due_this_week_open": 1, "created": 1}
    assert body["overdue_tasks"][0]["due_at"] == at(9)
    assert counts(await harness.call("get_weekly_review")) == {"pending": 1, "carry_over": 1}


async def test_a_task_that_did_not_exist_yet_is_in_no_list(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("t1", created_at=at(14), due_at=at(3))])
    assert counts(await harness.call("get_weekly_review", week_start_iso=WEEK)) == {}
    assert counts(await harness.call("get_weekly_review")) == {"created": 1, "overdue": 1}


async def test_the_end_of_the_week_belongs_to_the_next_one(database: Database, harness: TasksHarness) -> None:
    rows = [
        task("new", created_at=at(13, 0)),
        task("done", status="DONE", created_at=at(6, 0)),
        task("due", created_at=at(6), due_at=at(13, 0)),
    ]
    await fill(database, rows, changelogs=[change("c1", "done", at(13, 0), "TODO", "DONE")])
    assert counts(await harness.call("get_weekly_review", week_start_iso=WEEK)) == {"created": 2, "pending": 2}
    later = await harness.call("get_weekly_review", week_start_iso="2025-01-13")
    assert counts(later) == {
        "created": 1,
        "completed": 1,
        "pending": 1,
        "overdue": 1,
        "carry_over": 1,
        "due_this_week_open": 1,
    }


async def test_the_running_week_ends_now(database: Database, harness: TasksHarness) -> None:
    rows = [
        task("late", created_at=at(13), due_at=at(16, 11)),
        task("soon", created_at=at(13), due_at=at(16, 13)),
        task("ahead", created_at=at(17)),
    ]
    await fill(database, rows)
    body = await harness.call("get_weekly_review")
    assert body["period_end"] == "2025-01-16T12:00:00.000Z"
    assert counts(body) == {"created": 2, "overdue": 1, "pending": 1, "due_this_week_open": 2}


async def test_a_week_to_come_shows_what_will_be_due(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("t1", created_at=at(10), due_at=at(22)), task("t2", created_at=at(15), due_at=at(1))])
    body = await harness.call("get_weekly_review", week_start_iso="2025-01-20")
    assert counts(body) == {"pending": 1, "overdue": 1, "carry_over": 2, "due_this_week_open": 1}


async def test_lists_are_cut_at_the_limit_and_counts_are_not(database: Database, harness: TasksHarness) -> None:
    rows = [task(f"t{n:02d}", created_at=at(6), updated_at=at(6, n % 4)) for n in range(30)]
    await fill(database, rows)
    body = await harness.call("get_weekly_review", week_start_iso=WEEK, item_limit=5)
    newest = sorted(rows, key=lambda row: (row["updated_at"], row["id"]), reverse=True)
    assert body["pending_count"] == 30
    assert [task["id"] for task in body["pending_tasks"]] == [row["id"] for row in newest[:5]]


async def test_a_week_is_seven_days_of_the_configured_zone(database: Database) -> None:
    await fill(database, [task("t1", created_at="2025-01-05T18:00:00.000Z")])
    async with open_harness(database, zone=ZoneInfo("Asia/Bangkok")) as harness:
        assert counts(await harness.call("get_weekly_review", week_start_iso=WEEK))["created"] == 1
    async with open_harness(database) as harness:
        assert "created" not in counts(await harness.call("get_weekly_review", week_start_iso=WEEK))


async def test_a_past_week_has_the_same_hash_whenever_it_is_asked_for(
    database: Database, harness: TasksHarness
) -> None:
    await fill(database, [task("t1", created_at=at(6), due_at=at(31))])
    hashes = set()
    for days in (0, 1, 30):
        harness.clock[0] = NOW + timedelta(days=days)
        outcome = await harness.kernel.call(Call("get_weekly_review", {"week_start_iso": WEEK}))
        assert isinstance(outcome, Answered)
        hashes.add(outcome.stamp.out_hash)
    assert len(hashes) == 1


@given(history=histories(whole=True), week=st.integers(-2, 5), now=st.integers(-24, 24 * 40))
@settings(max_examples=often(30, 120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_review_agrees_with_its_definitions(
    database: Database, history: tuple[list[dict[str, Any]], list[dict[str, Any]]], week: int, now: int
) -> None:
    tasks, changes = history
    async with database.transaction() as transaction:
        await transaction.execute("DELETE FROM tasks")
        await transaction.execute("DELETE FROM task_changelogs")
    await fill(database, tasks, changelogs=changes)
    start = START + timedelta(days=7 * week)
    moment = START + timedelta(hours=now)
    async with open_harness(database, now=moment) as harness:
        body = await harness.call("get_weekly_review", week_start_iso=shown(start), item_limit=100)
    expected = review(tasks, changes, start, moment)
    assert {name: body[name] for name in expected} == expected


@pytest.mark.parametrize("limit", [0, 101, -1, 2.5, "20", None])
async def test_a_list_length_out_of_bounds_is_refused(harness: TasksHarness, limit: Any) -> None:
    refused = await harness.refusal("get_weekly_review", {"item_limit": limit})
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert refused.error["details"]["field"] == "item_limit"
