"""Fixtures that run a command: in this process, which is fast, or in a process of its own, as a person does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sanya.surfaces.cli.main import main

PROGRAM = Path(sys.executable).parent / "sanya"
TIMEOUT_S = 60


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def own_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate user, so that the settings and clients of the person who runs the tests have no effect."""
    for name in [name for name in os.environ if name.startswith(("SANYA_", "XDG_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("USERPROFILE", str(user))
    monkeypatch.setenv("APPDATA", str(user / "AppData" / "Roaming"))
    return user


@pytest.fixture
def sanya(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, on the test's home."""

    def run(*words: str) -> Ran:
        capsys.readouterr()
        try:
            code = main(["--home", str(home), *words])
        except SystemExit as ended:
            code = int(ended.code or 0)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def sanya_process(home: Path) -> Run:
    """Run the installed program in its own process, on the test's home."""

    def run(
        *words: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None, timeout_s: float = TIMEOUT_S
    ) -> Ran:
        ended = subprocess.run(
            [str(PROGRAM), *words, "--home", str(home)],
            input=stdin,
            capture_output=True,
            timeout=timeout_s,
            env={**os.environ, **(environ or {})},
            check=False,
        )
        return Ran(ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8"))

    return run
