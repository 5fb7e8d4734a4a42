"""A home is copied completely between any two engines."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg
import pytest

from sanya.engines.copying import compute_fingerprints, copy_all, list_differences
from sanya.engines.database import open_database
from sanya.engines.guest_schema import list_unowned_tables, migrate_guest
from sanya.engines.snapshot import Engine
from sanya.engines.tables import list_tables
from sanya.engines.vault import Vault
from sanya.kernel.calls.call import Progress
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.migrations import Migration
from sanya.suite.guest_store import Store

ROWS = 1100
_WRITE = "INSERT INTO retrieval_vectors (model_digest, content_hash, vector) VALUES (?, ?, ?)"


@pytest.fixture
def other_postgresql_url(postgresql_server: str) -> Iterator[str]:
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        schema = f"copy_target_{os.getpid()}"
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{postgresql_server}&options=-csearch_path%3D{schema}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(params=["sqlite", "postgresql"])
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Engine]:
    url = "" if request.param == "sqlite" else str(request.getfixturevalue("other_postgresql_url"))
    async with open_database(url, tmp_path / "target") as opened:
        yield opened


@pytest.fixture
async def source(database_url: str, home: Path) -> AsyncIterator[Engine]:
    async with open_database(database_url, home) as opened:
        await Vault(opened).get_secret("cursors")
        await fill(opened, ROWS)
        yield opened


async def fill(database: Engine, rows: int, model: str = "model") -> None:
    """Fill tables with bytes, Thai and NULL."""
    async with database.transaction() as transaction:
        await transaction.execute_many(
            _WRITE, [(model, number.to_bytes(4, "big"), bytes(range(number % 256))) for number in range(rows)]
        )
        await transaction.execute(
            "INSERT INTO herb_nodes (id, type, label_th, label_en, basis, review, sources, data, batch) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (f"{model}-ขมิ้น", "herb", "ขมิ้นชัน", None, "source", "reviewed", "[]", "{}", "starter"),
        )


async def test_the_tables_are_those_that_the_database_has(home: Path) -> None:
    async with open_database("", home) as database:
        for table in list_tables():
            rows = await database.fetch(f"SELECT name, pk FROM pragma_table_info('{table.name}') ORDER BY cid")
            assert [str(name) for name, _ in rows] == list(table.columns)
            assert {str(name) for name, pk in rows if pk} == set(table.key)
        names = await database.fetch(
            "SELECT name FROM sqlite_master "
            "WHERE type = 'table' AND name NOT LIKE 'schema_%' AND name NOT LIKE 'sqlite%'"
        )
        assert {str(name) for (name,) in names} == {table.name for table in list_tables()}


async def test_everything_arrives_on_any_engine_from_any(source: Engine, target: Engine) -> None:
    told: list[Progress] = []
    await copy_all(source, target, told.append)
    assert list_differences(await compute_fingerprints(source), await compute_fingerprints(target)) == []
    assert told[-1].done == told[-1].total == ROWS + 2


async def test_the_tables_of_a_guest_arrive_on_any_engine_from_any(source: Engine, target: Engine) -> None:
    terms = "CREATE TABLE guest_glossary_terms (\n    term TEXT PRIMARY KEY,\n    uses INTEGER NOT NULL\n) STRICT;"
    later = "ALTER TABLE guest_glossary_terms ADD COLUMN score REAL "
    await migrate_guest(source, "glossary", (Migration(1, "terms", terms), Migration(2, "score", later)))
    store = Store("glossary", source)
    async with store.transaction() as transaction:
        await transaction.execute("INSERT INTO guest_glossary_terms VALUES (?, ?, ?)", ("คำ", 3, 0.5))
    async with source.transaction() as stray:
        await stray.execute("CREATE TABLE stray (id INTEGER PRIMARY KEY)")
    assert await list_unowned_tables(source, source.dialect) == ["stray"]
    await copy_all(source, target)
    assert list_differences(await compute_fingerprints(source), await compute_fingerprints(target)) == []
    assert await Store("glossary", target).fetch("SELECT * FROM guest_glossary_terms") == [("คำ", 3, 0.5)]
    await migrate_guest(target, "glossary", (Migration(1, "terms", terms),))


async def test_an_older_guest_does_not_run_on_a_step_that_breaks_it(database: Database) -> None:
    first = Migration(1, "terms", "CREATE TABLE guest_glossary_terms (\n    term TEXT PRIMARY KEY\n) STRICT;")
    later = Migration(2, "end", "-- breaking: terms are words now\nDELETE FROM guest_glossary_terms WHERE term = '';")
    await migrate_guest(database, "glossary", (first, later))
    with pytest.raises(StoreUnavailable, match=r"newer version.*migration 2 \(terms are words now\)"):
        await migrate_guest(database, "glossary", (first,))


async def test_a_copy_that_broke_off_goes_on_and_ends_the_same(source: Engine, target: Engine) -> None:
    class BreaksOff(Exception):
        pass

    def break_off(progress: Progress) -> None:
        if progress.done > 500:
            raise BreaksOff

    with pytest.raises(BreaksOff):
        await copy_all(source, target, break_off)
    assert list_differences(await compute_fingerprints(source), await compute_fingerprints(target))
    await copy_all(source, target)
    assert list_differences(await compute_fingerprints(source), await compute_fingerprints(target)) == []


async def test_a_changed_row_is_a_difference(source: Engine, target: Engine) -> None:
    await copy_all(source, target)
    async with target.transaction() as transaction:
        await transaction.execute("UPDATE herb_nodes SET label_th = 'ขิง'")
    assert list_differences(await compute_fingerprints(source), await compute_fingerprints(target)) == [
        "herb_nodes: the rows differ"
    ]


async def test_another_home_is_never_written_over(source: Engine, target: Engine) -> None:
    await Vault(target).get_secret("cursors")
    with pytest.raises(StoreUnavailable, match="another home"):
        await copy_all(source, target)


async def test_rows_without_a_home_are_never_written_over(source: Engine, target: Engine) -> None:
    await fill(target, 1, "theirs")
    with pytest.raises(StoreUnavailable, match="already holds retrieval_vectors"):
        await copy_all(source, target)


async def test_a_snapshot_stands_still_while_others_write(source: Engine) -> None:
    async with AsyncExitStack() as stack:
        state = await stack.enter_async_context(source.snapshot())
        await asyncio.wait_for(fill(source, 7, "later"), 30)
        assert await state.fetch("SELECT COUNT(*) FROM retrieval_vectors") == [(ROWS,)]
    assert await source.fetch("SELECT COUNT(*) FROM retrieval_vectors") == [(ROWS + 7,)]
