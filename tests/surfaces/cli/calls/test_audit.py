from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def ledger(begun_home: Path, sanya: Run) -> Path:
    """A home with five calls: four answered, one refused."""
    for limit in (1, 2, 3, 501):
        sanya("call", "get_tasks", json.dumps({"limit": limit}))
    sanya("call", "get_projects")
    return begun_home


def tamper(home: Path, *statements: str) -> None:
    """Change the ledger as somebody with access to the file could."""
    with closing(sqlite3.connect(home / "sanya.db")) as connection, connection:
        connection.execute("DROP TRIGGER ledger_keeps_rows")
        connection.execute("DROP TRIGGER ledger_loses_no_rows")
        for statement in statements:
            connection.execute(statement)


def listed(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_newest_calls_come_first_and_pages_follow(ledger: Path, sanya: Run) -> None:
    first = sanya("audit", "list", "--limit", "2", "--json")
    assert [row["seq"] for row in listed(first.out)] == [5, 4]
    ran = sanya("audit", "list", "--limit", "2")
    assert "--before 4" in ran.err
    assert ran.out.splitlines()[0].split()[:2] == ["number", "id"]
    assert [row["seq"] for row in listed(sanya("audit", "list", "--before", "4", "--json").out)] == [3, 2, 1]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["--tool", "get_projects"], [5]),
        (["--status", "error"], [4]),
        (["--fault", "invalid_argument"], [4]),
        (["--surface", "cli", "--status", "ok"], [5, 3, 2, 1]),
        (["--caller", "nobody"], []),
        (["--suite", "tasks", "--limit", "1"], [5]),
    ],
)
def test_filters_combine(filters: list[str], found: list[int], ledger: Path, sanya: Run) -> None:
    assert [row["seq"] for row in listed(sanya("audit", "list", "--json", *filters).out)] == found


def test_a_call_is_shown_by_id_and_by_number(ledger: Path, sanya: Run) -> None:
    row = sanya("audit", "show", "2", "--json").json
    assert json.loads(row["input"])["limit"] == 2
    assert row["event"] == "GET_TASKS"
    assert sanya("audit", "show", row["id"], "--json").json == row
    assert row["out_hash"] in sanya("audit", "show", row["id"]).out


@pytest.mark.parametrize("words", ["show 99", "show call_none", "show east:1", "list --before 99"])
def test_an_unknown_call_is_said(words: str, ledger: Path, sanya: Run) -> None:
    ran = sanya("audit", *words.split())
    assert ran.code == 1
    assert "sanya audit list" in ran.err


def test_an_untouched_chain_holds(ledger: Path, sanya_process: Run) -> None:
    ran = sanya_process("audit", "verify")
    assert ran.code == 0
    assert ran.out.startswith("holds: 5 rows")


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["UPDATE ledger SET input = '{}' WHERE seq = 3"], "row 3 was altered"),
        (["UPDATE ledger SET data_revision = 77 WHERE seq = 2"], "row 2 was altered"),
        (["DELETE FROM ledger WHERE seq = 2"], "row 2 was removed"),
        (["DELETE FROM ledger WHERE seq = 5"], "row 5 was removed"),
        (["DELETE FROM ledger WHERE seq = 1"], "row 1 was removed"),
        (
            [
                "UPDATE ledger SET seq = 1000 WHERE seq = 2",
                "UPDATE ledger SET seq = 2 WHERE seq = 3",
                "UPDATE ledger SET seq = 3 WHERE seq = 1000",
            ],
            "row 2 was",
        ),
    ],
)
def test_verify_names_the_first_row_that_somebody_changed(
    statements: list[str], says: str, ledger: Path, sanya: Run
) -> None:
    tamper(ledger, *statements)
    ran = sanya("audit", "verify")
    assert ran.code == 1
    assert ran.out.startswith("broken: ")
    assert says in ran.out
    report = sanya("audit", "verify", "--json").json
    assert (report["ok"], report["row"]) == (False, int(says.split()[1]))


def test_a_noted_hash_finds_a_chain_that_was_cut_and_mended(ledger: Path, sanya: Run) -> None:
    noted = sanya("audit", "verify", "--json").json["head"]
    assert sanya("audit", "verify", "--expect", noted).code == 0
    sanya("call", "get_projects")
    assert sanya("audit", "verify", "--expect", noted).code == 0, "rows may be added after it"
    tamper(
        ledger,
        "DELETE FROM ledger WHERE seq >= 5",
        "UPDATE ledger_heads SET seq = 4, row_hash = (SELECT row_hash FROM ledger WHERE seq = 4)",
    )
    assert sanya("audit", "verify").code == 0, "by itself the shorter chain holds"
    ran = sanya("audit", "verify", "--expect", noted)
    assert ran.code == 1
    assert "was rewritten" in ran.out


def test_showing_an_altered_row_says_so(ledger: Path, sanya: Run) -> None:
    tamper(ledger, "UPDATE ledger SET input = '{}' WHERE seq = 3")
    ran = sanya("audit", "show", "3")
    assert ran.code == 1
    assert "altered" in ran.err


@pytest.mark.parametrize("words", [["list", "--limit", "0"], ["list", "--limit", "x"], []])
def test_bad_options_are_wrong_usage(words: list[str], home: Path, sanya: Run) -> None:
    assert sanya("audit", *words).code == 2
    assert not home.exists()
