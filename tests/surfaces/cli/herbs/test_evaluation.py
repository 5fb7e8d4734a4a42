"""`sanya eval`, in one home for all tests, because the first question indexes the graph."""

from __future__ import annotations

import json
import shutil
import webbrowser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

QUESTIONS = [
    {
        "text": "กินขมิ้นชันกับ warfarin ได้ไหม",
        "relevant": ["curcuma-longa"],
        "facts": [["curcuma-longa", "interacts_with", "drug:warfarin"]],
    },
    {"text": "Who won the 2018 World Cup?", "facts": []},
]


def _noted(opened: list[str], url: str) -> bool:
    opened.append(url)
    return True


def test_people_measure_their_own_questions_and_see_the_report(
    sanya: Run, indexed_home: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(indexed_home, home)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", partial(_noted, opened))
    assert "There are no evaluations yet" in sanya("eval", "list").out

    lines = tmp_path / "own.jsonl"
    lines.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), "utf-8")
    ran = sanya("eval", "run", str(lines), "--k", "5", "--open")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[0].split() == ["metric", "value", "before", "change", "n"]
    assert ran.out.splitlines()[1].split() == ["R@5", "1.000", "–", "–", "1"]
    (kept,) = (home / "reports").iterdir()
    assert f"report   {kept.resolve()}" in ran.out
    assert kept.read_text("utf-8").startswith("<!doctype html>")
    assert opened == [kept.resolve().as_uri()]

    whole, out = tmp_path / "own.json", tmp_path / "deep" / "page.html"
    whole.write_text(json.dumps({"questions": QUESTIONS}), "utf-8")
    again = sanya("eval", "run", str(whole), "--k", "5", "--out", str(out), "--json")
    assert again.json["repeated"]
    assert out.read_bytes() == kept.read_bytes()
    assert again.json["report_file"] == str(out.resolve())

    listed = sanya("eval", "list")
    assert kept.stem in listed.out
    assert [run["id"] for run in sanya("eval", "list", "--json").json] == [kept.stem]


def test_what_cannot_be_read_or_measured_is_said(sanya: Run, tmp_path: Path) -> None:
    missing = sanya("eval", "run", "curious")
    assert (missing.code, "is not smoke, curated or asked, and cannot be read" in missing.err) == (1, True)
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    assert "is not JSON" in sanya("eval", "run", str(broken)).err
    broken.write_text("[]", "utf-8")
    assert "params.questions" in sanya("eval", "run", str(broken)).err
