"""Every write of the owner outside tools leaves its row in the ledger: who, what, counts, a hash of the input."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import sanya as package
from sanya.surfaces.http.application import build_application
from tests.sources.eutils import article, article_set
from tests.sources.open_data import KEY, open_data_served
from tests.suites.funds.market import fund, write_folder
from tests.surfaces.http.conftest import ADDRESS, run_lifespan

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")

SECRET = "hunter2-never-show-this"
NOTES = "# Trip\n\n- The xylophone cost 40 euro.\n"


def read_rows(sanya: Run, tool: str) -> list[dict[str, Any]]:
    """The rows of a tool, oldest first, with their input parsed. The chain must hold whenever somebody looks."""
    assert sanya("audit", "verify").code == 0
    lines = sanya("audit", "list", "--tool", tool, "--json").out.splitlines()
    rows = [json.loads(line) for line in reversed(lines)]
    return [{**row, "input": json.loads(row["input"])} for row in rows]


def read_row(sanya: Run, tool: str) -> dict[str, Any]:
    (row,) = read_rows(sanya, tool)
    assert (row["caller"], row["surface"], row["effect"]) == ("owner", "cli", "write")
    return row


def hash_bytes(content: bytes) -> str:
    return sha256(content).hexdigest()


def test_an_import_of_funds_is_recorded(tmp_path: Path, sanya: Run) -> None:
    folder = write_folder(tmp_path / "funds", fund("GOOD RMF"), {"symbol": "X"})
    assert sanya("funds", "import", str(folder)).code == 1, "one file is refused"
    row = read_row(sanya, "funds.import")
    assert (row["suite"], row["status"], row["fault"]) == ("funds", "ok", None)
    assert row["input"]["name"] == "funds"
    assert row["input"]["counts"]["created"] == 1
    assert (row["input"]["counts"]["refused"], row["input"]["counts"]["skipped"]) == (1, 0)


def test_the_hash_of_funds_covers_every_file_that_was_read(tmp_path: Path, sanya: Run) -> None:
    folder = write_folder(tmp_path / "funds", fund("A RMF"), fund("B RMF"))
    sanya("funds", "import", str(folder))
    sanya("funds", "import", str(folder))
    (folder / "001.json").write_bytes((folder / "001.json").read_bytes() + b" ")
    sanya("funds", "import", str(folder))
    first, again, changed = (row["input"]["sha256"] for row in read_rows(sanya, "funds.import"))
    assert first == again != changed


def test_an_import_of_tasks_is_recorded_a_row_for_each_file(tmp_path: Path, sanya: Run) -> None:
    todo, more = tmp_path / "todo.txt", tmp_path / "more.csv"
    todo.write_text("Call the bank\nBroken due:2026-99-99\n", encoding="utf-8")
    more.write_text("title,status\nWater the plants,TODO\n", encoding="utf-8")
    sanya("tasks", "import", str(todo), str(more))
    first, second = read_rows(sanya, "tasks.import")
    assert (first["input"]["name"], second["input"]["name"]) == ("todo.txt", "more.csv")
    assert first["input"]["sha256"] == hash_bytes(todo.read_bytes())
    assert (first["input"]["format"], first["input"]["counts"]["created"]) == ("todotxt", 1)
    assert first["input"]["counts"]["rejected_count"] == 1
    assert "bank" not in json.dumps([first, second]), "counts and hashes, not the content"


def test_a_dry_run_writes_nothing_and_is_not_recorded(tmp_path: Path, sanya: Run) -> None:
    todo = tmp_path / "todo.txt"
    todo.write_text("Call the bank\n", encoding="utf-8")
    sanya("tasks", "import", str(todo), "--dry-run")
    assert read_rows(sanya, "tasks.import") == []


def test_an_import_of_papers_is_recorded_when_it_starts_and_when_it_ends(tmp_path: Path, sanya: Run) -> None:
    path = tmp_path / "update.xml"
    path.write_bytes(article_set([article(1), article(2)]))
    sanya("papers", "import", str(path))
    start, end = read_row(sanya, "papers.import.start"), read_row(sanya, "papers.import")
    assert start["request_id"] == end["request_id"] == start["id"]
    assert start["input"]["sha256"] == end["input"]["sha256"] == hash_bytes(path.read_bytes())
    assert start["input"]["name"] == end["input"]["name"] == "update.xml"
    assert (end["status"], end["input"]["counts"]["inserted"]) == ("ok", 2)


def test_an_import_of_memories_is_recorded_without_what_can_be_forgotten(tmp_path: Path, sanya: Run) -> None:
    notes = tmp_path / "xylophone-trip.md"
    notes.write_text(NOTES, encoding="utf-8")
    sanya("memory", "import", str(notes))
    row = read_row(sanya, "memory.import")
    assert row["input"]["sha256"] == hash_bytes(notes.read_bytes())
    assert row["input"]["counts"] == {"created": 1, "known": 0}
    assert (row["input"]["namespace"], row["redacted"]) == ("owner", True)
    for shown in (row, read_row(sanya, "memory.import.start")):
        assert "xylophone" not in json.dumps(shown)


def test_forgetting_is_recorded_the_same_way(tmp_path: Path, sanya: Run) -> None:
    notes = tmp_path / "trip.md"
    notes.write_text(NOTES, encoding="utf-8")
    sanya("memory", "import", str(notes))
    memory_id = sanya("memory", "timeline", "--json").json[0]["id"]
    sanya("memory", "forget", "mem_none")
    assert read_rows(sanya, "memory.forget") == [], "nothing was forgotten"
    sanya("memory", "forget", memory_id)
    row = read_row(sanya, "memory.forget")
    assert (row["input"], row["redacted"]) == ({"ids": [memory_id], "namespace": "owner"}, True)


def test_a_setting_is_recorded_with_its_value(sanya: Run) -> None:
    assert sanya("settings", "set", "time_zone", "Asia/Bangkok").code == 0
    row = read_row(sanya, "settings.set")
    assert (row["suite"], row["input"], row["redacted"]) == (
        "settings",
        {"name": "time_zone", "value": "Asia/Bangkok"},
        False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("thai_sec_key", SECRET), ("thai_sec_url", f"https://me:{SECRET}@sec.example"), ("entrez_api_key", SECRET)],
)
def test_a_secret_is_recorded_by_name_alone(name: str, value: str, home: Path, sanya: Run) -> None:
    assert sanya("settings", "set", name, value).code == 0
    row = read_row(sanya, "settings.set")
    assert (row["input"]["name"], row["redacted"]) == (name, True)
    assert "[redacted]" in row["input"]["value"]
    assert row["in_hash"] == row["out_hash"] == hash_bytes(json.dumps(row["input"], separators=(",", ":")).encode())
    holders = [path.name for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert holders == ["sanya.toml"]


def test_a_setting_that_is_refused_changes_nothing_and_is_not_recorded(home: Path, sanya: Run) -> None:
    assert sanya("settings", "set", "port", "x").code == 1
    assert not (home / "sanya.toml").exists()
    assert read_rows(sanya, "settings.set") == []


def test_a_setting_that_cannot_be_recorded_is_not_written(
    home: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANYA_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/none")
    ran = sanya("settings", "set", "port", "9000")
    assert ran.code == 1
    assert "was not changed" in ran.err
    assert not (home / "sanya.toml").exists()


def test_a_database_that_is_gone_can_be_replaced_by_setting_another(home: Path, sanya: Run) -> None:
    (home / "sanya.toml").write_text('database_url = "postgresql://nobody@127.0.0.1:9/none"\n', encoding="utf-8")
    assert sanya("settings", "set", "database_url", "").code == 0
    assert read_row(sanya, "settings.set")["input"]["name"] == "database_url"


def test_keys_are_recorded_without_their_secret(sanya: Run) -> None:
    key = sanya("keys", "create", "laptop", "--scope", "tasks:read").out.strip()
    _, key_id, secret = key.split("_", 2)
    created = read_row(sanya, "keys.create")
    assert created["input"] == {"calls_per_minute": 6000, "id": key_id, "name": "laptop", "scopes": ["tasks:read"]}
    sanya("keys", "revoke", key_id)
    revoked = read_row(sanya, "keys.revoke")
    assert revoked["input"] == {"id": key_id}
    assert secret not in json.dumps([created, revoked])


def test_watched_queries_are_recorded(sanya: Run) -> None:
    sanya("papers", "watch", "tea AND Thailand", "--every", "1w")
    sanya("papers", "watch", "tea AND Thailand", "--remove")
    sanya("papers", "watch")
    assert read_row(sanya, "papers.watch")["input"] == {"every_s": 604_800, "query": "tea AND Thailand"}
    assert read_row(sanya, "papers.unwatch")["input"] == {"query": "tea AND Thailand"}


async def test_a_sync_of_funds_is_recorded(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_data_served() as server:
        monkeypatch.setenv("SANYA_THAI_SEC_URL", server.url)
        monkeypatch.setenv("SANYA_THAI_SEC_KEY", KEY)
        ran = await asyncio.to_thread(sanya, "funds", "sync", "--since", "01/01/2568")
    assert ran.code == 0, ran.err
    row = await asyncio.to_thread(read_row, sanya, "funds.sync")
    assert (row["input"]["since"], row["input"]["counts"]["created"]) == ("2025-01-01", 2)
    assert await asyncio.to_thread(read_row, sanya, "funds.sync.start")


def test_an_import_that_fails_half_way_says_so(tmp_path: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanya.suites.papers.file_import.BATCH_ITEMS", 1)
    path = tmp_path / "broken.xml"
    whole = article_set([article(1), article(2)])
    path.write_bytes(whole[: whole.rindex(b"<PubmedArticle>") + 40])
    ran = sanya("papers", "import", str(path))
    assert ran.code == 1
    row = read_row(sanya, "papers.import")
    assert (row["status"], row["fault"]) == ("error", "invalid_argument")
    assert row["input"]["sha256"] == hash_bytes(path.read_bytes())
    assert row["input"]["progress"]["done"] > 0, "the first paper is stored"
    assert "counts" not in row["input"]


def test_a_single_transaction_that_fails_writes_nothing_and_says_so(
    tmp_path: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> bool:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr("sanya.suites.funds.importing.writer._Import.finish", fail)
    folder = write_folder(tmp_path / "funds", fund("GOOD RMF"))
    assert sanya("funds", "import", str(folder)).code == 1
    row = read_row(sanya, "funds.import")
    assert (row["status"], row["fault"]) == ("error", "internal")
    assert "disk" not in json.dumps(row), "an unexpected error may hold anything"
    assert "GOOD RMF" not in sanya("funds", "list").out


_KILLED = """
import os, signal, sys
from sanya.suites.papers import file_import
from sanya.surfaces.cli.main import main

