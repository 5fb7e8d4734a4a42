"""A backup: one SQLite file that holds every table of a home, whichever engine the home is on, and a list of what must
be in it. Whoever has the file has the home's secrets, so only its owner may read it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp

from sanya.engines.copying import Fingerprint
from sanya.engines.database import open_database
from sanya.engines.home import DATABASE_NAME
from sanya.engines.snapshot import Engine
from sanya.kernel.faults import StoreUnavailable

_LIST = "CREATE TABLE backup_list (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT"
_READ_LIST = "SELECT name, rows, digest FROM backup_list"


@contextmanager
def beside(file: Path) -> Iterator[Path]:
    """A folder on the same disk, gone at the end."""
    try:
        folder = Path(mkdtemp(prefix=f".{file.name}.", dir=file.absolute().parent))
    except OSError as error:
        raise StoreUnavailable(f"nothing can be written beside {file} ({error.strerror})") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def unpacked(file: Path, folder: Path) -> AsyncIterator[Engine]:
    """A copy of a backup as a database of this version; the file itself stays as it is."""
    try:
        shutil.copyfile(file, folder / DATABASE_NAME)
    except OSError as error:
        raise StoreUnavailable(f"{file} cannot be unpacked in the home ({error.strerror}); free some space") from error
    async with open_database("", folder) as database:
        yield database


def seal(folder: Path, file: Path, listed: Mapping[str, Fingerprint]) -> None:
    """Makes the database in `folder` the backup `file`, all at once. One that stands there is replaced."""
    try:
        _seal(folder / DATABASE_NAME, file, listed)
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(
            f"the backup {file} cannot be written ({error}); free some space, or choose another place"
        ) from error


def _seal(path: Path, file: Path, listed: Mapping[str, Fingerprint]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(_LIST)
        rows = [(name, one.rows, one.digest) for name, one in listed.items()]
        connection.executemany("INSERT INTO backup_list VALUES (?, ?, ?)", rows)
        # One file, not three: a backup is carried about.
        connection.execute("PRAGMA journal_mode = DELETE")
    with path.open("rb+") as written:
        os.fsync(written.fileno())
    path.replace(file)


def read_list(file: Path) -> dict[str, Fingerprint]:
    if not file.is_file():
        raise StoreUnavailable(f"there is no file {file}")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return {name: Fingerprint(rows, digest) for name, rows, digest in connection.execute(_READ_LIST)}
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{file} is not a backup that `sanya backup` made, or is damaged: {error}") from error
