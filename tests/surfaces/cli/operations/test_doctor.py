from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sanya as door

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Ran, Run


@pytest.fixture
def used_home(begun_home: Path) -> Path:
    """A home with three calls in its ledger."""

    async def use() -> None:
        async with door.open(begun_home) as app:
            for limit in (1, 2, 3):
                await app.call("get_tasks", {"limit": limit})

    asyncio.run(use())
    return begun_home


def found(ran: Ran, state: str) -> dict[str, Any]:
    return {finding["check"]: finding for finding in ran.json["findings"] if finding["state"] == state}


def change(home: Path, *statements: str) -> None:
    with closing(sqlite3.connect(home / "sanya.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_healthy_home_gets_a_tick_on_every_line(used_home: Path, sanya: Run) -> None:
    ran = sanya("doctor")
    assert ran.code == 0, ran.out
    assert "✗" not in ran.out
    assert "✓ ledger: 3 rows, the chain holds" in ran.out
    assert "✓ database: intact" in ran.out


def test_a_home_that_does_not_exist_yet_is_no_fault_and_is_not_made(home: Path, sanya: Run) -> None:
    ran = sanya("doctor", "--json")
    assert ran.code == 0
    assert {"home", "database"} <= set(found(ran, "note"))
    assert not home.exists()


def test_it_says_where_a_model_is_to_read_memories_and_none_is_set(
    home: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANYA_MEMORY_EXTRACTOR", "chat")
    ran = sanya("doctor", "--json")
    assert ran.code == 1
    assert "phrasing_url" in found(ran, "bad")["chat endpoint"]["found"]
    monkeypatch.setenv("SANYA_PHRASING_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("SANYA_PHRASING_MODEL", "some-model")
    assert "reads memories" in found(sanya("doctor", "--json"), "good")["chat endpoint"]["found"]


def test_it_says_what_scanned_pages_need_where_that_is_missing(
    used_home: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    noted = found(sanya("doctor", "--json"), "note")
    assert noted["scanned pages"]["advice"] == "Run: apt-get install tesseract-ocr tesseract-ocr-tha"


def test_looking_changes_nothing(used_home: Path, sanya: Run) -> None:
    before = (used_home / "sanya.db").read_bytes()
    sanya("doctor")
    assert (used_home / "sanya.db").read_bytes() == before


def make_a_file(home: Path) -> None:
    home.write_text("not a folder", encoding="utf-8")


def open_to_all(home: Path) -> None:
    home.mkdir()
    home.chmod(0o755)


def open_database_to_all(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.db").touch(0o644)
    (home / "sanya.db").chmod(0o644)


def no_database(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.db").write_bytes(b"this is a letter to my aunt, and not a database" * 100)
    (home / "sanya.db").chmod(0o600)


def bad_settings(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.toml").write_text("port = 'eighty'\n", encoding="utf-8")


def bad_time_zone(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.toml").write_text("time_zone = 'Bangkok/Asia'\n", encoding="utf-8")


def open_address_without_keys(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.toml").write_text("host = '192.0.2.1'\n", encoding="utf-8")
    (home / "sanya.db").touch(0o600)


def lost_tasks_database(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "sanya.toml").write_text("tasks_database = '/nowhere/tasks.db'\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("break_it", "check", "advice"),
    [
        (make_a_file, "home", "--home"),
        (open_to_all, "permissions", "chmod 700"),
        (open_database_to_all, "permissions", "chmod 600"),
        (no_database, "database", ""),
        (bad_settings, "settings", "Correct the setting there"),
        (bad_time_zone, "settings", "Correct the setting there"),
        (open_address_without_keys, "authentication", "sanya keys create"),
        (lost_tasks_database, "tasks database", "tasks_database"),
    ],
)
def test_a_broken_home_is_named_with_what_to_do(break_it: Any, check: str, advice: str, home: Path, sanya: Run) -> None:
    break_it(home)
    ran = sanya("doctor", "--json")
    assert ran.code == 1
    assert list(found(ran, "bad")) == [check]
    assert advice in found(ran, "bad")[check]["advice"]


@pytest.mark.parametrize(
    ("statements", "check", "says"),
    [
        (["UPDATE schema_migrations SET number = 9999 WHERE number = 1"], "schema", "newer Sanya"),
        (["UPDATE schema_migrations SET digest = 'x' WHERE number = 1"], "schema", "is not the one"),
        (
            ["DROP TRIGGER ledger_keeps_rows", "UPDATE ledger SET out_hash = in_hash WHERE seq = 2"],
            "ledger",
            "row 2 was altered",
        ),
        (["DROP TRIGGER ledger_loses_no_rows", "DELETE FROM ledger WHERE seq = 2"], "ledger", "row 2 was removed"),
        (["DROP TRIGGER ledger_keeps_rows"], "ledger", "not protected"),
        (["DELETE FROM tasks"], "rows", "every change belongs to a task"),
    ],
)
def test_a_database_that_somebody_changed_is_found_out(
    statements: list[str], check: str, says: str, used_home: Path, sanya: Run
) -> None:
    change(used_home, *statements)
    ran = sanya("doctor", "--json")
    assert ran.code == 1
    assert says in found(ran, "bad")[check]["found"]


def test_a_damaged_page_is_found(used_home: Path, sanya: Run) -> None:
    change(used_home, "PRAGMA wal_checkpoint(TRUNCATE)")
    path = used_home / "sanya.db"
    content = bytearray(path.read_bytes())
    content[4096 * 2 : 4096 * 2 + 512] = b"\xff" * 512
    path.write_bytes(bytes(content))
    ran = sanya("doctor", "--json")
    assert ran.code == 1
    assert "damaged" in found(ran, "bad")["database"]["found"]


def test_a_taken_port_is_said(home: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("SANYA_PORT", str(taken.getsockname()[1]))
        ran = sanya("doctor", "--json")
    assert "--port" in found(ran, "note")["address"]["advice"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_home_that_may_not_be_written_is_bad(home: Path, sanya: Run) -> None:
    home.mkdir(mode=0o500)
    assert "chmod u+rwx" in found(sanya("doctor", "--json"), "bad")["home"]["advice"]


def test_postgresql_is_looked_at_as_well(postgresql_url: str, sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_DATABASE_URL", postgresql_url)
    assert sanya("call", "get_projects").code == 0
    ran = sanya("doctor")
    assert ran.code == 0, ran.out
    assert "✓ ledger: 1 rows, the chain holds" in ran.out


def test_looking_at_postgresql_changes_nothing(
    postgresql_url: str, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.setenv("SANYA_DATABASE_URL", postgresql_url)
    ran = sanya("doctor", "--json")
    assert ran.code == 0, ran.out
    assert "The next call applies them" in found(ran, "note")["schema"]["advice"]
    with psycopg.connect(postgresql_url) as connection:
        tables = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()"
        assert connection.execute(tables).fetchone() == (0,)


def test_a_postgresql_that_does_not_answer_is_said_without_its_password(
    sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANYA_DATABASE_URL", "postgresql://me:hunter2@127.0.0.1:1/none?connect_timeout=2")
    for words in (["doctor", "--json"], ["call", "get_projects"]):
        ran = sanya(*words)
        assert ran.code == 1
        assert "hunter2" not in ran.out + ran.err


def test_engines_of_a_grown_home_are_looked_at(
    home: Path, sanya: Run, postgresql_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(replica: str) -> None:
        async with door.open(home, database_url=postgresql_url, replica=replica) as app:
            await app.call("get_projects")

    for replica in ("east", "west"):
        asyncio.run(use(replica))
    monkeypatch.setenv("SANYA_DATABASE_URL", postgresql_url)
    monkeypatch.setenv("SANYA_REDIS_URL", redis_url)
    ran = sanya("doctor", "--json")
    good = found(ran, "good")
    assert ran.code == 0, ran.out
    assert good["ledger"]["found"] == "4 rows, all 3 chains hold"
    assert all(word in good["database"]["found"] for word in ("PostgreSQL", "indexes", "clock"))
    assert all(word in good["Redis server"]["found"] for word in ("Redis", "clock"))
    monkeypatch.setenv("SANYA_REDIS_URL", "unix:///nowhere.sock")
    assert found(sanya("doctor", "--json"), "bad").keys() == {"Redis server"}
