from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.schema import list_migrations, migrate, read_applied_migrations
from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.migrations import Migration
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
    newer = Migration(9999, "future", "CREATE TABLE future (id TEXT PRIMARY KEY) STRICT;")
    await migrate(database, (*list_migrations(), newer))
    with pytest.raises(StoreUnavailable, match=r"newer Sanya.*upgrade"):
        await migrate(database)


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
