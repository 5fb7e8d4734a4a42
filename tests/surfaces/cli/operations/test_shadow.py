"""`sanya shadow`: differences between two engines, as a table and as JSON."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import Run


def test_past_calls_are_asked_of_both_and_what_differs_is_shown(
    sanya: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = home.parent / "second"
    refused = sanya("shadow", "run")
    assert refused.code == 1
    assert "Set shadow to" in refused.err
    monkeypatch.setenv("SANYA_SHADOW", str(second))
    missing = sanya("shadow", "run")
    assert missing.code == 1
    assert f"sanya migrate --to {second}" in missing.err

    for limit in (1, 2, 3):
        assert sanya("call", "get_tasks", f'{{"limit": {limit}}}').code == 0
    assert sanya("migrate", "--to", str(second)).code == 0
    same = sanya("shadow", "run", "--last", "2")
    assert (same.code, same.err) == (0, "")
    assert "2 of 2 compared calls have the same answer" in same.out

    with closing(sqlite3.connect(second / "sanya.db")) as database, database:
        database.execute("UPDATE tasks SET title = 'Another'")
    differing = sanya("shadow", "run", "--last", "3")
    assert differing.code == 1
    assert '$.items[0].title: "' in differing.out
    assert '"Another" in the shadow' in differing.out
    told = sanya("shadow", "run", "--last", "1", "--json").json
    assert told["clean"] is False
    assert [place["path"] for place in told["differences"][0]["places"]] == [f"$.items[{n}].title" for n in range(3)]
    assert len(sanya("audit", "list", "--json").out.splitlines()) == 3


def test_a_home_without_a_trial_says_how_to_begin_one(sanya: Run) -> None:
    report = sanya("shadow", "report")
    assert (report.code, report.out) == (0, "")
    assert "SANYA_SHADOW" in report.err
    assert sanya("shadow", "report", "--json").json == []
    assert sanya("shadow", "clear").code == 0
