"""The promises of the database port, on both engines."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database

ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000000) "
    "SELECT count(*) FROM n WHERE i % ? = 1"
)
REVISIONS = "SELECT suite, revision FROM revisions ORDER BY suite"
INSERT = "INSERT INTO revisions (suite, revision) VALUES (?, ?)"


async def test_a_transaction_keeps_all_of_it(database: Database) -> None:
    async with database.transaction() as transaction:
        assert await transaction.execute(INSERT, ("a", 1)) == 1
        await transaction.execute_many(INSERT, [("b", 2), ("c", 3)])
        await transaction.run_all([(INSERT, ("d", 4)), ("UPDATE revisions SET revision = ? WHERE suite = ?", (9, "a"))])
        assert await transaction.fetch(REVISIONS) == [("a", 9), ("b", 2), ("c", 3), ("d", 4)]
    assert await database.fetch(REVISIONS) == [("a", 9), ("b", 2), ("c", 3), ("d", 4)]


async def test_a_transaction_that_fails_keeps_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("a", 1))
            raise ZeroDivisionError
    assert await database.fetch(REVISIONS) == []


async def test_a_statement_that_fails_undoes_the_whole_transaction(database: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)unique"):
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("a", 1))
            await transaction.execute(INSERT, ("a", 2))
    assert await database.fetch(REVISIONS) == []


async def test_what_is_to_follow_a_commit_follows_it_and_no_rollback(database: Database) -> None:
    seen: list[str] = []
    async with database.transaction() as transaction:
        await transaction.execute(INSERT, ("a", 1))
        transaction.on_commit(lambda: seen.append("first"))
        transaction.on_commit(lambda: seen.append("second"))
        assert seen == []
    assert seen == ["first", "second"]
    with pytest.raises(ZeroDivisionError):
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("b", 1))
            transaction.on_commit(lambda: seen.append("never"))
            raise ZeroDivisionError
    assert seen == ["first", "second"]


async def test_an_empty_transaction_is_fine(database: Database) -> None:
    async with database.transaction():
        pass


async def test_a_statement_after_its_transaction_is_refused(database: Database) -> None:
    async with database.transaction() as transaction:
        pass
    with pytest.raises(RuntimeError, match="has ended"):
        await transaction.execute(INSERT, ("a", 1))
    assert await database.fetch(REVISIONS) == []


async def test_a_cancelled_transaction_keeps_nothing_and_frees_the_writer(database: Database) -> None:
    written = asyncio.Event()

    async def write() -> None:
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("a", 1))
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    async with asyncio.timeout(20):
        await written.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("b", 2))
    assert await database.fetch(REVISIONS) == [("b", 2)]


async def test_a_read_outside_does_not_see_what_is_not_committed(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(INSERT, ("a", 1))
        assert await database.fetch(REVISIONS) == []
        assert await database.fetch(REVISIONS, touches=1) == []
    assert await database.fetch(REVISIONS) == [("a", 1)]
    assert await database.fetch(REVISIONS, touches=1) == [("a", 1)]


async def test_concurrent_changes_of_one_row_are_all_counted(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(INSERT, ("a", 0))

    async def add_one() -> None:
        async with database.transaction() as transaction:
            await transaction.execute("UPDATE revisions SET revision = revision + 1 WHERE suite = ?", ("a",))

    async with asyncio.timeout(30):
        await asyncio.gather(*(add_one() for _ in range(25)))
    assert await database.fetch(REVISIONS) == [("a", 25)]


async def test_more_reads_at_once_than_readers_all_answer(database: Database) -> None:
    async with asyncio.timeout(30):
        answers = await asyncio.gather(*(database.fetch("SELECT CAST(? AS INTEGER)", (n,)) for n in range(40)))
    assert answers == [[(n,)] for n in range(40)]


async def test_cancellation_stops_a_long_read(database: Database) -> None:
    async with asyncio.timeout(30):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await database.fetch(ENDLESS, (2,))
        # All readers are free again: no statement continues in the background.
        await asyncio.gather(*(database.fetch("SELECT 1") for _ in range(20)))


async def test_cancellation_stops_a_long_statement_of_a_transaction(database: Database) -> None:
    async with asyncio.timeout(30):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), database.transaction() as transaction:
                await transaction.execute(INSERT, ("a", 1))
                await transaction.fetch(ENDLESS, (2,))
        async with database.transaction() as transaction:
            await transaction.execute(INSERT, ("b", 2))
    assert await database.fetch(REVISIONS) == [("b", 2)]


@pytest.mark.parametrize("touches", [1, None])
async def test_a_fetch_cannot_write(database: Database, touches: int | None) -> None:
    with pytest.raises(Exception, match=r"(?i)read-?only"):
        await database.fetch("INSERT INTO revisions (suite, revision) VALUES ('a', 1) RETURNING suite", touches=touches)
    assert await database.fetch(REVISIONS) == []


@pytest.mark.parametrize("touches", [1, None])
async def test_a_mistake_in_sql_is_loud(database: Database, touches: int | None) -> None:
    with pytest.raises(Exception, match="no_such_table") as caught:
        await database.fetch("SELECT 1 FROM no_such_table", touches=touches)
    assert not isinstance(caught.value, StoreUnavailable)
    assert await database.fetch("SELECT 1") == [(1,)]


async def test_values_come_back_alike_on_both_engines(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(
            "CREATE TABLE things (t TEXT, i INTEGER, r REAL, b BLOB)"
            if database.dialect == "sqlite"
            else "CREATE TABLE things (t TEXT, i BIGINT, r DOUBLE PRECISION, b BYTEA)"
        )
        insert = "INSERT INTO things (t, i, r, b) VALUES (?, ?, ?, ?)"
        await transaction.execute(insert, ("ยา\n'?%s$1", 2**62, 0.1, b"\0\xff"))
        await transaction.execute(insert, (None, True, None, None))
    assert await database.fetch("SELECT t, i, r, b FROM things ORDER BY i DESC") == [
        ("ยา\n'?%s$1", 2**62, 0.1, b"\0\xff"),
        (None, 1, None, None),
    ]
    rows = await database.fetch("SELECT sum(i), avg(i), count(t), i = 1 FROM things WHERE i = ? GROUP BY i", (1,))
    assert rows == [(1, 1.0, 1 - 1, 1)]
    assert [type(value) for value in rows[0]] == [int, float, int, int]


async def test_question_marks_in_text_and_percent_signs_are_left_alone(database: Database) -> None:
    rows = await database.fetch("SELECT '?', 'it''s 100% ?', CAST(? AS TEXT) /* ? */ -- ?", ("%s",))
    assert rows == [("?", "it's 100% ?", "%s")]


async def test_text_sorts_by_code_point_on_both_engines(database: Database) -> None:
    words = ["b", "a", "B", "é", "z", "ก", "เก", "_", "a b", "ab", "A"]
    async with database.transaction() as transaction:
        await transaction.execute_many(INSERT, [(word, 1) for word in words])
    assert [suite for suite, _ in await database.fetch(REVISIONS)] == sorted(words)
    assert [suite for (suite,) in await database.fetch("SELECT suite FROM revisions WHERE suite > ?", ("z",))]


async def test_a_closed_database_says_so(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        pass
    for touches in (1, None):
        with pytest.raises(StoreUnavailable):
            await database.fetch("SELECT 1", touches=touches)
    with pytest.raises(StoreUnavailable):
        async with database.transaction():
            pass


async def test_an_address_of_another_kind_is_refused(home: Path) -> None:
    with pytest.raises(StoreUnavailable, match="postgresql://"):
        async with open_database("mysql://localhost/x", home):
            pass
