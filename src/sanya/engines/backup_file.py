"""A backup: one SQLite file with every table of a home, whichever engine the home is on, and a list of their
fingerprints. The file contains the home's secrets, so only its owner may read it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp

from sanya.engines.copying import Fingerprint, compute_fingerprints, copy_and_compare, list_differences
from sanya.engines.home import DATABASE_NAME
from sanya.engines.schema import migrate
from sanya.engines.snapshot import Engine, SqlReader
from sanya.engines.sqlite.home_file import open_home_file
from sanya.kernel.calls.call import ProgressSink, ignore_progress
from sanya.kernel.faults import StoreUnavailable

_LIST = "CREATE TABLE backup_list (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, digest TEXT NOT NULL) STRICT"
_READ_LIST = "SELECT name, rows, digest FROM backup_list"


@contextmanager
def temporary_folder(file: Path) -> Iterator[Path]:
    """Create a temporary folder beside the file, on the same disk, so that a rename is atomic."""
    try:
        folder = Path(mkdtemp(prefix=f".{file.name}.", dir=file.absolute().parent))
    except OSError as error:
        raise StoreUnavailable(
            f"the folder of {file} cannot be written ({error.strerror}); choose another place or check its permissions"
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def unpacked_backup(file: Path, folder: Path) -> AsyncIterator[Engine]:
    """Open a copy of a backup as a database of this version, once every row of it is as the backup's list says. The
    file itself stays as it is."""
    listed = read_list(file)
    try:
        shutil.copyfile(file, folder / DATABASE_NAME)
    except OSError as error:
        raise StoreUnavailable(f"{file} cannot be unpacked in the home ({error.strerror}); free disk space") from error
    async with open_home_file(folder) as database:
        # Before the schema changes: a later step may add columns to the rows.
        if wrong := list_differences(listed, await compute_fingerprints(database)):
            raise StoreUnavailable(f"the backup is damaged and nothing was restored: {wrong[0]}")
        await migrate(database)
        yield database


async def write_backup(
    state: SqlReader, file: Path, progress: ProgressSink = ignore_progress
) -> Mapping[str, Fingerprint]:
    """Write everything in a snapshot into the file, with the schema that the snapshot has."""
    with temporary_folder(file) as folder:
        async with open_home_file(folder) as target:
            copied = await copy_and_compare(state, target, progress)
        seal(folder, file, copied)
    return copied


def seal(folder: Path, file: Path, fingerprints: Mapping[str, Fingerprint]) -> None:
    """Turn the database in `folder` into the backup `file` in one step, replacing a file of that name."""
    try:
        _seal(folder / DATABASE_NAME, file, fingerprints)
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(
            f"the backup {file} cannot be written ({error}); free disk space, or choose another place"
        ) from error


def _seal(path: Path, file: Path, fingerprints: Mapping[str, Fingerprint]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(_LIST)
        rows = [(name, fingerprint.rows, fingerprint.digest) for name, fingerprint in fingerprints.items()]
        connection.executemany("INSERT INTO backup_list VALUES (?, ?, ?)", rows)
        # Leave WAL mode, so that the backup is one file and not three.
        connection.execute("PRAGMA journal_mode = DELETE")
    with path.open("rb+") as written:
        os.fsync(written.fileno())
    path.replace(file)


def read_list(file: Path) -> dict[str, Fingerprint]:
    if not file.is_file():
        raise StoreUnavailable(f"there is no file {file}; check the path")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return {name: Fingerprint(rows, digest) for name, rows, digest in connection.execute(_READ_LIST)}
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"{file} is not a backup made by `sanya backup`, or is damaged: {error}; use another backup"
        ) from error
