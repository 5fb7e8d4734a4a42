"""Copies of a whole home: into a backup file, out of one, or to another engine.

It lies beside the composition root because it knows the settings and the engines, and no suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sanya.engines.backup_file import read_list, seal, temporary_folder, unpacked_backup
from sanya.engines.copying import Fingerprint, block_writers, copy_and_compare
from sanya.engines.database import is_postgresql, open_database
from sanya.engines.guest_schema import list_unowned_tables
from sanya.engines.home import DATABASE_NAME
from sanya.kernel.calls.call import ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.settings import Settings


@dataclass(frozen=True, slots=True)
class CopyReport:
    """The row count and the hash of each table, equal on both sides of a copy, and the tables that no suite owns."""

    tables: Mapping[str, Fingerprint]
    left_out: tuple[str, ...] = ()


async def back_up(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> CopyReport:
    """Write a consistent backup while servers run: all rows come from one snapshot of the database. It has the schema
    of the database, so the version that wrote that can restore it."""
    _check_exists(settings)
    with temporary_folder(file) as folder:
        async with (
            open_database(settings.database_url, settings.home, schema="keep") as source,
            source.snapshot() as state,
            open_database("", folder, schema="keep") as target,
        ):
            left_out = await list_unowned_tables(state, source.dialect)
            copied = await copy_and_compare(state, target, progress)
        seal(folder, file, copied)
    return CopyReport(copied, tuple(left_out))


async def restore(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> CopyReport:
    """Restore into an empty home, or into one where an earlier restore of the same file was interrupted."""
    read_list(file)
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with temporary_folder(settings.home / file.name) as folder:
        async with (
            unpacked_backup(file, folder) as source,
            open_database(settings.database_url, settings.home) as target,
        ):
            return CopyReport(await copy_and_compare(source, target, progress))


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
        left_out = await list_unowned_tables(still, source.dialect)
        return CopyReport(await copy_and_compare(still, target, progress), tuple(left_out))


def explain_left_out(report: CopyReport) -> str:
    """Return which tables were not copied and what to do, or nothing where all were."""
    if not report.left_out:
        return ""
    return (
        f"Not copied, because neither Sanya nor a suite made them: {', '.join(report.left_out)}. To keep them, copy "
        "them with the engine's own program: pg_dump --table, or sqlite3 with .dump."
    )


def parse_destination(settings: Settings, to: str) -> tuple[str, Path]:
    """Return the URL of the target database, empty for SQLite, and the folder of the target home."""
    if "://" in to and not is_postgresql(to):
        raise InvalidArgument("--to takes a postgresql:// address, or a folder for SQLite")
    url, home = (to, settings.home) if "://" in to else ("", Path(to).expanduser().absolute())
    if (url, home) == (settings.database_url, settings.home):
        raise InvalidArgument("the home is already there; name another address or folder")
    return url, home


def _check_exists(settings: Settings) -> None:
    if not settings.database_url and not (settings.home / DATABASE_NAME).exists():
        raise StoreUnavailable(f"there is no home in {settings.home}; choose one with --home or SANYA_HOME")
