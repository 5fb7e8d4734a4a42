"""An import: the rows and log entries it writes, and that the same file twice changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import Progress
from sanya.kernel.storage.database import Database
from sanya.suites.tasks.importing.formats import TaskFormat, open_task_file
from sanya.suites.tasks.importing.rows import ImportedTask, make_project
from sanya.suites.tasks.importing.task_import import TaskImportReport, import_tasks
from sanya.suites.tasks.starter import load_starter
from tests.long_form import often
from tests.suites.tasks.harness import TasksHarness

FILES = Path(__file__).parent / "files"
BANGKOK = ZoneInfo("Asia/Bangkok")
MONDAY = datetime(2025, 1, 13, 9, 0, tzinfo=UTC)
LATER = MONDAY + timedelta(days=1)


async def put(
    database: Database, text: str | bytes, now: datetime = MONDAY, format: TaskFormat = "todotxt"
) -> TaskImportReport:
    data = text.encode() if isinstance(text, str) else text
    return await import_tasks(database, open_task_file(data, BANGKOK, format=format).parse_rows(), now=now)


async def everything(database: Database) -> dict[str, list[Any]]:
    tables = ("tasks", "projects", "task_changelogs", "revisions")
    return {table: sorted(await database.fetch(f"SELECT * FROM {table}"), key=repr) for table in tables}


async def history(harness: TasksHarness, task_id: str) -> list[tuple[Any, ...]]:
    body = await harness.call("get_task_changelogs", task_id=task_id)
    names = ("action", "field_name", "old_value", "new_value", "created_at")
    return [tuple(item[name] for name in names) for item in reversed(body["items"])]


@pytest.mark.parametrize("name", ["todo.txt", "taskwarrior.json", "calendar.ics", "tasks.csv", "tasks-th.csv"])
async def test_the_same_file_twice_changes_nothing(database: Database, name: str) -> None:
    file = open_task_file((FILES / name).read_bytes(), BANGKOK, name=name)
    first = await import_tasks(database, file.parse_rows(), now=MONDAY)
    before = await everything(database)
    again = await import_tasks(database, file.parse_rows(), now=LATER)
    assert first.created > 0
    assert (again.created, again.updated, again.unchanged) == (0, 0, first.created)
    assert again.rejected == first.rejected
    assert await everything(database) == before


async def test_bad_rows_are_named_and_the_rest_lands(database: Database, harness: TasksHarness) -> None:
    report = await put(database, (FILES / "tasks.csv").read_bytes(), format="csv")
    assert report.created == 5
    assert report.rejected_count == len(report.rejected) == 6
    assert [row.line for row in report.rejected] == [7, 8, 9, 11, 12, 13]
    assert "is in this file already" in next(row.reason for row in report.rejected if row.line == 12)
    assert [notice.line for notice in report.notices] == [1]
    assert len(await harness.all_ids("get_tasks", 2)) == 5


async def test_a_change_is_logged_field_by_field_with_both_values(database: Database, harness: TasksHarness) -> None:
    await put(database, "id,title,priority,due\n7,Old,LOW,\n", format="csv")
    report = await put(database, "id,title,priority,due\n7,New,URGENT,2025-01-20\n", LATER, format="csv")
    assert (report.created, report.updated, report.unchanged) == (0, 1, 0)
    created, changed = "2025-01-13T09:00:00.000Z", "2025-01-14T09:00:00.000Z"
    assert await history(harness, "7") == [
        ("CREATED", None, None, None, created),
        ("UPDATED", "title", "Old", "New", changed),
        ("UPDATED", "priority", "LOW", "URGENT", changed),
        ("UPDATED", "due_at", None, "2025-01-20T16:59:59.999Z", changed),
    ]
    (task,) = (await harness.call("search_tasks", query="new"))["items"]
    assert (task["created_at"], task["updated_at"]) == (created, changed)
    assert (await harness.call("search_tasks", query="old"))["items"] == []


async def test_a_completion_is_logged_when_it_happened(database: Database, harness: TasksHarness) -> None:
    await put(database, "2025-01-13 Call the bank")
    await put(database, "x 2025-01-15 2025-01-13 Call the bank", MONDAY + timedelta(days=7))
    (task_id,) = await harness.all_ids("get_tasks", 5)
    assert (await history(harness, task_id))[-1] == (
        "STATUS_CHANGED",
        "status",
        "TODO",
        "DONE",
        "2025-01-14T17:00:00.000Z",
    )
    harness.clock[0] = MONDAY + timedelta(days=30)
    review = await harness.call("get_weekly_review", week_start_iso="2025-01-13")
    assert (review["completed_count"], review["pending_count"]) == (1, 0)


async def test_a_task_that_comes_in_completed_has_its_history(database: Database, harness: TasksHarness) -> None:
    await put(database, "x 2025-01-08 2025-01-05 Water the plants")
    (task_id,) = await harness.all_ids("get_tasks", 5)
    assert await history(harness, task_id) == [
        ("CREATED", None, None, None, "2025-01-04T17:00:00.000Z"),
        ("STATUS_CHANGED", "status", "TODO", "DONE", "2025-01-07T17:00:00.000Z"),
    ]


async def test_a_completion_never_comes_before_what_is_known_nor_after_now(
    database: Database, harness: TasksHarness
) -> None:
    await put(database, "Call the bank")
    await put(database, "x 2024-12-01 Call the bank", LATER)
    await put(database, "x 2030-01-01 2029-01-01 From the future", LATER)
    for task_id in await harness.all_ids("get_tasks", 5):
        moments = [entry[-1] for entry in await history(harness, task_id)]
        assert moments == sorted(moments)
        assert moments[-1] <= "2025-01-14T09:00:00.000Z"


async def test_like_rows_without_ids_stay_apart(database: Database, harness: TasksHarness) -> None:
    assert (await put(database, "Buy milk\nBuy milk\n")).created == 2
    assert (await put(database, "x 2025-01-13 Buy milk\nBuy milk\n", LATER)).updated == 1
    assert len(set(await harness.all_ids("get_tasks", 1))) == 2


async def test_a_row_that_the_source_lost_is_kept(database: Database, harness: TasksHarness) -> None:
    await put(database, "One\nTwo\n")
    assert (await put(database, "Two\n", LATER)).unchanged == 1
    assert len(await harness.all_ids("get_tasks", 5)) == 2


async def test_projects_are_made_once_whatever_the_case_of_their_names(
    database: Database, harness: TasksHarness
) -> None:
    report = await put(database, "One +Shop\nTwo +SHOP\nThree +บ้าน\n")
    assert report.projects_created == 2
    assert (await put(database, "Four +shop\n", LATER)).projects_created == 0
    items = (await harness.call("get_projects"))["items"]
    assert {item["name"] for item in items} == {"Shop", "บ้าน"}
    shop = make_project("Shop").id
    assert len((await harness.call("get_tasks", project_id=shop))["items"]) == 3


async def test_real_tasks_take_the_place_of_the_samples(database: Database, harness: TasksHarness) -> None:
    assert await load_starter(database)
    samples = len(await harness.all_ids("get_tasks", 50))
    assert (await put(database, "Broken due:never\n")).samples_removed == 0
    assert len(await harness.all_ids("get_tasks", 50)) == samples
    assert (await put(database, "id,title\nsample-fix-tap,Mine\n", format="csv")).samples_removed == samples
    assert await harness.all_ids("get_tasks", 50) == ["sample-fix-tap"]
    assert (await harness.call("get_projects"))["items"] == []
    assert not await load_starter(database)
    assert (await put(database, "id,title\nsample-fix-tap,Mine\n", LATER, format="csv")).unchanged == 1


async def test_samples_come_once(database: Database, harness: TasksHarness) -> None:
    assert await load_starter(database)
    before = await everything(database)
    assert not await load_starter(database)
    assert await everything(database) == before


async def test_every_change_raises_the_revision_by_one(database: Database) -> None:
    revisions = []
    for text in ("One\n", "One\n", "One\nTwo\n", "bad due:never\n", "x One\n"):
        await put(database, text)
        revisions.append((await database.fetch("SELECT revision FROM revisions WHERE suite = 'tasks'") or [(0,)])[0][0])
    assert revisions == [1, 1, 2, 2, 3]


async def test_a_failure_in_the_middle_leaves_nothing(database: Database) -> None:
    await put(database, "One\n")
    before = await everything(database)

    def rows() -> Any:
        for number in range(1200):
            yield ImportedTask(line=number, title=f"Task {number}", key=str(number))
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError):
        await import_tasks(database, rows(), now=LATER)
    assert await everything(database) == before


async def test_progress_is_told_after_each_batch(database: Database) -> None:
    reported: list[Progress] = []
    rows = [ImportedTask(line=n, title="a", key=str(n)) for n in range(1100)]
    report = await import_tasks(database, rows, expected=1100, progress=reported.append)
    assert report.created == 1100
    assert [(step.done, step.total) for step in reported] == [(500, 1100), (1000, 1100), (1100, 1100)]


async def test_only_the_first_thousand_rejected_rows_are_kept_but_all_are_counted(database: Database) -> None:
    report = await put(database, "x due:never\n" * 1500)
    assert report.rejected_count == 1500
    assert len(report.rejected) == 1000


VERSIONS = st.lists(
    st.fixed_dictionaries(
        {
            "title": st.sampled_from(["a", "b"]),
            "status": st.sampled_from(["TODO", "DOING", "DONE", "ARCHIVED"]),
            "due_at": st.none() | st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC)),
            "updated_at": st.none() | st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC)),
            "status_since": st.none()
            | st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC)),
        }
    ),
    min_size=1,
    max_size=5,
)


@given(versions=VERSIONS)
@settings(max_examples=often(15, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_changelog_always_tells_how_the_row_came_to_be(
    database: Database, harness: TasksHarness, versions: list[dict[str, Any]]
) -> None:
    async with database.transaction() as transaction:
        for table in ("tasks", "task_changelogs"):
            await transaction.execute(f"DELETE FROM {table}")
    for number, fields in enumerate(versions):
        await import_tasks(database, [ImportedTask(line=1, key="t", **fields)], now=MONDAY + timedelta(hours=number))
    (task,) = (await harness.call("get_tasks"))["items"]
    entries = await history(harness, "t")
    moments = [entry[-1] for entry in entries]
    assert moments == sorted(moments)
    assert entries[0][0] == "CREATED"
    assert task["created_at"] == moments[0] <= task["updated_at"]
    assert max(moments) <= task["updated_at"]
    for name in ("title", "status", "due_at"):
        told = [entry for entry in entries if entry[1] == name]
        assert all(later[2] == earlier[3] for earlier, later in pairwise(told))
        assert not told or told[-1][3] == task[name]
