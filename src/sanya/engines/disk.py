"""Checks that a folder takes writes: a disk may be full, read-only or beyond its quota while its files can be read."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

_PROBE = bytes(4096)
_LITTLE_BYTES = 64 * 1024 * 1024


def find_write_problem(folder: Path) -> str | None:
    """Return why a small file cannot be written into the folder, or None."""
    file = folder / f".write-probe-{os.getpid()}"
    try:
        file.write_bytes(_PROBE)
    except OSError as error:
        return error.strerror or type(error).__name__
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)
    return None


def measure_free_bytes(path: Path) -> int:
    """Return the free space of the disk that the path is on, or would be on."""
    nearest = next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    return shutil.disk_usage(nearest).free


def describe_disk(folder: Path) -> str | None:
    """Return what is wrong with the folder's disk and what to do, or None. On PostgreSQL a home may have no folder."""
    if not folder.is_dir():
        return None
    if problem := find_write_problem(folder):
        return f"The home cannot be written ({problem}), so writes are refused. Free disk space, or check the disk."
    free = measure_free_bytes(folder)
    if free < _LITTLE_BYTES:
        return f"The disk of the home has {free // 1024:,} KiB left. Free disk space before writes are refused."
    return None
