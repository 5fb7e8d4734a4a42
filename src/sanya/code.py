"""One hash over all our sources, so that a replay and a start can tell whether the code has changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

_ROOT = str(Path(__file__).parent)


@cache
def code_hash() -> str:
    found = sha256()
    for path in sorted(_sources(_ROOT)):
        found.update(path.removeprefix(_ROOT).encode("utf-8") + b"\0" + Path(path).read_bytes() + b"\0")
    return found.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for one in entries:
            if one.name.endswith((".py", ".pyx", ".sql", ".txt")):
                yield one.path
            elif one.is_dir():
                yield from _sources(one.path)
