"""Additive arguments and fields: due dates, overdue, nearest projects, samples, and pages of a database that moves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.spans import collect_spans, read_spans
from sanya.kernel.storage.database import Database
from sanya.suites.tasks.attached_tables import AttachedTables
from sanya.suites.tasks.importing.formats import open_task_file
from sanya.suites.tasks.importing.task_import import import_tasks
from sanya.suites.tasks.starter import load_starter
from tests.suites.tasks.harness import NOW, UTC_ZONE, TasksHarness, fill, open_harness, project, task

ROWS = [
    task("late", due_at="2025-01-10T10:00:00.000Z"),
    task("late-done", due_at="2025-01-10T10:00:00.000Z", status="DONE"),
    task("now", due_at="2025-01-16T12:00:00.000Z"),
    task("next", due_at="2025-01-20T00:00:00.000Z"),
    task("open"),
]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"due_before": "2025-01-16"}, {"late", "late-done"}),
        ({"due_before": "2025-01-16T12:00:00.001Z"}, {"late", "late-done", "now"}),
        ({"due_after": "2025-01-16T12:00:00Z"}, {"now", "next"}),
        ({"due_after": "2568-01-17"}, {"next"}),
        ({"due_after": "2025-01-10", "due_before": "2025-01-17", "status": "TODO"}, {"late", "now"}),
        ({"overdue": True}, {"late"}),
        ({"overdue": False}, {"late-done", "now", "next", "open"}),
        ({"overdue": True, "search": "nothing"}, set()),
    ],
)
async def test_tasks_are_found_by_their_due_date(
    database: Database, harness: TasksHarness, arguments: dict[str, Any], expected: set[str]
) -> None:
    await fill(database, ROWS)
    assert set(await harness.all_ids("get_tasks", 2, **arguments)) == expected


async def test_a_due_date_that_is_no_date_is_refused(harness: TasksHarness) -> None:
    for field in ("due_before", "due_after"):
        refused = await harness.refusal("get_tasks", {field: "tomorrow"})
        assert (refused.error["code"], refused.error["details"]["field"]) == ("INVALID_ARGUMENT", field)


async def test_a_cursor_belongs_to_its_due_filter(database: Database, harness: TasksHarness) -> None:
    await fill(database, ROWS)
    cursor = (await harness.call("get_tasks", limit=1, due_before="2025-02-01"))["next_cursor"]
    assert cursor
    refused = await harness.refusal("get_tasks", {"limit": 1, "due_before": "2025-01-16", "cursor": cursor})
    assert refused.error["code"] == "INVALID_ARGUMENT"


async def test_an_unknown_project_is_answered_with_the_nearest(database: Database, harness: TasksHarness) -> None:
    await fill(
        database, projects=[project("shop", name="ร้านกาแฟ"), project("home", name="Home repairs"), project("p9")]
    )
    assert (await harness.call("get_tasks", project_id="shpo"))["nearest_projects"] == ["shop (ร้านกาแฟ)"]
    assert (await harness.call("get_tasks", project_id="ร้านกาแฟ"))["nearest_projects"][0] == "shop (ร้านกาแฟ)"
    assert (await harness.call("get_tasks", project_id="repairs"))["nearest_projects"][0] == "home (Home repairs)"
    assert (await harness.call("get_tasks", project_id="shop"))["nearest_projects"] == []
    assert (await harness.call("get_tasks", project_id="zzzzzz"))["nearest_projects"] == []


async def test_a_review_lists_what_was_created_and_what_is_due(database: Database, harness: TasksHarness) -> None:
    rows = [
        *ROWS,
        task("new", created_at="2025-01-14T00:00:00.000Z", due_at="2025-01-18T00:00:00.000Z"),
        task("new-done", created_at="2025-01-15T00:00:00.000Z", status="DONE"),
    ]
    await fill(database, rows)
    review = await harness.call("get_weekly_review")
    assert [found["id"] for found in review["created_tasks"]] == ["new-done", "new"]
    assert {found["id"] for found in review["due_this_week_tasks"]} == {"new", "now"}
    assert len(review["created_tasks"]) == review["created_count"]
    assert len(review["due_this_week_tasks"]) == review["due_this_week_open_count"]
    short = await harness.call("get_weekly_review", item_limit=1)
    assert [found["id"] for found in short["created_tasks"]] == ["new-done"]


async def test_samples_are_marked_everywhere_and_gone_with_the_first_import(
    database: Database, harness: TasksHarness
) -> None:
    await load_starter(database)
    calls: dict[str, dict[str, Any]] = {
        "get_tasks": {},
        "search_tasks": {"query": "nothing like it"},
        "get_projects": {},
        "get_task_changelogs": {"task_id": "sample-sales-report"},
        "get_weekly_review": {"week_start_iso": "2025-06-02"},
    }
    for tool, arguments in calls.items():
        assert (await harness.call(tool, **arguments))["samples"] is True, tool
    review = await harness.call("get_weekly_review")
    assert next(iter(review)) == "notice"
    assert "sample tasks" in review["notice"]
    await import_tasks(database, open_task_file(b"- [ ] my own", UTC_ZONE, name="a.md").parse_rows(), now=NOW)
    (own,) = (await harness.call("get_tasks"))["items"]
    assert own["title"] == "my own"
    calls["get_task_changelogs"] = {"task_id": own["id"]}
    for tool, arguments in calls.items():
        body = await harness.call(tool, **arguments)
        assert body["samples"] is False, tool
        assert "sample" not in str(body.get("items", "")), tool
    assert (await harness.call("get_weekly_review"))["notice"] is None


async def test_whether_there_are_samples_is_asked_once_for_each_revision(
    database: Database, harness: TasksHarness
) -> None:
    await load_starter(database)
    statements: list[int] = []
    for _ in range(2):
        with collect_spans():
            assert (await harness.call("get_tasks", limit=3))["samples"] is True
            statements.append(len(read_spans()))
    assert statements == [2, 1]
    own = b"id,title,status\nsample-mine,Named like a sample,TODO\n"
    await import_tasks(database, open_task_file(own, UTC_ZONE, name="a.csv").parse_rows(), now=NOW)
    page = await harness.call("get_tasks", limit=3)
    assert ([item["id"] for item in page["items"]], page["samples"]) == (["sample-mine"], False)


SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE projects (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT, color TEXT,
    status TEXT NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'COMPLETED', 'ARCHIVED')),
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE tasks (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT, notes_markdown TEXT,
    project_id TEXT REFERENCES projects (id) ON DELETE SET NULL,
    status TEXT NOT NULL DEFAULT 'TODO' CHECK (status IN ('TODO', 'DOING', 'DONE', 'ARCHIVED')),
    priority TEXT NOT NULL DEFAULT 'NORMAL' CHECK (priority IN ('URGENT', 'NORMAL', 'LOW')),
    is_important INTEGER NOT NULL DEFAULT 0, due_at TEXT, remind_at TEXT, recurrence TEXT NOT NULL DEFAULT 'NONE',
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE task_changelogs (
    id TEXT PRIMARY KEY, task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    action TEXT NOT NULL CHECK (action IN ('CREATED', 'UPDATED', 'STATUS_CHANGED')),
    field_name TEXT, old_value TEXT, new_value TEXT, created_at TEXT NOT NULL);
CREATE INDEX idx_tasks_status ON tasks (status);
CREATE INDEX idx_changelogs_task ON task_changelogs (task_id, created_at DESC);
"""


