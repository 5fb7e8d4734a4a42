from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.faults import StoreUnavailable


@pytest.fixture(params=["delete", "wal"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A database of another program, in either journal mode."""
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {request.param}")
        connection.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title)")
        connection.execute("INSERT INTO tasks (title) VALUES ('Straße'), (NULL), (5)")
        connection.commit()
    return path


@pytest.mark.parametrize("touches", [1, None])
async def test_an_attached_file_is_read(file: Path, touches: int | None) -> None:
    async with open_external_file(file) as database:
        rows = await database.fetch("SELECT fold(title) FROM tasks ORDER BY id", touches=touches)
    assert rows == [("strasse",), (None,), ("5",)]


async def test_what_its_owner_writes_is_seen_at_once(file: Path) -> None:
    async with open_external_file(file) as database:
        with closing(sqlite3.connect(file)) as owner:
            owner.execute("DELETE FROM tasks")
            owner.commit()
        assert await database.fetch("SELECT count(*) FROM tasks", touches=1) == [(0,)]


@pytest.mark.parametrize("touches", [1, None])
@pytest.mark.parametrize("change", ["DELETE FROM tasks RETURNING id", "PRAGMA user_version = 7", "DROP TABLE tasks"])
async def test_an_attached_file_is_never_changed(file: Path, change: str, touches: int | None) -> None:
    before = file.read_bytes()
    async with open_external_file(file) as database:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await database.fetch(change, touches=touches)
        with pytest.raises(StoreUnavailable, match="read-only"):
            async with database.transaction():
                pass
    assert file.read_bytes() == before


async def test_even_a_reader_who_allows_itself_to_write_cannot(file: Path) -> None:
    async with open_external_file(file) as database:
        await database.fetch("PRAGMA query_only = OFF", touches=1)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await database.fetch("DELETE FROM tasks RETURNING id", touches=1)


async def test_a_missing_file_is_named_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "nothing.db"
    with pytest.raises(StoreUnavailable, match=r"no database at .*nothing\.db"):
        async with open_external_file(path):
            pass
    assert not path.exists()


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no database"):
        async with open_external_file(tmp_path):
            pass


async def test_a_file_of_another_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk. " * 1000)
    with pytest.raises(StoreUnavailable, match="is not a SQLite database"):
        async with open_external_file(path):
            pass


@pytest.mark.parametrize("touches", [1, None])
async def test_a_table_that_is_not_there_is_a_fault_that_names_it(file: Path, touches: int | None) -> None:
    async with open_external_file(file) as database:
        with pytest.raises(StoreUnavailable, match="no such table: projects"):
            await database.fetch("SELECT 1 FROM projects", touches=touches)


async def test_a_path_with_odd_characters_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "งาน ? #1 100%.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tasks (id)")
    async with open_external_file(path) as database:
        assert await database.fetch("SELECT count(*) FROM tasks") == [(0,)]
