from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.health import compare_clocks, read_database_facts
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.storage.database import Database


async def test_a_healthy_database_needs_no_advice(database: Database) -> None:
    facts = await read_database_facts(database)
    assert [fact.advice for fact in facts] == [""] * len(facts)
    assert facts[0].found.lower().startswith(database.dialect)


async def test_damage_comes_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, text)")
        connection.executemany("INSERT INTO a (text) VALUES (?)", [("x" * 1000,) for _ in range(100)])
        connection.commit()
    whole = path.read_bytes()
    path.write_bytes(whole[:40960] + b"\xee" * 4096 + whole[45056:])
    async with open_external_file(path) as database:
        facts = {fact.name: fact for fact in await read_database_facts(database)}
    assert "damaged" in facts["file"].found
    assert "backup" in facts["file"].advice


async def test_references_that_point_nowhere_come_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "orphans.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE a (id PRIMARY KEY); CREATE TABLE b (a REFERENCES a);")
        connection.execute("INSERT INTO b VALUES (2)")
        connection.commit()
    async with open_external_file(path) as database:
        facts = {fact.name: fact for fact in await read_database_facts(database)}
    assert facts["references"].found == "1 rows refer to missing rows"
    assert facts["references"].advice


async def test_an_index_that_cannot_be_used_comes_with_advice(postgresql_url: str, home: Path) -> None:
    async with open_database(postgresql_url, home) as database:
        whole = {fact.name: fact for fact in await read_database_facts(database)}
        async with database.transaction() as transaction:
            await transaction.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'answers_by_expiry'::regclass"
            )
        broken = {fact.name: fact for fact in await read_database_facts(database)}
    assert (whole["indexes"].found.startswith("all "), whole["indexes"].advice) == (True, "")
    assert broken["indexes"].advice == "Run: REINDEX INDEX answers_by_expiry"


@pytest.mark.parametrize("ahead_s", [-100, 100])
def test_a_clock_that_is_far_off_comes_with_advice(ahead_s: int) -> None:
    assert compare_clocks(time.time(), time.time()).advice == ""
    assert compare_clocks(time.time(), time.time() + ahead_s).advice
