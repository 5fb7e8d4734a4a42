"""`sanya suite`: a new package works at once, publishes its contracts, and is checked as ours are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


class NewPackage:
    """A package that `sanya suite new` wrote, with the metadata that an installer would write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run("new", "notes", "--to", str(folder))
        metadata = folder / "sanya_notes-0.1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sanya-notes\nVersion: 0.1.0\n", "utf-8")
        (metadata / "entry_points.txt").write_text("[sanya.suites]\nnotes = sanya_notes:SUITE\n", "utf-8")

    def run(self, *arguments: str, module: tuple[str, ...] = ("sanya", "suite")) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *module, *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        where = self.folder if self.folder.exists() else None
        return subprocess.run(command, env=environment, cwd=where, capture_output=True, text=True, timeout=180)

    def change(self, file: str, old: str, new: str) -> None:
        path = self.folder / "sanya_notes" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def package(tmp_path: Path) -> NewPackage:
    return NewPackage(tmp_path / "sanya-notes")


def test_the_tests_of_a_new_package_pass_at_once(package: NewPackage) -> None:
    tested = package.run("-q", "-p", "no:cacheprovider", module=("pytest",))
    assert tested.returncode == 0, tested.stdout
    assert "7 passed" in tested.stdout


def test_a_locked_package_passes_and_a_broken_contract_is_named(package: NewPackage) -> None:
    unlocked = package.run("check", "notes")
    assert (unlocked.returncode, "ships no published contracts" in unlocked.stdout) == (1, True)
    assert package.run("lock", "notes").returncode == 0
    assert (package.folder / "sanya_notes/contracts/proto_numbers.json").is_file()
    checked = package.run("check", "notes")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "made-up inputs, lock, GraphQL, gRPC and parity on all surfaces hold" in checked.stdout
    package.change("contract.py", "max_length=200", "max_length=100")
    broken = package.run("check", "notes")
    assert broken.returncode == 1
    assert "tightened_input_bound" in broken.stdout
    assert package.run("lock", "notes").returncode == 1


def test_a_check_names_missing_bounds_and_examples_that_fail(package: NewPackage) -> None:
    package.change("contract.py", "Annotated[Text, Field(max_length=10_000)]", "Text")
    package.change("tools.py", 'Example("The first note", {"title": "hello"})', 'Example("Another", {"title": "no"})')
    checked = package.run("check", "notes").stdout
    assert "notes.add: input.text has no bound" in checked
    assert "notes.get: the example 'Another' is refused" in checked


def test_a_check_names_an_input_that_a_tool_fails_on(package: NewPackage) -> None:
    package.change("tools.py", "raise NotFound(f", "raise ValueError(f")
    assert "notes.get fails on {'title': " in package.run("check", "notes").stdout
