from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sanya.engines.attached import open_attached
from sanya.engines.health import database_facts
from sanya.kernel.database import Database


async def test_a_healthy_database_needs_no_advice(database: Database) -> None:
    facts = await database_facts(database)
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
    async with open_attached(path) as database:
        facts = {fact.name: fact for fact in await database_facts(database)}
    assert "damaged" in facts["file"].found
    assert "backup" in facts["file"].advice


async def test_references_that_point_nowhere_come_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "orphans.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE a (id PRIMARY KEY); CREATE TABLE b (a REFERENCES a);")
        connection.execute("INSERT INTO b VALUES (2)")
        connection.commit()
    async with open_attached(path) as database:
        facts = {fact.name: fact for fact in await database_facts(database)}
    assert facts["references"].found == "1 rows point nowhere"
    assert facts["references"].advice
