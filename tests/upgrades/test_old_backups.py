"""A backup of an older schema is restored by this version, and rows that were damaged in it are still found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanya.engines.backup_file import write_backup
from sanya.engines.database import open_database
from sanya.engines.schema import list_migrations, migrate, read_applied_migrations
from sanya.kernel.faults import StoreUnavailable
from sanya.settings import Settings
from sanya.transfer import back_up, restore

# The next step adds columns to the table that is filled here.
_STEPS = 15
_NAME = "INSERT INTO herb_names VALUES ('n', 'herb', 'ขิง', 'th', 'name', 'ขิง', 'งิข', 'k', 'b')"


@pytest.fixture
async def old_backup(tmp_path: Path) -> Path:
    file = tmp_path / "old.sanya"
    async with open_database("", tmp_path / "old", schema="keep") as database:
        await migrate(database, list_migrations()[:_STEPS])
        async with database.transaction() as transaction:
            await transaction.execute(_NAME)
        async with database.snapshot() as state:
            await write_backup(state, file)
    return file


async def test_rows_of_an_older_schema_arrive_in_this_one(old_backup: Path, database_url: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", database_url=database_url)
    assert (await restore(settings, old_backup)).tables["herb_names"].rows == 1
    async with open_database(settings.database_url, settings.home) as database:
        assert await database.fetch("SELECT name, exact_only FROM herb_names") == [("ขิง", 0)]


async def test_a_damaged_backup_of_an_older_schema_is_refused(old_backup: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(old_backup)) as connection, connection:
        connection.execute("UPDATE herb_names SET name = 'ข่า'")
    with pytest.raises(StoreUnavailable, match=r"damaged.*herb_names"):
        await restore(Settings(home=tmp_path / "home"), old_backup)


async def test_a_backup_keeps_the_schema_of_its_home(old_backup: Path, tmp_path: Path) -> None:
    await back_up(Settings(home=tmp_path / "old"), tmp_path / "again.sanya")
    async with open_database("", tmp_path / "old", schema="keep") as database:
        assert len(await read_applied_migrations(database)) == _STEPS
    assert (await restore(Settings(home=tmp_path / "home"), tmp_path / "again.sanya")).tables["herb_names"].rows == 1
