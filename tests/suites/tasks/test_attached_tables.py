"""An attached SQLite task database is read in place, answers like our own, and is never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sanya
from sanya.engines.database import open_database
from sanya.engines.sqlite.external_file import open_external_file
from sanya.suites.tasks.attached_tables import AttachedTables
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS
from tests.long_form import often
from tests.suites.tasks.harness import TaskData, TasksHarness, change, fill, open_harness, project, task
from tests.suites.tasks.review_model import START, histories, review, shown

Attach = Callable[[], AbstractAsyncContextManager[TasksHarness]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "somebody's tasks.db"


@pytest.fixture
def attach(path: Path) -> Attach:
    @asynccontextmanager
    async def opened() -> AsyncIterator[TasksHarness]:
        async with (
            open_external_file(path) as database,
            open_harness(database, tables=AttachedTables(database)) as harness,
        ):
            yield harness

    return opened


def make(path: Path, tasks: list[TaskData], projects: list[TaskData], changes: list[TaskData]) -> None:
    """Write a database without our indexes; the columns are those of the rows."""
    with closing(sqlite3.connect(path)) as connection:
        for table, columns, rows in (
            ("tasks", TASK_COLUMNS, tasks),
            ("projects", PROJECT_COLUMNS, projects),
            ("task_changelogs", CHANGELOG_COLUMNS, changes),
        ):
            names = [name for name in columns if not rows or name in rows[0]]
            kinds = [f"{name} {'INTEGER' if name == 'is_important' else 'TEXT'}" for name in names]
            connection.execute(f"CREATE TABLE {table} ({', '.join(kinds)})")
            marks = ", ".join("?" for _ in names)
            connection.executemany(
                f"INSERT INTO {table} VALUES ({marks})", [[row[name] for name in names] for row in rows]
            )
        connection.commit()


async def test_the_shared_week_has_the_expected_counts(path: Path, attach: Attach, small_week: dict[str, Any]) -> None:
    make(path, small_week["tasks"], small_week["projects"], small_week["task_changelogs"])
    async with attach() as harness:
        body = await harness.call("get_weekly_review", week_start_iso=small_week["week_start_iso"])
    expected = small_week["expected"]
    assert len(body["completed_tasks"]) == expected.pop("completed_tasks_len")
    assert {name: body[name] for name in expected} == expected


ROWS = [
    task("t1", title="Prepare ก้าวแรก", is_important=1, updated_at="2025-01-03T00:00:00.000Z", project_id="p1"),
    task("t2", title="ซื้อน้ำ", status="DONE", updated_at="2025-01-04T00:00:00.000Z", due_at="2025-01-09T10:00:00.000Z"),
    task("t3", description="STRASSE", notes_markdown="x", updated_at="2025-01-03T00:00:00.000Z"),
    task("t4", status="DOING", updated_at="2025-01-02T00:00:00.500Z", project_id="p1"),
]
PROJECTS = [project("p1"), project("p2", status="ARCHIVED")]
CHANGES = [
    change("c1", "t2", "2025-01-08T00:00:00.000Z", "TODO", "DONE"),
    change("c2", "t2", "2025-01-07T00:00:00.000Z", None, None, action="CREATED", field_name=None),
    change(
        "c3", "t4", "2025-01-15T00:00:00.000Z", None, "2025-01-20T00:00:00.000Z", action="UPDATED", field_name="due_at"
    ),
]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("get_tasks", {}),
    ("get_tasks", {"status": "TODO"}),
    ("get_tasks", {"project_id": "p1", "status": "DOING"}),
    ("get_projects", {}),
    ("get_projects", {"status": "ARCHIVED"}),
    ("search_tasks", {"query": "straße"}),
    ("search_tasks", {"query": "น\u0e49\u0e4d\u0e32"}),
    ("get_task_changelogs", {"task_id": "t2"}),
    ("get_weekly_review", {"week_start_iso": "2025-01-06"}),
    ("get_weekly_review", {}),
]


@pytest.mark.parametrize("style", ["as ours", "without milliseconds", "with an offset", "as SQLite writes them"])
async def test_it_answers_like_our_own_tables_however_its_times_are_written(
    path: Path, home: Path, attach: Attach, style: str
) -> None:
    rewrite: Callable[[str], str] = {
        "as ours": lambda text: text,
        "without milliseconds": lambda text: text.replace(".000Z", "Z"),
        "with an offset": lambda text: text.replace("T00:00:00.000Z", "T07:00:00+07:00"),
        "as SQLite writes them": lambda text: text.replace("T", " ").replace(".000Z", ""),
    }[style]
    make(path, *([_rewritten(row, rewrite) for row in rows] for rows in (ROWS, PROJECTS, CHANGES)))
    async with open_database("", home) as database, attach() as harness, open_harness(database) as ours:
        await fill(database, ROWS, PROJECTS, CHANGES)
        for tool, arguments in CALLS:
            assert await harness.call(tool, **arguments) == await ours.call(tool, **arguments), (tool, arguments)
        assert await harness.all_ids("get_tasks", 1) == ["t2", "t3", "t1", "t4"]


def _rewritten(row: TaskData, rewrite: Callable[[str], str]) -> TaskData:
    return {
        name: rewrite(value) if isinstance(value, str) and value[:3] == "202" else value for name, value in row.items()
    }


async def test_text_that_is_not_utf8_is_shown_as_far_as_it_can_be_read(path: Path, attach: Attach) -> None:
    make(path, ROWS, PROJECTS, CHANGES)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tasks SET title = CAST(x'ff41' AS TEXT) WHERE id = 't1'")
        connection.execute("UPDATE projects SET name = CAST(x'e0b8' AS TEXT) WHERE id = 'p1'")
    async with attach() as harness:
        page = await harness.call("get_tasks")
        assert {item["id"]: item["title"] for item in page["items"]}["t1"] == "\ufffdA"
        assert [item["id"] for item in (await harness.call("search_tasks", query="\ufffda"))["items"]] == ["t1"]
        assert len(await harness.all_ids("get_tasks", 1)) == len(ROWS)
        assert (await harness.call("get_weekly_review", week_start_iso="2025-01-06"))["pending_count"] == 3
        assert {item["name"] for item in (await harness.call("get_projects"))["items"]} >= {"\ufffd"}


async def test_bytes_where_text_should_be_are_a_fault_that_names_the_row(path: Path, attach: Attach) -> None:
    make(path, ROWS, PROJECTS, CHANGES)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tasks SET title = x'ff41' WHERE id = 't1'")
    async with attach() as harness:
        for tool, arguments in (("get_tasks", {}), ("search_tasks", {"query": "a"})):
            refused = await harness.refusal(tool, arguments)
            assert (refused.error["code"], "'t1'" in refused.message) == ("UNAVAILABLE", True), refused.message


async def test_columns_that_may_be_missing_have_their_defaults(path: Path, attach: Attach) -> None:
    needed = ("id", "title", "status", "created_at", "updated_at")
    make(path, [{name: task("t1")[name] for name in needed}], [], [])
    async with attach() as harness:
        page = await harness.call("get_tasks")
        assert page["items"] == [{**task("t1"), "is_important": False}]
        assert (await harness.call("search_tasks", query="TASK"))["items"] == page["items"]
        assert (await harness.call("get_weekly_review"))["pending_count"] == 1


async def test_numbers_as_ids_are_shown_as_text(path: Path, attach: Attach) -> None:
    make(path, [task("t1")], [], [])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE tasks")
        connection.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title, status, created_at, updated_at)")
        at = "2025-01-01T00:00:00Z"
        connection.executemany("INSERT INTO tasks VALUES (?, 'x', 'TODO', ?, ?)", [(n, at, at) for n in (1, 2, 10)])
        connection.commit()
    async with attach() as harness:
        assert await harness.all_ids("get_tasks", 1) == ["2", "10", "1"]
        assert await harness.call("get_task_changelogs", task_id="10") == {
            "items": [],
            "next_cursor": None,
            "samples": False,
            "shortened": False,
        }


@pytest.mark.parametrize(
    ("statement", "tool", "named"),
    [
        ("DROP TABLE projects", "get_projects", "projects"),
        ("DROP TABLE task_changelogs", "get_weekly_review", "task_changelogs"),
        ("ALTER TABLE tasks DROP COLUMN updated_at", "get_tasks", "updated_at"),
        ("ALTER TABLE task_changelogs DROP COLUMN new_value", "get_weekly_review", "new_value"),
        ("UPDATE tasks SET status = 'WAITING'", "get_tasks", "WAITING"),
        ("UPDATE tasks SET updated_at = 'soon', created_at = 'long ago'", "get_tasks", "created_at"),
        ("UPDATE tasks SET is_important = 7", "get_tasks", "is_important"),
        ("UPDATE tasks SET title = x'ff'", "get_tasks", "title"),
    ],
)
async def test_what_is_missing_or_wrong_is_named(
    path: Path, attach: Attach, statement: str, tool: str, named: str
) -> None:
    make(path, [task("t1")], [project("p1")], [])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    async with attach() as harness:
        refused = await harness.refusal(tool, {})
    assert refused.error["code"] == "UNAVAILABLE"
    assert named in refused.error["message"]


async def test_a_table_that_is_missing_does_not_hinder_the_others(path: Path, attach: Attach) -> None:
    make(path, [task("t1")], [], [])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE task_changelogs")
    async with attach() as harness:
        assert len((await harness.call("get_tasks"))["items"]) == 1


async def test_a_row_without_a_time_of_change_counts_as_changed_when_it_was_created(path: Path, attach: Attach) -> None:
    make(path, [task("t1", updated_at=None), task("t2")], [], [])
    async with attach() as harness:
        assert await harness.all_ids("get_tasks", 1) == ["t2", "t1"]


async def test_nothing_of_it_is_changed(path: Path, attach: Attach) -> None:
    make(path, ROWS, PROJECTS, CHANGES)
    before = _state(path)
    async with attach() as harness:
        for tool, arguments in CALLS:
            await harness.call(tool, **arguments)
    assert _state(path) == before


def _state(path: Path) -> dict[str, str]:
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in path.parent.iterdir() if file.is_file()}


async def test_a_setting_puts_it_in_the_place_of_the_homes_tasks(path: Path, home: Path) -> None:
    make(path, ROWS, PROJECTS, CHANGES)
    async with sanya.open(home=home, tasks_database=str(path)) as app:
        page = await app.call("get_tasks", {})
    assert {item["id"] for item in page["items"]} == {"t1", "t2", "t3", "t4"}


async def test_changes_that_its_own_app_makes_are_seen(path: Path, attach: Attach) -> None:
    make(path, [task("t1")], [], [])
    async with attach() as harness:
        assert len((await harness.call("get_tasks"))["items"]) == 1
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE tasks SET title = 'ใหม่'")
            connection.commit()
        assert (await harness.call("get_tasks"))["items"][0]["title"] == "ใหม่"


@given(history=histories(whole=False), week=st.integers(-2, 5), now=st.integers(-24, 24 * 40))
@settings(max_examples=often(20, 80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_review_agrees_with_its_definitions_even_where_the_log_has_gaps(
    path: Path, attach: Attach, history: tuple[list[TaskData], list[TaskData]], week: int, now: int
) -> None:
    path.unlink(missing_ok=True)
    make(path, history[0], [], history[1])
    start, moment = START + timedelta(days=7 * week), START + timedelta(hours=now)
    async with attach() as harness:
        harness.clock[0] = moment
        body = await harness.call("get_weekly_review", week_start_iso=shown(start), item_limit=100)
    expected = review(*history, start, moment)
    assert {name: body[name] for name in expected} == expected
