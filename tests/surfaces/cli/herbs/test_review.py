"""`sanya herbs review`, as a pharmacist uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Ran, Run

pytestmark = pytest.mark.usefixtures("begun_home")

BY = ("--by", "ภญ. สมศรี")
# Ya Hom Nawakot with drugs of CYP3A4: doubtful, minor, theoretical.
STATEMENT = "ix-0014"


def review(sanya: Run, *words: str) -> Ran:
    return sanya("herbs", "review", *words)


def read_rows(sanya: Run, tool: str) -> list[dict[str, Any]]:
    assert sanya("audit", "verify").code == 0
    lines = sanya("audit", "list", "--tool", tool, "--json").out.splitlines()
    rows = [json.loads(line) for line in reversed(lines)]
    return [{**row, "input": json.loads(row["input"])} for row in rows]


def test_the_queue_lists_contraindications_first_and_narrows_by_herb(sanya: Run) -> None:
    listed = review(sanya, "list", "--limit", "3", "--json").json
    assert {statement["severity"] for statement in listed["statements"]} == {"contraindicated"}
    assert listed["total"] == listed["progress"]["open"] > 200
    narrowed = review(sanya, "list", "--herb", "ยาหอมนวโกฐ", "--limit", "200")
    assert STATEMENT in narrowed.out
    assert "ชุมเห็ดเทศ" not in narrowed.out
    assert review(sanya, "list", "--herb", "qqqq").code == 1


def test_a_card_shows_sources_with_addresses_and_why_it_is_doubtful(sanya: Run) -> None:
    shown = review(sanya, "show", STATEMENT, "--lang", "th").out
    for words in ("https://pubmed.ncbi.nlm.nih.gov/27776366/", "เหตุที่ยังน่าสงสัย", "ยังไม่ได้อ่านเนื้อหาของ pmid:27776366"):
        assert words in shown


def test_a_rejection_silences_the_check_is_in_the_ledger_and_can_be_undone(sanya: Run) -> None:
    check = ("herbs", "check", "--formulation", "ya-hom-nawakot", "--drug", "carbamazepine", "--json")
    before = sanya(*check).json["pairs"][0]["statement_ids"]
    assert STATEMENT in before
    decided = review(sanya, "reject", STATEMENT, *BY, "--reason", "the paper studied piperine alone")
    assert (decided.code, "ปฏิเสธโดย ภญ. สมศรี" in decided.out) == (0, True)
    assert STATEMENT not in sanya(*check).json["pairs"][0]["statement_ids"]
    assert review(sanya, "undo", STATEMENT, *BY).code == 0
    assert sanya(*check).json["pairs"][0]["statement_ids"] == before
    (row,) = read_rows(sanya, "herbs.review")
    assert (row["caller"], row["surface"], row["effect"], row["status"]) == ("owner", "cli", "write", "ok")
    assert (row["input"]["statement"], row["input"]["verdict"]) == (STATEMENT, "reject")
    assert row["input"]["reviewer"] == "ภญ. สมศรี"
    (undone,) = read_rows(sanya, "herbs.review.undo")
    assert undone["input"]["id"] == row["input"]["id"]


def test_an_official_warning_is_not_rejected_without_a_source(sanya: Run) -> None:
    listed = review(sanya, "list", "--evidence", "official", "--limit", "1", "--json").json
    id = listed["statements"][0]["id"]
    refused = review(sanya, "reject", id, *BY, "--reason", "no")
    assert (refused.code, "needs a source" in refused.err) == (1, True)
    (row,) = read_rows(sanya, "herbs.review")
    assert (row["status"], row["fault"]) == ("error", "invalid_argument")
    given = ("--source", "New monograph", "--url", "https://example.org/monograph")
    assert review(sanya, "reject", id, *BY, *given).code == 0


def test_a_correction_is_shown_by_the_check_with_its_reviewer(sanya: Run) -> None:
    review(sanya, "correct", STATEMENT, *BY, "--severity", "major", "--management-th", "วัดระดับยา", "--reason", "cases")
    body = sanya(
        "herbs", "check", "--formulation", "ya-hom-nawakot", "--drug", "carbamazepine", "--lang", "th", "--json"
    ).json
    statements = [item for result in body["results"] for item in result["statements"] if item["id"] == STATEMENT]
    assert (statements[0]["severity"], statements[0]["management"]) == ("major", "วัดระดับยา")
    assert statements[0]["decision"]["reviewer"] == "ภญ. สมศรี"


def test_decisions_move_to_another_home_by_a_file(sanya: Run, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    review(sanya, "accept", STATEMENT, *BY, "--source", "A monograph")
    assert review(sanya, "export", str(file)).code == 0
    assert json.loads(file.read_text("utf-8"))["statement"] == STATEMENT
    assert review(sanya, "export").out == file.read_text("utf-8")
    review(sanya, "undo", STATEMENT, *BY)
    again = file.read_text("utf-8").replace("A monograph", "Another monograph")
    file.write_text(again, encoding="utf-8")
    dry = review(sanya, "import", str(file), "--dry-run")
    assert ("new" in dry.out, "nothing was written" in dry.err) == (True, True)
    assert read_rows(sanya, "herbs.review.import") == []
    assert review(sanya, "import", str(file), "--json").json["written"] == 1
    assert review(sanya, "import", str(file), "--json").json["written"] == 0
    first, second = read_rows(sanya, "herbs.review.import")
    assert (first["input"]["written"], second["input"]["written"]) == (1, 0)


def test_a_wrong_line_is_named_and_nothing_is_written(sanya: Run, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    file.write_text('{"format": "sanya.herb-review/1"}\n', encoding="utf-8")
    ran = review(sanya, "import", str(file))
    assert ran.code == 1
    assert "line 1: " in ran.err
    assert "nothing was written" in ran.err
    assert review(sanya, "import", str(tmp_path / "missing")).code == 1


def test_an_address_needs_a_title(sanya: Run) -> None:
    ran = review(sanya, "accept", STATEMENT, *BY, "--url", "https://example.org")
    assert (ran.code, "--source before each --url" in ran.err) == (1, True)


def test_a_replay_says_that_the_data_changed(sanya: Run) -> None:
    sanya("herbs", "check", "--formulation", "ya-hom-nawakot", "--drug", "carbamazepine")
    (call,) = [
        json.loads(line)["id"]
        for line in sanya("audit", "list", "--tool", "tool.find_contraindications", "--json").out.splitlines()
    ]
    review(sanya, "reject", STATEMENT, *BY, "--reason", "another species")
    replayed = sanya("replay", call)
    assert "data" in replayed.out + replayed.err
    assert replayed.code != 0


def test_backup_and_restore_carry_decisions(sanya: Run, home: Path, tmp_path: Path) -> None:
    review(sanya, "reject", STATEMENT, *BY, "--reason", "another species")
    file = tmp_path / "backup.zip"
    backed_up = sanya("backup", str(file))
    assert backed_up.code == 0, backed_up.err
    other = tmp_path / "other"
    restored = sanya("--home", str(other), "restore", str(file))
    assert restored.code == 0, restored.err
    listed = sanya("--home", str(other), "herbs", "review", "list", "--state", "rejected", "--json").json
    assert [statement["id"] for statement in listed["statements"]] == [STATEMENT]
