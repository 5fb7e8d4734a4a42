"""The SQLite engine when its file, its disk or other programs misbehave."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.home import DATABASE_NAME
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database

INSERT = "INSERT INTO revisions (suite, revision) VALUES (?, ?)"
REVISIONS = "SELECT suite, revision FROM revisions ORDER BY suite"


@pytest.fixture
async def sqlite(home: Path) -> AsyncIterator[Database]:
    async with open_database("", home) as database:
        yield database


@pytest.fixture
def neighbour(sqlite: Database, home: Path) -> Iterator[sqlite3.Connection]:
    """Open the same file like another program."""
    with closing(sqlite3.connect(home / DATABASE_NAME, isolation_level=None, timeout=0)) as connection:
        yield connection


async def insert(database: Database, suite: str, revision: int = 1) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(INSERT, (suite, revision))


async def test_the_home_and_its_files_are_for_the_owner_alone(sqlite: Database, home: Path) -> None:
    await insert(sqlite, "a")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
    assert files == dict.fromkeys(("sanya.db", "sanya.db-wal", "sanya.db-shm"), 0o600)


async def test_every_commit_reaches_the_disk_before_it_returns(sqlite: Database) -> None:
    assert await sqlite.fetch("PRAGMA journal_mode") == [("wal",)]
    async with sqlite.transaction() as transaction:
        full = 2
        assert await transaction.fetch("PRAGMA synchronous") == [(full,)]
        assert await transaction.fetch("PRAGMA foreign_keys") == [(1,)]


async def test_a_transaction_that_a_statement_rolled_back_is_not_taken_for_committed(sqlite: Database) -> None:
    seen: list[str] = []
    async with sqlite.transaction() as transaction:
        await transaction.execute(INSERT, ("a", 1))
        transaction.on_commit(lambda: seen.append("never"))
        with pytest.raises(sqlite3.IntegrityError):
            await transaction.execute(INSERT.replace("INSERT", "INSERT OR ROLLBACK"), ("a", 2))
    assert await sqlite.fetch(REVISIONS) == []
    assert seen == []


async def test_a_writer_waits_for_a_neighbour_and_then_writes(sqlite: Database, neighbour: sqlite3.Connection) -> None:
    neighbour.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(insert(sqlite, "a"))
    await asyncio.wait([writing], timeout=0.2)
    assert not writing.done()
    assert await sqlite.fetch(REVISIONS, touches=1) == []
    neighbour.execute("COMMIT")
    async with asyncio.timeout(20):
        await writing
    assert await sqlite.fetch(REVISIONS) == [("a", 1)]


async def test_a_lock_that_is_never_released_is_a_fault_that_says_when_to_come_back(
    sqlite: Database, neighbour: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.engines.sqlite.database._WRITER_WAIT_S", 0.1)
    neighbour.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked by another program") as caught:
        await insert(sqlite, "a")
    assert caught.value.retry_after_ms
    neighbour.execute("ROLLBACK")
    await insert(sqlite, "b")
    assert await sqlite.fetch(REVISIONS) == [("b", 1)]


async def test_a_writer_who_waits_for_a_lock_can_be_cancelled(sqlite: Database, neighbour: sqlite3.Connection) -> None:
    neighbour.execute("BEGIN IMMEDIATE")
    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await insert(sqlite, "a")
    neighbour.execute("ROLLBACK")
    await insert(sqlite, "b")
    assert await sqlite.fetch(REVISIONS) == [("b", 1)]


async def test_a_file_that_another_program_keeps_for_itself_is_a_fault(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database("", home):
        pass
    monkeypatch.setattr("sanya.engines.sqlite.connection._WAL_WAIT_S", 0.1)
    with closing(sqlite3.connect(home / DATABASE_NAME, isolation_level=None)) as neighbour:
        neighbour.execute("PRAGMA locking_mode = EXCLUSIVE")
        neighbour.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnavailable, match="locked by another program"):
            async with asyncio.timeout(30), open_database("", home):
                pass


async def test_a_full_disk_is_a_fault_and_nothing_is_half_written(sqlite: Database) -> None:
    await insert(sqlite, "a")
    async with sqlite.transaction() as transaction:
        pages = (await transaction.fetch("PRAGMA page_count"))[0][0]
        await transaction.fetch(f"PRAGMA max_page_count = {pages!s}")
    with pytest.raises(StoreUnavailable, match="disk is full"):
        async with sqlite.transaction() as transaction:
            await transaction.execute_many(INSERT, [(f"{n:0200}", n) for n in range(1000)])
    assert await sqlite.fetch(REVISIONS) == [("a", 1)]
    async with sqlite.transaction() as transaction:
        await transaction.fetch("PRAGMA max_page_count = 1073741823")
        await transaction.execute_many(INSERT, [(f"{n:0200}", n) for n in range(1000)])
    assert await sqlite.fetch("SELECT count(*) FROM revisions") == [(1001,)]


async def test_a_file_that_cannot_be_written_is_a_fault_that_names_the_cure(sqlite: Database) -> None:
    async with sqlite.transaction() as transaction:
        await transaction.fetch("PRAGMA query_only = ON")
    with pytest.raises(StoreUnavailable, match="permissions"):
        await insert(sqlite, "a")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="file permissions do not bind this user")
async def test_a_home_without_permission_is_a_fault_that_names_the_cure(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnavailable, match="choose another"):
        async with open_database("", tmp_path / "home"):
            pass


async def test_a_file_in_place_of_the_home_is_a_fault_that_names_the_cure(home: Path) -> None:
    home.write_text("I am a file")
    with pytest.raises(StoreUnavailable, match="SANYA_HOME"):
        async with open_database("", home):
            pass


async def test_a_file_that_is_no_database_is_named(home: Path) -> None:
    home.mkdir()
    (home / DATABASE_NAME).write_bytes(b"This is not a database, but it is long enough to be one. " * 100)
    with pytest.raises(StoreUnavailable, match="is not a SQLite database"):
        async with open_database("", home):
            pass


async def test_a_damaged_file_is_a_fault_not_a_crash(home: Path) -> None:
    async with open_database("", home) as database:
        await insert(database, "a")
    path = home / DATABASE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreUnavailable, match="is damaged"):
        async with open_database("", home) as database:
            await insert(database, "b")


async def test_a_fault_of_a_call_does_not_tell_where_the_home_is(
    sqlite: Database, neighbour: sqlite3.Connection, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.engines.sqlite.database._WRITER_WAIT_S", 0.0)
    neighbour.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable) as caught:
        await insert(sqlite, "a")
    assert str(home.parent) not in caught.value.message


async def test_text_is_folded_in_sql_as_it_is_in_our_code(sqlite: Database) -> None:
    rows = await sqlite.fetch("SELECT fold(?), fold(?), fold(NULL)", ("STRASSE ÉTÉ", "Straße"), touches=1)
    assert rows == [("strasse été", "strasse", None)]
