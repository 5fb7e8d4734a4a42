"""The home: the folder with the database file, readable by its owner only."""

from __future__ import annotations

import os
from pathlib import Path

from sanya.kernel.faults import StoreUnavailable

DATABASE_NAME = "sanya.db"


def prepare_home(home: Path) -> Path:
    """Create the home and an empty database file if they are missing, readable by the owner only. Return the file."""
    path = home / DATABASE_NAME
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailable(
            f"the home {home} cannot be used ({error.strerror}); choose another with --home or SANYA_HOME"
        ) from error
    return path