def write_database(path: Path, count: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        connection.executemany(
            "INSERT INTO tasks (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
            [
                (f"t{number:03}", f"Task {number}", "2025-01-01T00:00:00Z", f"2025-01-02T00:{number % 60:02}:00Z")
                for number in range(count)
            ],
        )
        connection.commit()


async def test_pages_of_a_database_that_others_change_say_that_they_moved(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    write_database(path, 60)
    async with open_external_file(path) as database, open_harness(database, tables=AttachedTables(database)) as harness:
        first = await harness.call("get_tasks", limit=20)
        second = await harness.call("get_tasks", limit=20, cursor=first["next_cursor"])
        assert (first["moved"], second["moved"]) == (False, False)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE tasks SET updated_at = '2025-01-16T00:00:00Z' WHERE id IN ('t001', 't002')")
            other.commit()
        third = await harness.call("get_tasks", limit=20, cursor=second["next_cursor"])
        assert third["moved"] is True
        seen = {item["id"] for page in (first, second, third) for item in page["items"]}
        assert {f"t{number:03}" for number in range(60)} - seen == {"t001", "t002"}
        assert third["next_cursor"] is None
        again = await harness.call("get_tasks", limit=2)
        assert ([item["id"] for item in again["items"]], again["moved"]) == (["t002", "t001"], False)


async def test_an_attached_database_with_the_applications_schema_serves_every_tool(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    write_database(path, 3)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO projects (id, name, created_at, updated_at) "
            "VALUES ('p1', 'ร้าน', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z')"
        )
        connection.execute("UPDATE tasks SET project_id = 'p1', status = 'DONE' WHERE id = 't001'")
        connection.execute(
            "INSERT INTO task_changelogs "
            "VALUES ('c1', 't001', 'STATUS_CHANGED', 'status', 'TODO', 'DONE', '2025-01-14T00:00:00Z')"
        )
        connection.commit()
    async with open_external_file(path) as database, open_harness(database, tables=AttachedTables(database)) as harness:
        assert [item["id"] for item in (await harness.call("get_tasks", project_id="p1"))["items"]] == ["t001"]
        assert (await harness.call("get_tasks", project_id="p1x"))["nearest_projects"] == ["p1 (ร้าน)"]
        assert (await harness.call("get_projects"))["samples"] is False
        assert len((await harness.call("search_tasks", query="task"))["items"]) == 3
        assert len((await harness.call("get_task_changelogs", task_id="t001"))["items"]) == 1
        review = await harness.call("get_weekly_review")
        assert (review["completed_count"], review["samples"], review["notice"]) == (1, False, None)