take, taken = file_import._take_batch, []
def take_or_die(items):
    taken.append(1)
    if len(taken) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return take(items)
file_import.BATCH_ITEMS, file_import._take_batch = 1, take_or_die
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_an_import_that_was_killed_has_a_row_from_its_start(tmp_path: Path, home: Path, sanya: Run) -> None:
    path = tmp_path / "update.xml"
    path.write_bytes(article_set([article(1), article(2)]))
    command = [sys.executable, "-c", _KILLED, "--home", str(home), "papers", "import", str(path)]
    assert subprocess.run(command, check=False, timeout=60).returncode == -signal.SIGKILL
    assert read_row(sanya, "papers.import.start")["input"]["sha256"] == hash_bytes(path.read_bytes())
    assert read_rows(sanya, "papers.import") == []
    assert sanya("papers", "import", str(path)).code == 0
    assert read_row(sanya, "papers.import")["input"]["counts"]["resumed_at"] == 1


async def test_the_ledger_of_the_console_shows_them(home: Path, sanya: Run) -> None:
    await asyncio.to_thread(sanya, "settings", "set", "time_zone", "Asia/Bangkok")
    async with package.open(home) as app:
        application = build_application(app)
        transport = httpx.ASGITransport(app=application)
        async with run_lifespan(application), httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            listed = (await client.get("/console/api/ledger", params={"tool": "settings.set"})).json()
            shown = (await client.get("/console/api/call", params={"id": listed["calls"][0]["id"]})).json()
    assert [call["tool"] for call in listed["calls"]] == ["settings.set"]
    assert (shown["intact"], json.loads(shown["input"])["name"]) == (True, "time_zone")
    assert "write" in shown["not_replayable"]
