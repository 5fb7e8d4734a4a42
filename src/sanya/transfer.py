"""Takes a home as it is from one place to another: into a backup, out of one, onto another engine.

It stands beside the composition root because it knows the settings and the engines, and no suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sanya.engines.backup_file import beside, read_list, seal, unpacked
from sanya.engines.copying import Fingerprint, copy_all, differences, fingerprints, hold_still
from sanya.engines.database import is_postgresql, open_database
from sanya.engines.home import DATABASE_NAME
from sanya.engines.snapshot import Engine, Reading
from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.settings import Settings

Copied = Mapping[str, Fingerprint]
"""How many rows each table has, and their hash: the same on both sides."""


async def back_up(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> Copied:
    """Consistent while servers go on: what is copied is one state of the home."""
    _check_exists(settings)
    with beside(file) as folder:
        async with (
            open_database(settings.database_url, settings.home) as source,
            source.snapshot() as state,
            open_database("", folder) as target,
        ):
            copied = await _copy(state, target, progress)
        seal(folder, file, copied)
    return copied


async def restore(settings: Settings, file: Path, progress: ProgressSink = ignore_progress) -> Copied:
    """Into a home that holds nothing yet, or in which an earlier restore of the same file broke off."""
    listed = read_list(file)
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with beside(settings.home / file.name) as folder:
        async with unpacked(file, folder) as source:
            if wrong := differences(listed, await fingerprints(source)):
                raise StoreUnavailable(f"the backup is damaged, nothing was restored: {wrong[0]}")
            async with open_database(settings.database_url, settings.home) as target:
                return await _copy(source, target, progress)


async def move(settings: Settings, to: str, progress: ProgressSink = ignore_progress) -> Copied:
    """Onto another engine. Nobody writes to the source meanwhile: what is acknowledged has been moved."""
    _check_exists(settings)
    url, home = destination(settings, to)
    async with (
        open_database(settings.database_url, settings.home) as source,
        source.transaction() as still,
        open_database(url, home) as target,
    ):
        await hold_still(still, source.dialect)
        return await _copy(still, target, progress)


def destination(settings: Settings, to: str) -> tuple[str, Path]:
    """The address of the target's database, empty for an embedded one, and its folder."""
    if "://" in to and not is_postgresql(to):
        raise InvalidArgument("--to takes an address that begins with postgresql://, or a folder for SQLite")
    url, home = (to, settings.home) if "://" in to else ("", Path(to).expanduser().absolute())
    if (url, home) == (settings.database_url, settings.home):
        raise InvalidArgument("the home is there already; give another address or folder")
    return url, home


async def _copy(source: Reading, target: Engine, progress: ProgressSink) -> Copied:
    await copy_all(source, target, progress)
    here, there = await fingerprints(source), await fingerprints(target)
    if wrong := differences(here, there):
        raise StoreUnavailable(f"the copy is not the same as what was copied: {wrong[0]}; remove it and begin again")
    return here


def _check_exists(settings: Settings) -> None:
    if not settings.database_url and not (settings.home / DATABASE_NAME).exists():
        raise StoreUnavailable(f"there is no home in {settings.home} yet; choose one with --home or SANYA_HOME")
