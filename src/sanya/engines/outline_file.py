"""The outline of the suites, kept in the home under a key: of no worth but to the next start, which can do without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson

OUTLINE_NAME = "outline.json"


def read_outline(home: Path, key: str) -> list[dict[str, Any]] | None:
    """What was kept under this key; None where there is nothing, or something of other code or settings."""
    try:
        kept = orjson.loads((home / OUTLINE_NAME).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    if not isinstance(kept, dict) or kept.get("key") != key:
        return None
    suites: list[dict[str, Any]] = kept["suites"]
    return suites


def write_outline(home: Path, key: str, suites: list[dict[str, Any]]) -> None:
    path = home / OUTLINE_NAME
    beside = path.with_suffix(f".{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(orjson.dumps({"key": key, "suites": suites}))
        beside.replace(path)
    except OSError:  # a home that cannot be written to opens its suites at each start
        beside.unlink(missing_ok=True)
