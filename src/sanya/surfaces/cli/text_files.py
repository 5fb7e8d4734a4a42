"""Writing a person's configuration files: whole or not at all, with the old one kept aside.

These are not the house's data, which only the engines touch.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_PRIVATE = 0o600


def read_text(path: Path) -> str | None:
    """The file's text, or None where there is none. A byte order mark is dropped."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None


def replace_text(path: Path, text: str) -> None:
    """Puts the text in place in one step; a crash leaves the old file or the new one. Links stay links."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else _PRIVATE
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def back_up(path: Path) -> Path | None:
    """A copy beside the file under the first free name, so that an earlier backup is never lost."""
    if not path.exists():
        return None
    content, mode = path.read_bytes(), path.stat().st_mode & 0o777
    for number in range(1, 1000):
        copy = path.with_name(f"{path.name}.backup-{number}")
        try:
            handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        return copy
    raise OSError(f"{path} has a thousand backups beside it; remove some of them")
