from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")


def forge_first_row(home: Path, assignment: str) -> None:
    """Make the first call look as if an older version made it; these tests do not verify the chain."""
    with closing(sqlite3.connect(home / "sanya.db")) as connection, connection:
        connection.execute("DROP TRIGGER ledger_keeps_rows")
        connection.execute(f"UPDATE ledger SET {assignment} WHERE seq = 1")


def test_an_unchanged_call_is_the_same(sanya_process: Run) -> None:
    sanya_process("call", "get_weekly_review", "{}")
    ran = sanya_process("replay", "1")
    assert ran.code == 0, ran.out
    assert ran.out.splitlines()[1] == "same"


def test_new_tasks_are_changed_data(tmp_path: Path, sanya_process: Run) -> None:
    sanya_process("call", "get_tasks", "{}")
    (tmp_path / "todo.txt").write_text("Buy milk\n", encoding="utf-8")
    assert sanya_process("tasks", "import", str(tmp_path / "todo.txt")).code == 0
    ran = sanya_process("replay", "1", "--json")
    assert ran.code == 1
    assert (ran.json["same"], ran.json["changed"]) == (False, ["data"])
    assert ran.json["then"]["out_hash"] != ran.json["now"]["out_hash"]
    assert ran.json["then"]["data_revision"] != ran.json["now"]["data_revision"]
    table = sanya_process("replay", "1").out.splitlines()
    assert table[1] == "changed: data"
    assert [line.split()[0] for line in table if line.endswith("≠")] == ["out_hash", "data_revision"]


@pytest.mark.parametrize(
    ("assignment", "changed"),
    [
        ("code_hash = 'older', out_hash = 'other'", ["code"]),
        ("contract_hash = 'older', out_hash = 'other'", ["contract"]),
        ("contract_hash = 'older', code_hash = 'older', out_hash = 'other'", ["contract", "code"]),
    ],
)
def test_another_code_or_contract_is_named(assignment: str, changed: list[str], home: Path, sanya: Run) -> None:
    sanya("call", "get_projects")
    forge_first_row(home, assignment)
    ran = sanya("replay", "1", "--json")
    assert (ran.code, ran.json["changed"]) == (1, changed)


def test_what_changed_without_effect_is_mentioned(home: Path, sanya: Run) -> None:
    sanya("call", "get_projects")
    forge_first_row(home, "code_hash = 'older'")
    ran = sanya("replay", "1")
    assert ran.code == 0
    assert "same (although code changed since)" in ran.out


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("effect = 'write'", "would write again"),
        ("redacted = 1", "without its secret arguments"),
        ("fault = 'rate_limited', status = 'error'", "rate_limited"),
    ],
)
def test_what_must_not_run_again_is_refused(assignment: str, says: str, home: Path, sanya: Run) -> None:
    sanya("call", "get_projects")
    forge_first_row(home, assignment)
    ran = sanya("replay", "1")
    assert (ran.code, ran.out) == (1, "")
    assert says in ran.err


def test_a_tool_that_is_gone_is_a_changed_contract(home: Path, sanya: Run) -> None:
    sanya("call", "get_projects")
    forge_first_row(home, "tool = 'get_nothing'")
    ran = sanya("replay", "1")
    assert ran.code == 1
    assert "changed: contract (the tool no longer exists)" in ran.out
    assert sanya("replay", "1", "--json").json["now"] is None


def test_an_unknown_call_is_said(sanya: Run) -> None:
    ran = sanya("replay", "call_none")
    assert ran.code == 1
    assert "sanya audit list" in ran.err
