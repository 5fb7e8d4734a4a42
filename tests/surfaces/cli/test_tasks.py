from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")

TODO = "(A) Call the bank +Home due:2026-11-20\nx 2026-10-05 2026-10-01 ส่งรายงาน +Work\nBroken due:2026-99-99\n"


@pytest.fixture
def todo(tmp_path: Path) -> Path:
    path = tmp_path / "todo.txt"
    path.write_text(TODO, encoding="utf-8")
    return path


def titles(sanya: Run) -> set[str]:
    return {task["title"] for task in sanya("call", "get_tasks").json["items"]}


def test_good_rows_land_and_each_bad_one_is_named_with_its_reason(todo: Path, sanya: Run) -> None:
    ran = sanya("tasks", "import", str(todo))
    assert ran.code == 1, "a row was left out"
    (refused,) = [line for line in ran.out.splitlines() if "2026-99-99 is not a date" in line]
    assert refused.split()[1] == "3"
    assert any("ส่งรายงาน" in title for title in titles(sanya))
    assert len(titles(sanya)) == 2


def test_the_same_file_twice_changes_nothing(todo: Path, sanya: Run) -> None:
    sanya("tasks", "import", str(todo))
    (report,) = sanya("tasks", "import", str(todo), "--json").json["files"]
    assert (report["created"], report["updated"], report["unchanged"]) == (0, 0, 2)


def test_a_dry_run_tells_all_and_changes_nothing(todo: Path, sanya: Run) -> None:
    before = titles(sanya)
    ran = sanya("tasks", "import", str(todo), "--dry-run", "--json")
    (report,) = ran.json["files"]
    assert (report["created"], report["rejected_count"]) == (2, 1)
    assert titles(sanya) == before
    assert "nothing was changed" in sanya("tasks", "import", str(todo), "--dry-run").out


def test_stdin_and_several_files_are_taken(todo: Path, tmp_path: Path, sanya_process: Run) -> None:
    (tmp_path / "more.csv").write_text("title,status\nWater the plants,TODO\n", encoding="utf-8")
    ran = sanya_process("tasks", "import", str(tmp_path / "more.csv"), "-", "--json", stdin=b"Sharpen the saw\n")
    assert ran.code == 0
    assert [(file["format"], file["created"]) for file in ran.json["files"]] == [("csv", 1), ("todotxt", 1)]


def test_the_format_can_be_given(tmp_path: Path, sanya: Run) -> None:
    (tmp_path / "list").write_text('[{"uuid": "u1", "description": "Fly", "status": "pending"}]', encoding="utf-8")
    ran = sanya("tasks", "import", str(tmp_path / "list"), "--format", "todotxt", "--json")
    assert ran.json["files"][0]["format"] == "todotxt"
    assert sanya("tasks", "import", "x", "--format", "xml").code == 2


def test_a_file_that_is_not_there_stops_all_before_anything_lands(todo: Path, sanya: Run) -> None:
    ran = sanya("tasks", "import", str(todo), "/nowhere/todo.txt")
    assert ran.code == 1
    assert ran.err == "sanya: /nowhere/todo.txt: no such file or directory\n"
    assert "Call the bank" not in titles(sanya)


def test_an_attached_database_is_not_written(
    todo: Path, tmp_path: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.db").touch()
    monkeypatch.setenv("SANYA_TASKS_DATABASE", str(tmp_path / "mine.db"))
    ran = sanya("tasks", "import", str(todo))
    assert ran.code == 1
    assert "tasks_database" in ran.err
