"""The packages in `examples/`: installed from wheels beside ours, served, uninstalled; their home still opens."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def run_well(*command: str, **environment: str) -> str:
    done = run(*command, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Environment:
    """A virtual environment with the libraries of ours, and none of our sources."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.python = str(folder / "venv" / "bin" / "python")
        run_well(sys.executable, "-m", "venv", "--without-pip", str(folder / "venv"))
        # As text, not as a site directory: so the editable install of our own sources is not found.
        place = Path(run_well(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (place / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
        wheels = folder / "wheels"
        for package in (ROOT, EXAMPLES / "glossary", EXAMPLES / "proxy"):
            # Without hooks, the compiled modules are left out: their Python stand-ins answer the same.
            self._build(package, wheels)
        run_well(UV, "pip", "install", "--no-deps", "--offline", "--python", self.python, *map(str, wheels.iterdir()))

    @staticmethod
    def _build(package: Path, wheels: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)],
            env={**os.environ, "HATCH_BUILD_NO_HOOKS": "true"},
            cwd=package,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def sanya(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run(self.python, "-m", "sanya", *arguments, SANYA_HOME=str(self.home))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("examples"))


def test_wheels_are_served_together_and_a_home_outlives_its_guest(installed: Environment) -> None:
    where = run_well(installed.python, "-c", "import sanya, sanya_units; print(sanya.__file__, sanya_units.__file__)")
    assert all(path.startswith(str(Path(installed.python).parents[1])) for path in where.split())
    rows = {row["suite"]: row for row in json.loads(installed.sanya("suites", "--json").stdout)}
    assert {name: (rows[name]["state"], rows[name]["tools"]) for name in ("glossary", "units")} == {
        "glossary": ("served", 3),
        "units": ("served", 2),
    }
    added = installed.sanya("call", "glossary.add", json.dumps({"term": "SLA", "meaning": "service level agreement"}))
    assert added.returncode == 0, added.stderr
    length = json.dumps({"value": 2, "fromUnit": "เส้น", "toUnit": "m"})
    assert json.loads(installed.sanya("call", "units.convert", length).stdout) == {"value": 80}
    alike = installed.sanya("parity", "--tool", "units.convert")
    assert alike.returncode == 0, alike.stdout
    assert "1 of 1 calls" in alike.stdout
    run_well(UV, "pip", "uninstall", "--python", installed.python, "sanya-glossary", "sanya-units")
    assert installed.sanya("call", "get_tasks").returncode == 0
    findings = json.loads(installed.sanya("doctor", "--json").stdout)
    assert "its tables are kept" in json.dumps(findings)


def test_examples_use_the_public_api_alone() -> None:
    """The entry points and `sanya.open` of the tests aside, an example knows nothing of ours but `sanya.suite`."""
    for path in EXAMPLES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [name.name for name in getattr(node, "names", ())]
                if isinstance(node, ast.Import)
                else []
            )
            ours = [name for name in names if name == "sanya" or name.startswith("sanya.")]
            allowed = ("sanya", "sanya.suite") if path.parent.name == "tests" else ("sanya.suite",)
            assert all(name in allowed or name.startswith("sanya.suite.") for name in ours), f"{path}: {ours}"
