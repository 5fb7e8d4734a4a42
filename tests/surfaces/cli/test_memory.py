"""`sanya memory` from the import of notes to forgetting, on the packaged models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "trip.md"
    path.write_text("# Trip\n\n- Met Anna in Paris.\n- The xylophone cost 40 euro.\n", encoding="utf-8")
    return path


def test_memories_are_brought_in_found_shown_taken_out_and_forgotten(
    home: Path, tmp_path: Path, notes: Path, sanya: Run
) -> None:
    assert sanya("memory", "import", str(notes), "--json").json[0]["created"] == 2
    found = sanya("memory", "search", "what did the instrument cost", "--json").json["memories"]
    assert found[0]["content"] == "The xylophone cost 40 euro."
    memory_id = found[0]["id"]
    assert "trip.md" in sanya("memory", "show", memory_id).out
    assert len(sanya("memory", "timeline", "--json").json) == 2
    assert sanya("memory", "contradictions", "--json").json == []
    exported = tmp_path / "memory.jsonl"
    assert sanya("memory", "export", str(exported)).code == 0
    assert json.loads(exported.read_text("utf-8").splitlines()[0])["format"] == "sanya-memory"
    assert sanya("memory", "import", str(exported), "--json").json[0]["created"] == 0
    assert "is in the namespace owner" in sanya("memory", "import", str(exported), "--namespace", "other").err

    ran = sanya("memory", "forget", memory_id, "mem_none", "--json")
    assert (ran.code, ran.json) == (1, {"forgotten": [memory_id], "unknown": ["mem_none"]})
    assert not [path for path in home.rglob("*") if path.is_file() and b"xylophone" in path.read_bytes()]
    listed = sanya("audit", "list", "--json").out
    assert "memory.forget" in listed
    assert sanya("audit", "verify").code == 0
    assert sanya("memory", "show", memory_id).code == 1


def test_a_file_of_no_known_kind_is_explained(tmp_path: Path, sanya: Run) -> None:
    path = tmp_path / "picture.bin"
    path.write_text("no notes", encoding="utf-8")
    ran = sanya("memory", "import", str(path))
    assert ran.code == 1
    assert "--format" in ran.err
    assert sanya("memory", "import", str(tmp_path / "none.md")).code == 1
