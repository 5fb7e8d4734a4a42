"""Pages: their order, filters and ends, also while tasks are imported."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.cursors import Cursors
from sanya.kernel.storage.database import Database
from sanya.suites.tasks.contract import MAX_ID_CHARS
from sanya.suites.tasks.importing.rows import ImportedTask
from sanya.suites.tasks.importing.task_import import import_tasks
from tests.long_form import often
from tests.suites.tasks.harness import NOW, TasksHarness, fill, open_harness, project, task

STATUSES = ("TODO", "DOING", "DONE", "ARCHIVED")


def moment(second: int) -> str:
    return f"2025-01-01T00:00:{second:02d}.000Z"


def many(count: int) -> list[dict[str, Any]]:
    """Return tasks of all kinds. Every third shares its timestamp with its neighbours, so that the id decides."""
    return [
        task(f"t{n:03d}", updated_at=moment(n // 3), status=STATUSES[n % 4], project_id=f"p{n % 3}" if n % 5 else None)
        for n in range(count)
    ]


def newest_first(rows: list[dict[str, Any]], **wanted: str) -> list[str]:
    kept = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return [row["id"] for row in sorted(kept, key=lambda row: (row["updated_at"], row["id"]), reverse=True)]


async def test_tasks_come_last_changed_first_then_by_id_descending(database: Database, harness: TasksHarness) -> None:
    rows = many(20)
    await fill(database, rows)
    page = await harness.call("get_tasks")
    assert [item["id"] for item in page["items"]] == newest_first(rows)
    assert page["next_cursor"] is None


@pytest.mark.parametrize(
    "wanted", [{}, {"status": "DOING"}, {"project_id": "p1"}, {"status": "DONE", "project_id": "p2"}]
)
@pytest.mark.parametrize("limit", [1, 7, 500])
async def test_pages_of_any_size_give_each_matching_task_once(
    database: Database, harness: TasksHarness, wanted: dict[str, str], limit: int
) -> None:
    rows = many(60)
    await fill(database, rows)
    assert await harness.all_ids("get_tasks", limit, **wanted) == newest_first(rows, **wanted)


async def test_a_page_too_large_for_its_connection_is_shortened_and_goes_on_where_it_ends(
    database: Database, harness: TasksHarness
) -> None:
    rows = many(120)
    await fill(database, rows)
    ids: list[str] = []
    cursor, shortened = None, set()
    while cursor is not None or not ids:
        outcome = await harness.kernel.call(
            Call("get_tasks", {"limit": 500, "cursor": cursor}, max_answer_bytes=12_000)
        )
        assert isinstance(outcome, Answered), outcome
        ids += [item["id"] for item in outcome.body["items"]]
        cursor = outcome.body["next_cursor"]
        shortened.add((outcome.body["shortened"], cursor is not None))
    assert ids == newest_first(rows)
    assert shortened == {(True, True), (False, False)}


async def test_one_task_too_large_for_its_connection_is_refused(database: Database, harness: TasksHarness) -> None:
    await fill(database, [task("long", description="x" * 9_000)])
    outcome = await harness.kernel.call(Call("get_tasks", {"limit": 5}, max_answer_bytes=5_000))
    assert isinstance(outcome, Refused)


async def test_the_last_page_has_no_cursor_even_when_it_is_exactly_full(
    database: Database, harness: TasksHarness
) -> None:
    await fill(database, many(6))
    first = await harness.call("get_tasks", limit=3)
    last = await harness.call("get_tasks", limit=3, cursor=first["next_cursor"])
    assert len(last["items"]) == 3
    assert last["next_cursor"] is None


@pytest.mark.parametrize("character", ["ก", "😀", '"', "\x01"])
async def test_a_page_may_end_at_the_longest_id_of_any_script(
    database: Database, harness: TasksHarness, character: str
) -> None:
    long = character * MAX_ID_CHARS
    await fill(database, [task("a"), task(long, updated_at=moment(1))])
    assert await harness.all_ids("get_tasks", 1) == [long, "a"]


async def test_a_whole_task_is_shown_with_a_boolean_and_utc_times(database: Database, harness: TasksHarness) -> None:
    row = task(
        "t1", title="ซื้อนม", description="2 ขวด", notes_markdown="- *fresh*", project_id="p1", status="DOING",
        priority="URGENT", is_important=1, due_at="2025-01-02T10:00:00.000Z", remind_at="2025-01-02T09:00:00.000Z",
        recurrence="WEEKLY",
    )  # fmt: skip
    await fill(database, [row])
    page = await harness.call("get_tasks")
    assert page["items"] == [{**row, "is_important": True}]


async def test_an_unknown_project_has_no_tasks(database: Database, harness: TasksHarness) -> None:
    await fill(database, many(5))
    assert await harness.call("get_tasks", project_id="nobody's") == {
        "items": [],
        "next_cursor": None,
        "samples": False,
        "shortened": False,
        "moved": False,
        "nearest_projects": [],
    }


async def test_projects_are_paged_and_filtered_by_status(database: Database, harness: TasksHarness) -> None:
    rows = [project(f"p{n}", updated_at=moment(n // 2), status=("ACTIVE", "COMPLETED")[n % 2]) for n in range(9)]
    await fill(database, projects=rows)
    assert await harness.all_ids("get_projects", 2) == newest_first(rows)
    assert await harness.all_ids("get_projects", 2, status="COMPLETED") == newest_first(rows, status="COMPLETED")
    page = await harness.call("get_projects", status="ARCHIVED")
    assert page == {"items": [], "next_cursor": None, "samples": False, "shortened": False, "moved": False}


@pytest.mark.parametrize(
    "other",
    [
        ("get_tasks", {"status": "TODO"}),
        ("get_tasks", {"project_id": "p1"}),
        ("get_tasks", {"search": "task"}),
        ("get_projects", {}),
        ("search_tasks", {"query": "task"}),
        ("get_task_changelogs", {"task_id": "t001"}),
    ],
)
async def test_a_cursor_of_another_query_is_refused(
    database: Database, harness: TasksHarness, other: tuple[str, dict[str, Any]]
) -> None:
    await fill(database, many(5))
    page = await harness.call("get_tasks", limit=2)
    tool, arguments = other
    refused = await harness.refusal(tool, {**arguments, "cursor": page["next_cursor"]})
    assert refused.error["code"] == "INVALID_ARGUMENT"
    assert refused.error["details"]["field"] == "cursor"


async def test_a_cursor_that_was_altered_or_made_elsewhere_is_refused(
    database: Database, harness: TasksHarness
) -> None:
    await fill(database, many(5))
    page = await harness.call("get_tasks", limit=2)
    good = page["next_cursor"]
    query = {"tool": "get_tasks", "status": None, "project_id": None, "text": None}
    foreign = Cursors(b"another secret").seal(query, [0, moment(1), "t001"])
    for cursor in (good[:-1] + ("A" if good[-1] != "A" else "B"), good + "A", foreign, "", "ไม่ใช่", "x" * 500):
        refused = await harness.refusal("get_tasks", {"limit": 2, "cursor": cursor})
        assert refused.error["code"] == "INVALID_ARGUMENT", cursor


async def test_a_cursor_keeps_its_place_when_the_page_size_changes(database: Database, harness: TasksHarness) -> None:
    rows = many(10)
    await fill(database, rows)
    first = await harness.call("get_tasks", limit=3)
    rest = await harness.call("get_tasks", limit=50, cursor=first["next_cursor"])
    assert [item["id"] for item in first["items"] + rest["items"]] == newest_first(rows)


EDITS = st.lists(
    st.tuples(st.integers(0, 5), st.lists(st.tuples(st.integers(0, 15), st.sampled_from(["a", "b", "c"])), min_size=1)),
    max_size=4,
)


@pytest.mark.parametrize("wanted", [{}, {"status": "TODO"}, {"search": "task"}])
@given(limit=st.integers(1, 4), edits=EDITS)
@settings(max_examples=often(12, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_every_task_is_seen_once_whatever_is_imported_between_the_pages(
    database: Database, wanted: dict[str, str], limit: int, edits: list[tuple[int, list[tuple[int, str]]]]
) -> None:
    """The model: 12 tasks stand before the first page. Imports change some of them and add others between the pages."""
    await _clear(database)
    await import_tasks(database, [_imported(n, "a") for n in range(12)], now=NOW)
    async with open_harness(database) as harness:
        page = await harness.call("get_tasks", limit=limit, **wanted)
        seen = [item["id"] for item in page["items"]]
        number = 0
        while page["next_cursor"] is not None:
            for at, changes in edits:
                if at == number:
                    now = NOW + timedelta(minutes=number + 1)
                    await import_tasks(database, [_imported(n, word) for n, word in dict(changes).items()], now=now)
            page = await harness.call("get_tasks", limit=limit, cursor=page["next_cursor"], **wanted)
            seen += [item["id"] for item in page["items"]]
            number += 1
    assert len(seen) == len(set(seen))
    assert {f"t{n}" for n in range(12)} <= set(seen)


def _imported(number: int, word: str) -> ImportedTask:
    """Old tasks have timestamps of their own; new ones may come anywhere in the order."""
    updated = NOW - timedelta(hours=number // 2) if number < 12 else NOW - timedelta(hours=number - 11, minutes=30)
    return ImportedTask(line=1, key=f"t{number}", title=f"Task {word}", created_at=updated)


async def _clear(database: Database) -> None:
    async with database.transaction() as transaction:
        for table in ("tasks", "projects", "task_changelogs", "revisions"):
            await transaction.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize(
    "wanted", [{}, {"status": "DOING"}, {"project_id": "p1"}, {"status": "DONE", "project_id": "p2"}]
)
async def test_no_page_needs_sorting_or_a_walk_over_the_table(home: Path, wanted: dict[str, str]) -> None:
    """Return SQLite's query plan of the deepest page."""
    async with open_database("", home) as database:
        await fill(database, many(60))
        asked = _Asked(database)
        async with open_harness(asked) as harness:
            await harness.all_ids("get_tasks", 5, **wanted)
        sql, params = asked.statements[-1]
        plan = [str(row[3]) for row in await database.fetch(f"EXPLAIN QUERY PLAN {sql}", params)]
    assert any(line.startswith("SEARCH listed USING INDEX tasks_by_") for line in plan), plan
    assert not any("TEMP B-TREE" in line or line.startswith("SCAN listed") for line in plan), plan


class _Asked:
    """A database that records the statements it runs."""

    def __init__(self, database: Database) -> None:
        self.dialect = database.dialect
        self.transaction = database.transaction
        self.statements: list[tuple[str, Any]] = []
        self._fetch = database.fetch

    async def fetch(self, sql: str, params: Any = (), *, touches: int | None = None) -> Any:
        self.statements.append((sql, params))
        return await self._fetch(sql, params, touches=touches)
