"""Finds the guest suites that installed packages declare, without parsing the metadata of every package.

`importlib.metadata` takes 20 ms of every command to learn that a hundred packages declare no suite. So the files of
entry points are first searched for the name of the group.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sanya.suites"
_METADATA_ENDINGS = (".dist-info", ".egg-info")


def find_guest_entries() -> list[EntryPoint]:
    """Return the entry points of installed guests, in the order of their names."""
    if not any(map(_may_declare_guests, dict.fromkeys(sys.path))):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _may_declare_guests(folder: str) -> bool:
    """Return whether a package in the folder names the group. In an archive only the library can look."""
    return Path(folder).is_file() or any(GROUP.encode() in content for content in _read_entry_points(folder or "."))


def _read_entry_points(folder: str) -> Iterator[bytes]:
    """Yield the content of each file of entry points in a folder of packages."""
    try:
        with os.scandir(folder) as entries:
            packages = [entry.path for entry in entries if entry.name.endswith(_METADATA_ENDINGS)]
    except OSError:
        return
    for package in packages:
        try:
            yield Path(package, "entry_points.txt").read_bytes()
        except OSError:  # most packages declare none
            continue
