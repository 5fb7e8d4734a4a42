"""Brings a database to the schema of this version.

An additive step needs nothing: the version before runs on it, so running that version again undoes the upgrade. Before
a step that cannot be undone a backup is made, with the schema from before, which the version before can restore. On
PostgreSQL such a step waits for `sanya upgrade`, because servers of the version before may still run there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sanya.engines.backup_file import write_backup
from sanya.engines.copying import Fingerprint
from sanya.engines.disk import measure_free_bytes
from sanya.engines.schema import list_pending, migrate, read_applied_migrations
from sanya.engines.snapshot import Engine
from sanya.kernel.calls.call import ProgressSink, ignore_progress
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.backup_names import BACKUP_SUFFIX, BACKUPS_NAME
from sanya.kernel.storage.migrations import Migration

SchemaMode = Literal["migrate", "check", "keep"]
"""What to do about missing steps: apply them, refuse to open the database, or leave it as it is."""

_MEASURE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT COALESCE(sum(pg_table_size(format('%I', tablename)::regclass)), 0)::bigint FROM pg_tables "
    "WHERE schemaname = current_schema()",
}


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """The steps that a database lacks. `applied` is the last step that it has; 0 is a new database."""

    applied: int
    pending: tuple[Migration, ...]

    @property
    def breaking(self) -> list[Migration]:
        """The steps that only a backup undoes. In a new database nothing is lost."""
        return [migration for migration in self.pending if self.applied and not migration.is_additive]


async def plan_upgrade(database: Engine) -> UpgradePlan:
    """Return what is missing. Raise StoreUnavailable for a database that this version cannot serve."""
    pending = await list_pending(database)
    return UpgradePlan(max(await read_applied_migrations(database), default=0), tuple(pending))


async def prepare_schema(database: Engine, home: Path, mode: SchemaMode) -> None:
    """Treat missing steps as `mode` says, in a database that was just opened."""
    if mode == "keep":
        return
    plan = await plan_upgrade(database)
    if mode == "check" and plan.pending:
        raise StoreUnavailable(
            f"the database lacks {_count_steps(plan.pending)} of this version, and it must not be migrated "
            "(migrate = false); run `sanya upgrade --check`, then `sanya upgrade`"
        )
    if plan.breaking and database.dialect == "postgresql":
        raise StoreUnavailable(
            f"the database lacks {_count_steps(plan.pending)} of this version, and the version before cannot run after "
            f"{_name_steps(plan.breaking)}; stop its servers, then run `sanya upgrade`, which makes a backup first"
        )
    if plan.breaking:
        await back_up_before(database, name_backup(home, plan))
    await migrate(database)


async def back_up_before(
    database: Engine, file: Path, progress: ProgressSink = ignore_progress
) -> Mapping[str, Fingerprint]:
    """Write the backup that undoes an upgrade. Refuse where the disk has no room for it."""
    try:
        await asyncio.to_thread(file.parent.mkdir, mode=0o700, parents=True, exist_ok=True)
        free = measure_free_bytes(file)
    except OSError as error:
        raise StoreUnavailable(
            f"the folder {file.parent} for the backup before the upgrade cannot be used ({error.strerror}); nothing "
            "was changed; choose another with `sanya upgrade --backup FILE`"
        ) from error
    if (size := await measure_tables(database)) > free:
        raise StoreUnavailable(
            f"the backup before the upgrade takes up to {size:,} bytes, and {file.parent} has room for {free:,}; "
            "nothing was changed; free disk space, or choose another place with `sanya upgrade --backup FILE`"
        )
    async with database.snapshot() as state:
        return await write_backup(state, file, progress)


async def measure_tables(database: Engine) -> int:
    """Return the bytes of all tables: a backup, which leaves out what is derived, is hardly larger."""
    return int(str((await database.fetch(_MEASURE[database.dialect]))[0][0]))


def name_backup(home: Path, plan: UpgradePlan) -> Path:
    """Return the file for a backup before an upgrade, in the home."""
    time = format_timestamp(read_clock())[:19].replace(":", "-")
    return home / BACKUPS_NAME / f"{time}-before-step-{plan.pending[0].number}{BACKUP_SUFFIX}"


def _count_steps(steps: tuple[Migration, ...]) -> str:
    return f"{len(steps)} schema step{'s' * (len(steps) != 1)}"


def _name_steps(steps: list[Migration]) -> str:
    return " and ".join(f"step {step.number} ({step.name}{f': {step.reason}' * bool(step.reason)})" for step in steps)
