"""`sanya backup`, `restore` and `migrate` of a home."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import Run

FILE = "monday.sanya"


@pytest.fixture
def filled(sanya: Run, tmp_path: Path) -> Path:
    home = tmp_path / "first"
    sent = sanya(
        "--home", str(home), "call", "send_memory", '{"content": "ขมิ้นชันอยู่ในตู้ยา", "source": {"type": "person"}}'
    )
    assert sent.code == 0, sent.err
    return home


def rows_of(sanya: Run, home: Path, *words: str) -> object:
    found = sanya("--home", str(home), *words, "--json")
    assert found.code == 0, found.err
    return found.json


def recall(sanya: Run, home: Path) -> str:
    found = sanya("--home", str(home), "call", "get_memory", '{"query": "ขมิ้นชันอยู่ที่ไหน"}')
    assert found.code == 0, found.err
    return found.out


def write_a_chain(sanya: Run, home: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as of_a_replica:
        of_a_replica.setenv("SANYA_REPLICA", name)
        assert sanya("--home", str(home), "call", "get_tasks", "{}").code == 0


def chains_of(sanya: Run, home: Path) -> list[str]:
    """Verify the ledger and return its chains."""
    verdict = sanya("--home", str(home), "audit", "verify", "--json")
    assert verdict.code == 0, verdict.out
    return [state["chain"] for state in verdict.json["chains"]]


def test_a_backup_restores_to_the_same_home(
    sanya: Run, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, second = tmp_path / FILE, tmp_path / "second"
    write_a_chain(sanya, filled, "east", monkeypatch)
    copied = rows_of(sanya, filled, "backup", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert rows_of(sanya, second, "restore", str(file)) == copied
    assert "ขมิ้นชันอยู่ในตู้ยา" in recall(sanya, second)
    assert chains_of(sanya, second) == ["main", "east"]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_damaged_backup_restores_nothing(sanya: Run, filled: Path, tmp_path: Path) -> None:
    file, second = tmp_path / FILE, tmp_path / "second"
    rows_of(sanya, filled, "backup", str(file))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM memories")
        connection.commit()
    refused = sanya("--home", str(second), "restore", str(file))
    assert refused.code == 1
    assert "the backup is damaged and nothing was restored: memories: 1 rows here, 0 there" in refused.err
    assert not (second / "sanya.db").exists()


@pytest.mark.parametrize("content", [b"", b"not a database at all", None])
def test_what_is_no_backup_is_refused(sanya: Run, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / FILE
    if content is not None:
        file.write_bytes(content)
    refused = sanya("--home", str(tmp_path / "second"), "restore", str(file))
    assert refused.code == 1
    assert "no file" in refused.err or "is not a backup" in refused.err


def test_a_home_that_holds_something_is_not_restored_into(sanya: Run, filled: Path, tmp_path: Path) -> None:
    file, second = tmp_path / FILE, tmp_path / "second"
    rows_of(sanya, filled, "backup", str(file))
    assert sanya("--home", str(second), "call", "get_tasks", "{}").code == 0
    refused = sanya("--home", str(second), "restore", str(file))
    assert refused.code == 1
    assert "another home" in refused.err


def test_a_home_that_does_not_exist_has_no_backup(sanya: Run, tmp_path: Path) -> None:
    refused = sanya("--home", str(tmp_path / "none"), "backup", str(tmp_path / FILE))
    assert refused.code == 1
    assert "there is no home" in refused.err


def test_a_home_moves_to_postgresql_and_back(
    sanya: Run, filled: Path, tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_a_chain(sanya, filled, "east", monkeypatch)
    moved = rows_of(sanya, filled, "migrate", "--to", postgresql_url)
    monkeypatch.setenv("SANYA_DATABASE_URL", postgresql_url)
    assert "ขมิ้นชันอยู่ในตู้ยา" in recall(sanya, filled)
    write_a_chain(sanya, filled, "west", monkeypatch)
    third = tmp_path / "third"
    back = rows_of(sanya, filled, "migrate", "--to", str(third))
    monkeypatch.delenv("SANYA_DATABASE_URL")
    assert isinstance(back, dict) and isinstance(moved, dict)
    assert back["herb_edges"] == moved["herb_edges"]
    # The recall, the call of the west, and its anchor.
    assert back["ledger"]["rows"] == moved["ledger"]["rows"] + 3
    assert "ขมิ้นชันอยู่ในตู้ยา" in recall(sanya, third)
    assert chains_of(sanya, third) == ["main", "east", "west"]


def test_a_home_does_not_move_to_an_engine_that_is_not_ours(sanya: Run, filled: Path) -> None:
    refused = sanya("--home", str(filled), "migrate", "--to", "mysql://db/x")
    assert refused.code == 1
    assert "--to takes a postgresql:// address, or a folder" in refused.err


def test_a_home_is_not_moved_to_where_it_is(sanya: Run, filled: Path) -> None:
    refused = sanya("--home", str(filled), "migrate", "--to", str(filled))
    assert refused.code == 1
    assert "already there" in refused.err
