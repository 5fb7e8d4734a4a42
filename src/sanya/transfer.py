"""Copies of a whole home: into a backup file, out of one, or to another engine.

It lies beside the composition root because it knows the settings and the engines, and no suite.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from sanya.engines.backup_file import read_list, seal, temporary_folder, unpacked_backup
from sanya.engines.copying import Fingerprint, block_writers, compute_fingerprints, copy_all, list_differences
from sanya.engines.database import is_postgresql, open_database
from sanya.engines.guest_schema import list_unowned_tables
from sanya.engines.home import DATABASE_NAME
from sanya.engines.snapshot import Engine, SqlReader
from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.settings import Settings

log = logging.getLogger(__name__)

CopyReport = Mapping[str, Fingerprint]
"""The row count and the hash of each table, equal on both sides of a copy."""


async def back_up(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> CopyReport:
    """Write a consistent backup while servers run: all rows come from one snapshot of the database."""
    _check_exists(settings)
    with temporary_folder(file) as folder:
        async with (
            open_database(settings.database_url, settings.home) as source,
            source.snapshot() as state,
            open_database("", folder) as target,
        ):
            await _report_unowned(state, source.dialect)
            copied = await _copy(state, target, progress)
        seal(folder, file, copied)
    return copied


async def restore(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> CopyReport:
    """Restore into an empty home, or into one where an earlier restore of the same file was interrupted."""
    listed = read_list(file)
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with temporary_folder(settings.home / file.name) as folder:
        async with unpacked_backup(file, folder) as source:
            if wrong := list_differences(listed, await compute_fingerprints(source)):
                raise StoreUnavailable(f"the backup is damaged and nothing was restored: {wrong[0]}")
            async with open_database(settings.database_url, settings.home) as target:
                return await _copy(source, target, progress)


async def move(settings: Settings, to: str, progress: ProgressSink = ignore_progress) -> CopyReport:
    """Copy a home to another engine. The source is locked against writes meanwhile, so the copy misses none."""
    _check_exists(settings)
    url, home = parse_destination(settings, to)
    async with (
        open_database(settings.database_url, settings.home) as source,
        source.transaction() as still,
        open_database(url, home) as target,
    ):
        await block_writers(still, source.dialect)
        await _report_unowned(still, source.dialect)
        return await _copy(still, target, progress)


def parse_destination(settings: Settings, to: str) -> tuple[str, Path]:
    """Return the URL of the target database, empty for SQLite, and the folder of the target home."""
    if "://" in to and not is_postgresql(to):
        raise InvalidArgument("--to takes a postgresql:// address, or a folder for SQLite")
    url, home = (to, settings.home) if "://" in to else ("", Path(to).expanduser().absolute())
    if (url, home) == (settings.database_url, settings.home):
        raise InvalidArgument("the home is already there; name another address or folder")
    return url, home


async def _copy(source: SqlReader, target: Engine, progress: ProgressSink) -> CopyReport:
    await copy_all(source, target, progress)
    here, there = await compute_fingerprints(source), await compute_fingerprints(target)
    if wrong := list_differences(here, there):
        raise StoreUnavailable(f"the copy differs from the original: {wrong[0]}; remove the copy and start again")
    return here


async def _report_unowned(source: SqlReader, dialect: str) -> None:
    if unowned := await list_unowned_tables(source, dialect):
        log.warning("not copied, because no suite owns them: %s", ", ".join(unowned))


def _check_exists(settings: Settings) -> None:
    if not settings.database_url and not (settings.home / DATABASE_NAME).exists():
        raise StoreUnavailable(f"there is no home in {settings.home}; choose one with --home or SANYA_HOME")
