"""`sanya herbs ingest`: a file from its dry run into the graph and out again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

TEXT = "ฟ้าทะลายโจรใช้บรรเทาอาการเจ็บคอ ลูกใต้ใบแก้ไข้\nTurmeric is safe with warfarin.\n"


def test_a_person_looks_writes_finds_and_takes_back(sanya: Run, tmp_path: Path) -> None:
    assert "no ingests yet" in sanya("herbs", "jobs").err
    file = tmp_path / "ฟ้าทะลายโจร.txt"
    file.write_text(TEXT, "utf-8")
    dry = sanya("herbs", "ingest", str(file))
    assert dry.code == 0, dry.err
    assert "ฟ้าทะลายโจร ─treats→ เจ็บคอ" in dry.out
    assert "calls safe what is warned of" in dry.out
    assert "phyllanthus-urinaria" in dry.out
    assert "Nothing was written" in dry.err

    job_id = dry.err.split()[-1]
    real = sanya("herbs", "apply", job_id)
    assert real.code == 0, real.err
    written = real.err.split()[-1]
    shown = sanya("herbs", "path", "ฟ้าทะลายโจร", "herb-[treats]->indication", "--limit", "200").out
    assert "เจ็บคอ" in shown
    assert "Nothing new" in sanya("herbs", "ingest", str(file), "--apply").err
    assert "written as unreviewed" in sanya("herbs", "job", written, "--log").out
    listed = sanya("herbs", "jobs", "--json").json["jobs"]
    assert [job["dry_run"] for job in listed] == [False, False, True]

    assert "was rolled back" in sanya("herbs", "rollback", written).err
    assert sanya("herbs", "job", written, "--json").json["ending"] == "rolled_back"
    assert sanya("herbs", "apply", job_id).code == 0


def test_what_fails_is_said_and_the_exit_code_says_so_too(sanya: Run, tmp_path: Path) -> None:
    assert "file not found" in sanya("herbs", "ingest", str(tmp_path / "none.pdf")).err
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing more")
    ran = sanya("herbs", "ingest", str(broken))
    assert ran.code == 1
    assert "broken.pdf" in ran.err
    outside = sanya("call", "tool.ingest.run", f'{{"batch": [{{"uri": "{broken.as_uri()}"}}]}}').json
    assert outside["job"]["documents"][0]["error"]["code"] == "FORBIDDEN"
    assert sanya("herbs", "job", "job_none").code == 1


def test_a_job_that_was_left_is_finished_at_the_terminal(sanya: Run, home: Path) -> None:
    file = home / "inbox" / "a.txt"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, "utf-8")
    job_id = sanya("herbs", "ingest", str(file), "--json").json["job_id"]
    leave(home, job_id)
    resumed = sanya("herbs", "job", job_id, "--resume", "--json").json
    assert (resumed["status"], resumed["attempts"]) == ("done", 2)


def leave(home: Path, job_id: str) -> None:
    """Make the job look as if its worker was killed before it finished anything."""
    import sqlite3

    with sqlite3.connect(home / "sanya.db") as database:
        database.execute("DELETE FROM job_parts")
        database.execute(
            "UPDATE jobs SET state = 'running', claim = 'x', claimed_until = '2020-01-01T00:00:00.000Z' WHERE id = ?",
            (job_id,),
        )
    database.close()
