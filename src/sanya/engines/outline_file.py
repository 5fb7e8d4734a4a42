"""The outline of the suites, cached in the home under a key. It speeds up the next start, which works without it
too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson

OUTLINE_NAME = "outline.json"


def read_outline(home: Path, key: str) -> list[dict[str, Any]] | None:
    """Return the outline stored under this key; None if there is none, or one of other code or settings."""
    try:
        stored = orjson.loads((home / OUTLINE_NAME).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    if not isinstance(stored, dict) or stored.get("key") != key:
        return None
    suites: list[dict[str, Any]] = stored["suites"]
    return suites


def write_outline(home: Path, key: str, suites: list[dict[str, Any]]) -> None:
    path = home / OUTLINE_NAME
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        with os.fdopen(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps({"key": key, "suites": suites}))
        temporary.replace(path)
    except OSError:  # without the file, each start opens all suites
        temporary.unlink(missing_ok=True)
