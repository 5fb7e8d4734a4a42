"""The PostgreSQL engine without its server or driver."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

from sanya.engines.postgresql.database import PostgresqlDatabase
from sanya.engines.postgresql.pool import _MAX_CONNECTIONS

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i = ?"

Administrator = Callable[[str, tuple[object, ...]], object]


@pytest.fixture
async def postgresql(postgresql_url: str, home: Path) -> AsyncIterator[Database]:
    async with open_database(postgresql_url, home) as database:
        yield database


@asynccontextmanager
async def postgresql_database(url: str) -> AsyncIterator[PostgresqlDatabase]:
    database = PostgresqlDatabase(url, Breakers())
    await database.open()
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture
def administrator(postgresql_server: str) -> Iterator[Administrator]:
    """Read one value from the server directly, without our engine."""
    import psycopg

    with psycopg.connect(postgresql_server, autocommit=True) as connection:

        def ask(sql: str, params: tuple[object, ...] = ()) -> object:
            row = connection.execute(sql, params).fetchone()
            return None if row is None else row[0]

        yield ask


async def read_backend(database: Database) -> int:
    rows = await database.fetch("SELECT pg_backend_pid()")
    assert isinstance(rows[0][0], int)
    return rows[0][0]


def terminate(administrator: Administrator, pid: int) -> None:
    # Returns once the backend is gone, or after ten seconds.
    assert administrator("SELECT pg_terminate_backend(%s, 10000)", (pid,)) is True


async def test_a_read_survives_the_loss_of_its_connection(postgresql: Database, administrator: Administrator) -> None:
    lost = await read_backend(postgresql)
    terminate(administrator, lost)
    async with asyncio.timeout(30):
        assert await read_backend(postgresql) != lost


async def test_a_transaction_whose_connection_is_lost_is_a_fault_and_the_next_one_works(
    postgresql: Database, administrator: Administrator
) -> None:
    insert = "INSERT INTO revisions (suite, revision) VALUES (?, 1)"
    async with asyncio.timeout(30):
        with pytest.raises(StoreUnavailable) as caught:
            async with postgresql.transaction() as transaction:
                await transaction.execute(insert, ("a",))
                pid = (await transaction.fetch("SELECT pg_backend_pid()"))[0][0]
                assert isinstance(pid, int)
                terminate(administrator, pid)
                await transaction.execute(insert, ("b",))
        assert caught.value.retry_after_ms
        async with postgresql.transaction() as transaction:
            await transaction.execute(insert, ("c",))
    assert await postgresql.fetch("SELECT suite FROM revisions") == [("c",)]


async def test_cancellation_reaches_the_server(postgresql: Database, administrator: Administrator) -> None:
    marked = ENDLESS + " AND 'marked_by_test' <> ''"
    async with asyncio.timeout(30):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await postgresql.fetch(marked, (0,))
    running = (
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE %s AND pid <> pg_backend_pid()"
    )
    assert administrator(running, ("%marked_by_test%",)) == 0


async def pass_turns(turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


async def test_a_cancellation_that_comes_together_with_a_connection_is_not_lost(postgresql: Database) -> None:
    """A waiter gets a connection some turns of the loop after it was returned: at each of these turns a waiter is
    cancelled."""
    for turns in range(12):
        async with AsyncExitStack() as held:
            for _ in range(_MAX_CONNECTIONS - 1):
                await held.enter_async_context(postgresql.transaction())
            async with postgresql.transaction():
                waiting = asyncio.create_task(postgresql.fetch("SELECT 1"))
                await pass_turns(20)
            await pass_turns(turns)
            if waiting.cancel():
                with pytest.raises(asyncio.CancelledError):
                    await waiting
    assert await postgresql.fetch("SELECT 1") == [(1,)], "and no connection is lost with it"


async def test_the_binary_form_brings_the_same_numbers_texts_and_bytes(postgresql_url: str) -> None:
    sql = "SELECT ?::bigint, 7, ?::text, ?::bytea, NULL::text"
    values = (2**40, "ฟ้าทะลายโจร", bytes(range(256)))
    async with postgresql_database(postgresql_url) as database:
        for _ in range(4):  # first unprepared, then prepared
            assert await database.fetch_binary(sql, values) == await database.fetch(sql, values)


async def test_a_binary_read_cannot_write_and_leaves_the_connection_whole(postgresql_url: str) -> None:
    async with postgresql_database(postgresql_url) as database:
        with pytest.raises(Exception, match="nowhere"):
            await database.fetch_binary("SELECT * FROM nowhere")
        with pytest.raises(Exception, match="read-only"):
            await database.fetch_binary("CREATE TABLE written (n INTEGER)")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await database.fetch_binary(ENDLESS, (0,))
        assert [await database.fetch_binary("SELECT 1") for _ in range(12)] == [[(1,)]] * 12


async def test_work_apart_stands_outside_of_transactions_and_its_errors_are_faults(postgresql_url: str) -> None:
    async with postgresql_database(postgresql_url) as database:
        async with database.autocommit_connection() as connection:
            await connection.execute("CREATE TABLE large (n INTEGER)")
            await connection.execute("CREATE INDEX CONCURRENTLY large_by_n ON large (n)")
            await connection.fetch("SELECT set_config('maintenance_work_mem', '70MB', false)")
        assert await database.fetch("SHOW maintenance_work_mem") != [("70MB",)]
        with pytest.raises(StoreUnavailable) as raised:
            async with database.autocommit_connection() as connection:
                await connection.execute("DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$")
        assert raised.value.details["reason"] == "53100"


async def test_a_server_that_is_not_there_is_a_fault_for_its_owner(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(StoreUnavailable, match="check that it runs") as caught:
            async with asyncio.timeout(30), open_database(f"postgresql://u:hidden-word@127.0.0.1:{port}/x", home):
                pass
    assert "hidden-word" not in caught.value.message


async def test_an_address_that_cannot_be_read_is_a_fault_without_the_password(home: Path) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        async with open_database("postgresql://u:hidden-word@127.0.0.1:x/y?z", home):
            pass
    assert "hidden-word" not in caught.value.message


async def test_without_the_driver_the_fault_says_what_to_install(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for module in [name for name in sys.modules if name.startswith("sanya.engines.postgresql.database")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(StoreUnavailable, match=r"pip install 'sanya\[postgres\]'"):
        async with open_database("postgresql://127.0.0.1/x", home):
            pass


def test_placeholders_are_numbered_and_nothing_else_is_touched() -> None:
    from sanya.engines.postgresql.statements import number_placeholders

    sql = """SELECT ?, '?', "a?", $$ ? $$, $tag$ ? $tag$, 'it''s ?' -- ?\n, ? /* ? */ FROM t WHERE a = ?"""
    expected = """SELECT $1, '?', "a?", $$ ? $$, $tag$ ? $tag$, 'it''s ?' -- ?\n, $2 /* ? */ FROM t WHERE a = $3"""
    assert number_placeholders(sql) == expected
