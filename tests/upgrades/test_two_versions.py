"""Two versions of the code on one database: an upgrade in turn, a crash in the middle of it, and the way back."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.replicas.pair import Replica
from tests.upgrades.versions import LAST, THIS, Version, make_version

WAIT_S = 60.0
CHECKPOINT = "/tools/corpus.checkpoint.create"
ADDITIVE = {
    "labels": "-- additive\nCREATE TABLE labels (\n    id TEXT PRIMARY KEY,\n    name TEXT NOT NULL\n) STRICT;",
    "ranks": "-- additive\nALTER TABLE projects ADD COLUMN rank INTEGER;",
}
BREAKING = {**ADDITIVE, "words": "-- breaking: labels are numbers now\nDELETE FROM labels WHERE name = '';"}


@pytest.fixture
def later(tmp_path: Path) -> Version:
    return make_version(tmp_path / "later", ADDITIVE)


class Server:
    """A server of one version."""

    def __init__(self, version: Version, url: str, home: Path) -> None:
        environ = {"SANYA_DATABASE_URL": url, "SANYA_PORT": "0", "SANYA_GRPC": "off", "SANYA_LOG_FORMAT": "json"}
        self.client: httpx.Client | None = None
        self.replica = Replica(home.name, home, {**environ, **version.environ})
        self.replica.start()

    def serve(self) -> Server:
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.replica.wait_for_port()}", timeout=WAIT_S)
        return self

    def post(self, path: str, args: dict[str, str]) -> httpx.Response:
        assert self.client is not None
        answer = self.client.post(path, json={"args": args})
        assert answer.status_code == 200, answer.text
        return answer

    def write(self, name: str) -> str:
        answer = self.post(CHECKPOINT, {"name": name})
        return str(answer.json()["data"]["checkpoint_id"])

    def read(self) -> set[str]:
        answer = self.post("/tools/corpus.checkpoint.list", {})
        return {str(item["name"]) for item in answer.json()["data"]["checkpoints"]}

    def wait_for_end(self) -> str:
        """Wait until a server that must not start has ended, and return what it said."""
        assert self.replica.process is not None
        assert self.replica.process.wait(WAIT_S) != 0
        return self.replica.log()

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.client is not None:
            self.client.close()
        if self.replica.process is not None and self.replica.process.poll() is None:
            self.replica.stop(number)


@contextmanager
def running(*servers: Server) -> Iterator[None]:
    try:
        yield
    finally:
        for server in servers:
            server.stop(signal.SIGKILL)


def list_steps(connection: psycopg.Connection[Any]) -> list[int]:
    """Return the steps beyond those of this version."""
    rows = connection.execute("SELECT number FROM schema_migrations WHERE number > %s ORDER BY 1", (LAST,)).fetchall()
    return [int(number) for (number,) in rows]


def wait_for_steps(connection: psycopg.Connection[Any], steps: list[int]) -> None:
    until = time.monotonic() + WAIT_S
    while list_steps(connection) != steps:
        assert time.monotonic() < until, "the upgrade does not go on"
        time.sleep(0.05)


def test_servers_are_replaced_in_turn_through_a_crash_and_back(
    postgresql_url: str, tmp_path: Path, later: Version
) -> None:
    here = Server(THIS, postgresql_url, tmp_path / "here").serve()
    with running(here), psycopg.connect(postgresql_url, autocommit=True) as connection:
        here.write("before")
        with psycopg.connect(postgresql_url) as holder:
            # The second step waits for this lock, so the upgrade is killed between its steps.
            holder.execute("LOCK TABLE projects IN ACCESS SHARE MODE")
            crashed = Server(later, postgresql_url, tmp_path / "newer")
            wait_for_steps(connection, [LAST + 1])
            crashed.stop(signal.SIGKILL)
            holder.rollback()
        here.write("after the crash")
        newer = Server(later, postgresql_url, tmp_path / "newer")
        with running(newer):
            newer.serve()
            assert list_steps(connection) == [LAST + 1, LAST + 2]
            newer.write("by the newer")
            here.write("by the older beside it")
            written = {"before", "after the crash", "by the newer", "by the older beside it"}
            assert here.read() == newer.read() >= written
        here.stop()
        again = Server(THIS, postgresql_url, tmp_path / "again")
        with running(again):
            again.serve().write("after the way back")
            assert again.read() >= {*written, "after the way back"}
            connection.execute("INSERT INTO labels VALUES ('l-1', 'ขิง')")
            again.stop()
    check_backup_of_newer_tables(postgresql_url, tmp_path, later)


def check_backup_of_newer_tables(url: str, tmp_path: Path, later: Version) -> None:
    """The older version copies the newer one's tables, and the newer one restores them."""
    file = tmp_path / "by-the-older.sanya"
    copied = THIS.run_json(tmp_path / "here", "backup", str(file), SANYA_DATABASE_URL=url)
    assert copied["labels"]["rows"] == 1
    for version, home in ((THIS, tmp_path / "restored-here"), (later, tmp_path / "restored-later")):
        assert version.run_json(home, "restore", str(file))["labels"] == copied["labels"]
        verdict = version.run(home, "audit", "verify")
        assert verdict.returncode == 0, verdict.stdout + verdict.stderr


