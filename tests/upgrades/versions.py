"""Versions of Sanya that run side by side: this code, and later versions of it with more steps of the schema."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sanya
from sanya.engines.schema import list_migrations

LAST = list_migrations()[-1].number
_PACKAGE = Path(sanya.__file__).parent


@dataclass(frozen=True)
class Version:
    """A version of the code, and how its programs are started."""

    environ: Mapping[str, str]

    def run(self, home: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a command of this version and return how it ended."""
        return subprocess.run(
            [sys.executable, "-m", "sanya", "--home", str(home), *words],
            env={**os.environ, **self.environ, **settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def run_json(self, home: Path, *words: str, **settings: str) -> Any:
        ended = self.run(home, *words, "--json", **settings)
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)


def make_version(folder: Path, steps: Mapping[str, str]) -> Version:
    """Make a later version of this code: its own migrations, and everything else as it is here.

    `steps` are the texts of the added migrations, by name.
    """
    package = folder / "sanya"
    for parent, own in ((package, "engines"), (package / "engines", "migrations")):
        parent.mkdir(parents=True)
        for entry in (_PACKAGE / parent.relative_to(package)).iterdir():
            if entry.name not in (own, "__pycache__"):
                (parent / entry.name).symlink_to(entry)
    migrations = package / "engines" / "migrations"
    shutil.copytree(_PACKAGE / "engines" / "migrations", migrations, ignore=shutil.ignore_patterns("__pycache__"))
    for number, (name, text) in enumerate(steps.items(), LAST + 1):
        (migrations / f"{number:04}_{name}.sql").write_text(text, "utf-8")
    return Version({"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"})


THIS = Version({})
