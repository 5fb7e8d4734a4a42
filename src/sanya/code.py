"""A hash over all source and data files of the package, by which a replay or a start detects changed code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

_ROOT = str(Path(__file__).parent)
# Word lists and patterns are data files, and decide answers as much as the code does.
_HASHED = (".py", ".pyx", ".sql", ".txt", ".json", ".toml")


@cache
def compute_code_hash() -> str:
    state = sha256()
    for path in sorted(_iterate_sources(_ROOT)):
        state.update(path.removeprefix(_ROOT).encode("utf-8") + b"\0" + Path(path).read_bytes() + b"\0")
    return state.hexdigest()


def _iterate_sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_HASHED):
                yield entry.path
            elif entry.is_dir():
                yield from _iterate_sources(entry.path)
