from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.schema import list_migrations, migrate, read_applied_migrations, read_schema
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.migrations import Migration
from tests.engines.processes import finish, start

RECORD = "SELECT number, name, digest, applied_at FROM schema_migrations ORDER BY number"


async def test_a_fresh_database_has_every_step(database: Database) -> None:
    assert await read_applied_migrations(database) == {
        migration.number: migration.digest for migration in list_migrations()
    }


def test_steps_are_numbered_without_a_gap() -> None:
    assert [migration.number for migration in list_migrations()] == list(range(1, len(list_migrations()) + 1))


async def test_opening_again_changes_nothing(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        first = await database.fetch(RECORD)
    async with open_database(database_url, home) as database:
        assert await database.fetch(RECORD) == first


async def test_processes_that_start_at_once_do_not_collide(database_url: str, home: Path) -> None:
    processes = await asyncio.gather(*(start("open", database_url, home) for _ in range(3)))
    every = [str(migration.number) for migration in list_migrations()]
    assert await asyncio.gather(*map(finish, processes)) == [every, every, every]


async def test_a_database_of_a_newer_sanya_is_refused(database: Database) -> None:
    newer = Migration(9999, "future", "-- breaking: notes have days\nALTER TABLE revisions ADD COLUMN day TEXT;")
    await migrate(database, (*list_migrations(), newer))
    with pytest.raises(StoreUnavailable, match=r"newer Sanya.*9999 \(future\).*: notes have days; upgrade"):
        await migrate(database)


async def test_a_database_with_a_step_that_nobody_recorded_is_refused(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute("INSERT INTO schema_migrations VALUES (9999, 'future', 'd', '2026-01-01')")
    with pytest.raises(StoreUnavailable, match=r"newer Sanya.*migration 9999, .*upgrade"):
        await migrate(database)


async def test_this_version_runs_on_additive_steps_of_a_newer_one(database: Database) -> None:
    newer = Migration(9999, "future", "-- additive\nCREATE TABLE future (\n    id TEXT PRIMARY KEY\n) STRICT;")
    await migrate(database, (*list_migrations(), newer))
    await migrate(database)
    assert [step.name for step in (await read_schema(database))[-1:]] == ["future"]


def test_each_step_says_whether_the_version_before_can_run_on_it() -> None:
    for migration in list_migrations():
        assert migration.mark is not None, migration.name
        if migration.list_risky_statements() or not migration.is_additive:
            assert migration.reason, f"{migration.name} must say why it is {migration.mark[1]}"


@pytest.mark.parametrize(
    ("statement", "is_additive"),
    [
        ("CREATE TABLE things (\n    id TEXT PRIMARY KEY\n) STRICT;", True),
        ("CREATE INDEX things_by_day ON things (day);", True),
        ("DROP INDEX things_by_day;", True),
        ("ALTER TABLE things ADD COLUMN day TEXT;", True),
        ("ALTER TABLE things ADD COLUMN day TEXT NOT NULL DEFAULT '';", True),
        ("ALTER TABLE things ADD COLUMN day TEXT NOT NULL;", False),
        ("CREATE UNIQUE INDEX things_by_day ON things (day);", False),
        ("ALTER TABLE things DROP COLUMN day;", False),
        ("ALTER TABLE things RENAME TO objects;", False),
        ("UPDATE things SET day = '';", False),
        ("DELETE FROM things;", False),
        ("DROP TABLE things;", False),
        ("-- postgresql only\nDROP TABLE things;", False),
        ("CREATE TABLE days (\n    day TEXT PRIMARY KEY\n) STRICT;\n\nCREATE UNIQUE INDEX d ON days (day);", True),
    ],
)
def test_a_step_without_a_mark_is_additive_if_it_only_adds(statement: str, is_additive: bool) -> None:
    assert Migration(1, "step", statement).is_additive is is_additive


def test_the_mark_decides_and_is_no_part_of_the_digest() -> None:
    bare, marked = Migration(1, "s", "DELETE FROM t;"), Migration(1, "s", "-- additive: t was unused\nDELETE FROM t;")
    assert (bare.is_additive, marked.is_additive, marked.reason) == (False, True, "t was unused")
    assert bare.digest == marked.digest


async def test_a_step_that_was_altered_after_it_was_applied_is_refused(database: Database) -> None:
    first, *others = list_migrations()
    altered = Migration(first.number, first.name, first.text + "\n-- one more word\n")
    with pytest.raises(StoreUnavailable, match=r"migration 1 \(foundation\).*not the one"):
        await migrate(database, (altered, *others))


async def test_a_step_that_fails_leaves_no_trace(database: Database) -> None:
    broken = Migration(9999, "broken", "CREATE TABLE half (id TEXT) STRICT;\n\nCREATE TABLE half (id TEXT) STRICT;")
    with pytest.raises(Exception, match="already exists"):
        await migrate(database, (*list_migrations(), broken))
    assert 9999 not in await read_applied_migrations(database)
    with pytest.raises(Exception, match="half"):
        await database.fetch("SELECT 1 FROM half")


async def test_a_later_step_is_added_to_what_is_there(database: Database) -> None:
    later = Migration(
        9999, "later", "-- A comment alone is no statement.\n\nALTER TABLE revisions ADD COLUMN note TEXT;"
    )
    await migrate(database, (*list_migrations(), later))
    assert await database.fetch("SELECT note FROM revisions") == []


def test_a_step_is_worded_for_each_engine() -> None:
    text = """\
-- A table.
CREATE TABLE things (
    -- its name
    name TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    weight REAL,
    picture BLOB
) STRICT;

-- sqlite only
CREATE INDEX a ON things (size);

-- postgresql only
CREATE INDEX b ON things (size INTEGER);
"""
    step = Migration(1, "things", text)
    assert step.build_statements("sqlite")[1:] == ["CREATE INDEX a ON things (size);"]
    table, index = step.build_statements("postgresql")
    assert 'name TEXT COLLATE "C" PRIMARY KEY' in table
    assert "size BIGINT NOT NULL" in table
    assert "weight DOUBLE PRECISION" in table
    assert "picture BYTEA" in table
    assert "STRICT" not in table
    assert index == "CREATE INDEX b ON things (size INTEGER);"