def test_a_step_that_cannot_be_undone_waits_for_its_backup(postgresql_url: str, tmp_path: Path) -> None:
    breaking = make_version(tmp_path / "breaking", BREAKING)
    home, url = tmp_path / "home", {"SANYA_DATABASE_URL": postgresql_url}
    written = THIS.run(home, "call", "corpus.checkpoint.create", '{"name": "kept"}', **url)
    assert written.returncode == 0, written.stderr
    refused = Server(breaking, postgresql_url, tmp_path / "refused").wait_for_end()
    assert "labels are numbers now" in refused and "sanya upgrade" in refused

    forecast = breaking.run_json(home, "upgrade", "--check", **url)
    assert [(step["name"], step["additive"]) for step in forecast["pending"]] == [
        ("labels", True),
        ("ranks", True),
        ("words", False),
    ]
    assert forecast["backup"]["needed"] and forecast["backup"]["rows"] > 0
    assert 0 < forecast["backup"]["bytes_at_most"] < forecast["backup"]["bytes_free"]

    done = breaking.run_json(home, "upgrade", **url)
    assert [step["name"] for step in done["applied"]] == ["labels", "ranks", "words"]
    assert breaking.run_json(home, "upgrade", **url) == {"applied": [], "backup": None}
    rejected = THIS.run(home, "call", "corpus.checkpoint.list", "{}", **url)
    assert rejected.returncode == 1 and "labels are numbers now" in rejected.stderr

    back = tmp_path / "back"
    assert THIS.run(back, "restore", done["backup"]).returncode == 0
    assert '"kept"' in THIS.run(back, "call", "corpus.checkpoint.list", "{}").stdout


def test_a_small_home_is_backed_up_by_itself(tmp_path: Path) -> None:
    breaking, home = make_version(tmp_path / "breaking", BREAKING), tmp_path / "home"
    assert THIS.run(home, "call", "corpus.checkpoint.create", '{"name": "kept"}').returncode == 0
    refused = breaking.run(home, "call", "corpus.checkpoint.list", "{}", SANYA_MIGRATE="false")
    assert refused.returncode == 1 and "sanya upgrade --check" in refused.stderr
    assert "restoring a backup alone" in breaking.run(home, "upgrade", "--check").stdout
    answered = breaking.run(home, "call", "corpus.checkpoint.list", "{}")
    assert '"kept"' in answered.stdout, answered.stderr
    (backup,) = (home / "backups").iterdir()
    assert backup.stat().st_mode & 0o077 == 0
    assert f"before-step-{LAST + 1}" in backup.name


def test_additive_steps_need_no_backup(tmp_path: Path, later: Version) -> None:
    home = tmp_path / "home"
    assert THIS.run(home, "call", "get_tasks").returncode == 0
    assert "No backup is needed" in later.run(home, "upgrade", "--check").stdout
    assert later.run_json(home, "upgrade")["backup"] is None
    assert not (home / "backups").exists()
    assert THIS.run(home, "call", "get_tasks").returncode == 0
