"""The version with the commit that it was built from."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from sanya import __version__

_BUILT_FROM = Path(__file__).with_name("commit.txt")
_GIT_TIMEOUT_S = 5


def describe_version() -> str:
    commit = find_commit()
    return f"{__version__} (commit {commit})" if commit else __version__


@cache
def find_commit() -> str:
    """Return the commit: the one that the build wrote down, or that of the working tree this runs from."""
    try:
        return _BUILT_FROM.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return _ask_git()


def _ask_git() -> str:
    root = Path(__file__).parents[2]
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    command = [git, "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_TIMEOUT_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip()
