"""Receipts find what a chain cannot prove by itself: that somebody with the database wrote all of it anew."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def folder(begun_home: Path, tmp_path: Path, sanya: Run) -> Path:
    """A folder with two receipts: of row 3, and of row 6 after two calls and the row of the first receipt."""
    folder = tmp_path / "elsewhere"
    for limit in (1, 2, 3):
        sanya("call", "get_tasks", json.dumps({"limit": limit}))
    assert sanya("audit", "anchor", "--to", str(folder)).code == 0
    for limit in (4, 5):
        sanya("call", "get_tasks", json.dumps({"limit": limit}))
    assert sanya("audit", "anchor", "--to", str(folder)).code == 0
    return folder


def rewrite_ledger(home: Path, change: Callable[[list[dict[str, object]]], list[dict[str, object]]]) -> None:
    """Write the whole chain anew with other contents and the right hashes, as somebody with the database could."""
    from sanya.engines.ledger_rows import COLUMNS, read_link
    from sanya.kernel.ledger.chain import GENESIS, hash_link

    with closing(sqlite3.connect(home / "sanya.db")) as connection, connection:
        for trigger in ("ledger_keeps_rows", "ledger_loses_no_rows", "ledger_replaces_no_rows"):
            connection.execute(f"DROP TRIGGER {trigger}")
        links = [read_link(row) for row in connection.execute(f"SELECT {COLUMNS} FROM ledger ORDER BY seq")]
        rows = change([{"entry": link.entry, "link": link} for link in links])
        connection.execute("DELETE FROM ledger")
        prev, marks = GENESIS, ", ".join("?" * (COLUMNS.count(",") + 1))
        for seq, row in enumerate(rows, 1):
            entry, link = row["entry"], row["link"]
            row_hash = hash_link(prev, seq, entry, link.code_hash, link.data_revision)  # type: ignore[arg-type, attr-defined]
            values = ("main", seq, *entry, link.code_hash, link.data_revision, prev, row_hash)  # type: ignore[misc, attr-defined]
            connection.execute(f"INSERT INTO ledger ({COLUMNS}) VALUES ({marks})", values)
            prev = row_hash
        connection.execute("UPDATE ledger_heads SET seq = ?, row_hash = ?", (len(rows), prev))


def forge_caller(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{**rows[0], "entry": rows[0]["entry"]._replace(caller="key:other")}, *rows[1:]]  # type: ignore[attr-defined]


REWRITES = {
    "a row altered": (forge_caller, 3),
    "a row removed": (lambda rows: rows[1:], 3),
    "the end cut off": (lambda rows: rows[:4], 5),
    "everything removed": (lambda rows: [], 1),
}


def test_an_untouched_ledger_agrees_with_its_receipts(folder: Path, sanya: Run) -> None:
    sanya("call", "get_projects")
    ran = sanya("audit", "verify", "--anchors", str(folder))
    assert ran.code == 0, ran
    assert "2 receipts agree" in ran.out
    assert "row 6 of main" in ran.out
    assert sanya("audit", "verify", "--anchors", str(folder), "--json").json["receipts"]["count"] == 2
    assert sanya("audit", "verify", "--anchors", str(folder / "receipt-00000002.json")).code == 0
    row = json.loads(sanya("audit", "list", "--tool", "audit.anchor", "--limit", "1", "--json").out)
    assert json.loads(row["input"])["file"] == "receipt-00000002.json"


@pytest.mark.parametrize("way", REWRITES)
def test_a_whole_rewrite_is_found(way: str, begun_home: Path, folder: Path, sanya: Run) -> None:
    change, row = REWRITES[way]
    rewrite_ledger(begun_home, change)
    assert sanya("audit", "verify").code == 0, "by itself the new chain holds"
    ran = sanya("audit", "verify", "--anchors", str(folder), "--json")
    assert (ran.code, ran.json["ok"], ran.json["row"]) == (1, False, row)
    assert "receipt" in ran.json["problem"]


def test_rows_after_the_last_receipt_are_not_covered(begun_home: Path, folder: Path, sanya: Run) -> None:
    """The limit that the documents name: a rewrite of what came after the last receipt passes."""
    sanya("call", "get_projects")
    rewrite_ledger(begun_home, lambda rows: rows[:7])
    assert sanya("audit", "verify", "--anchors", str(folder)).code == 0


def remove_first(folder: Path) -> None:
    (folder / "receipt-00000001.json").unlink()


def empty(folder: Path) -> None:
    shutil.rmtree(folder)


def alter(folder: Path) -> None:
    path = folder / "receipt-00000002.json"
    path.write_text(path.read_text().replace('"seq":6', '"seq":5'))


def garble(folder: Path) -> None:
    (folder / "receipt-00000002.json").write_bytes(b"\xff{")


def sign_with_another_key(folder: Path) -> None:
    from sanya.engines.receipts import write_receipt
    from sanya.kernel.ledger.anchors import Anchor

    write_receipt(folder, [Anchor("main", 1, "0" * 64)], "2026-11-18T00:00:00.000Z", b"x" * 32)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (remove_first, "removed"),
        (empty, "no receipts"),
        (alter, "altered"),
        (garble, "not a receipt"),
        (sign_with_another_key, "another key"),
    ],
)
def test_receipts_that_were_tampered_with_are_refused(
    change: Callable[[Path], None], says: str, folder: Path, sanya: Run
) -> None:
    change(folder)
    ran = sanya("audit", "verify", "--anchors", str(folder))
    assert (ran.code, ran.out) == (1, "")
    assert says in ran.err


def test_a_key_that_was_replaced_is_found_and_a_noted_one_still_serves(
    begun_home: Path, folder: Path, tmp_path: Path, sanya: Run
) -> None:
    noted = sanya("audit", "anchor", "--to", str(tmp_path / "third"), "--json").json["public_key"]
    with closing(sqlite3.connect(begun_home / "sanya.db")) as connection, connection:
        connection.execute("DELETE FROM secrets WHERE name = 'ledger receipts'")
    assert "no key" in sanya("audit", "verify", "--anchors", str(folder)).err
    sanya("audit", "anchor", "--to", str(tmp_path / "new"))
    assert "another key" in sanya("audit", "verify", "--anchors", str(folder)).err
    assert sanya("audit", "verify", "--anchors", str(folder), "--anchor-key", noted).code == 0


def test_a_folder_must_be_named(begun_home: Path, sanya: Run) -> None:
    ran = sanya("audit", "anchor")
    assert ran.code == 1
    assert "receipts_folder" in ran.err
