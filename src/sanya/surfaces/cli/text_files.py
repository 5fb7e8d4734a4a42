"""A person's own text files, such as client configurations: replaced atomically, with a backup of the old file.

Sanya's data is not written here: only the engines write it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_PRIVATE = 0o600


def read_text(path: Path) -> str | None:
    """Return the text without its byte order mark, or None if the file does not exist."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None


def replace_text(path: Path, text: str) -> None:
    """Replace the file atomically: a crash leaves the old file or the new one. A symbolic link stays a link."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else _PRIVATE
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def back_up(path: Path) -> Path | None:
    """Copy the file beside itself under the first free name, so that no earlier backup is overwritten."""
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
    raise OSError(f"{path} has 999 backups beside it; remove some of them")
