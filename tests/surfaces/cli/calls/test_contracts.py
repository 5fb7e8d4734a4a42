from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from sanya.kernel.calls.stamp import digest
from sanya.kernel.canonical import to_canonical_json

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def folder(tmp_path: Path, sanya: Run) -> Path:
    """A folder with the contracts of this code."""
    folder = tmp_path / "contracts"
    assert sanya("contracts", "export", "--to", str(folder)).code == 0
    return folder


def put_in_place(folder: Path, contract: dict[str, Any]) -> None:
    """Publish a contract in this folder, lock included."""
    suite, tool = contract["suite"], contract["name"]
    (folder / suite / f"{tool}.json").write_text(json.dumps(contract), "utf-8")
    lock = json.loads((folder / "lock.json").read_text("utf-8"))
    lock["suites"][suite][tool] = digest(to_canonical_json(contract))
    (folder / "lock.json").write_text(json.dumps(lock), "utf-8")


def published(folder: Path) -> dict[str, Any]:
    contract: dict[str, Any] = json.loads((folder / "tasks" / "get_tasks.json").read_text("utf-8"))
    return contract


def test_this_code_is_as_published(sanya: Run) -> None:
    ran = sanya("contracts", "check")
    assert (ran.code, ran.err) == (0, "")
    assert "match the published ones" in ran.out


def test_every_schema_is_inlined_described_and_valid(folder: Path) -> None:
    files = sorted(folder.glob("*/*.json"))
    assert len(files) >= 5
    for file in files:
        contract = json.loads(file.read_text("utf-8"))
        assert "$ref" not in file.read_text("utf-8")
        for side in ("input", "output"):
            Draft202012Validator.check_schema(contract[side])
            assert all(field["description"] for field in contract[side]["properties"].values())


def test_a_field_that_the_lock_does_not_know_is_an_addition(folder: Path, sanya: Run) -> None:
    contract = published(folder)
    del contract["input"]["properties"]["search"]
    put_in_place(folder, contract)
    ran = sanya("contracts", "check", "--against", str(folder))
    assert ran.code == 1
    assert "additive  get_tasks: input.search is new (new_input_field)" in ran.out
    assert "sanya contracts export" in ran.out


def test_a_promise_that_the_code_no_longer_keeps_is_breaking(folder: Path, sanya: Run) -> None:
    contract = published(folder)
    contract["input"]["properties"]["limit"]["maximum"] = 1000
    put_in_place(folder, contract)
    ran = sanya("contracts", "check", "--against", str(folder), "--json")
    assert ran.code == 2
    assert ran.json == [
        {
            "tool": "get_tasks",
            "kind": "tightened_input_bound",
            "breaking": True,
            "where": "input.limit",
            "says": "maximum went from 1000 to 500",
        }
    ]


def test_a_breaking_change_is_not_published_by_accident(folder: Path, sanya: Run) -> None:
    contract = published(folder)
    contract["input"]["properties"]["limit"]["maximum"] = 1000
    put_in_place(folder, contract)
    ran = sanya("contracts", "export", "--to", str(folder))
    assert ran.code == 1
    assert "--allow-breaking" in ran.err
    assert sanya("contracts", "export", "--to", str(folder), "--allow-breaking").code == 0
    assert sanya("contracts", "check", "--against", str(folder)).code == 0


def test_a_folder_without_a_lock_says_what_to_do(tmp_path: Path, sanya: Run) -> None:
    ran = sanya("contracts", "check", "--against", str(tmp_path))
    assert ran.code == 1
    assert "lock.json is missing; run `sanya contracts export`" in ran.err


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["mcp"]], ids=["serve", "mcp"])
def test_a_server_that_breaks_a_promise_does_not_start(
    command: list[str], folder: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    contract = published(folder)
    contract["input"]["properties"]["limit"]["maximum"] = 1000
    put_in_place(folder, contract)
    monkeypatch.setattr("sanya.published_contracts.find_checkout_folder", lambda: folder)
    ran = sanya(*command)
    assert ran.code == 1
    assert "the code has 1 breaking contract change" in ran.err
    assert "get_tasks: input.limit maximum went from 1000 to 500" in ran.err
