"""Upgrades the schema of a home: what is missing, what undoes it, the backup before a step that cannot be undone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from sanya.app import open_ledger
from sanya.engines.copying import count_rows
from sanya.engines.database import open_database
from sanya.engines.disk import measure_free_bytes
from sanya.engines.guest_schema import list_unowned_tables
from sanya.engines.home import DATABASE_NAME
from sanya.engines.schema import migrate
from sanya.engines.snapshot import Engine
from sanya.engines.upgrading import UpgradePlan, back_up_before, measure_tables, name_backup, plan_upgrade
from sanya.kernel.calls.call import ProgressSink, ignore_progress
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.kernel.storage.migrations import Migration
from sanya.settings import Settings


@dataclass(frozen=True, slots=True)
class BackupForecast:
    """The backup that an upgrade would write: its size is that of all tables, indexes and derived data excluded."""

    file: Path
    tables: int
    rows: int
    bytes_at_most: int
    bytes_free: int
    left_out: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return self.bytes_at_most <= self.bytes_free


@dataclass(frozen=True, slots=True)
class UpgradeForecast:
    applied: int
    pending: tuple[Migration, ...]
    needs_backup: bool
    backup: BackupForecast


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    applied: tuple[Migration, ...]
    backup: Path | None


async def check_upgrade(settings: Settings, file: Path | None = None) -> UpgradeForecast:
    """Tell what an upgrade would do, and change nothing."""
    _check_exists(settings)
    async with open_database(settings.database_url, settings.home, schema="keep") as database:
        plan = await plan_upgrade(database)
        backup = await _estimate_backup(database, file or name_backup(settings.home, plan), is_new=not plan.applied)
    return UpgradeForecast(plan.applied, plan.pending, bool(plan.breaking), backup)


async def upgrade(
    settings: Settings, file: Path | None = None, *, with_backup: bool = True, progress: ProgressSink = ignore_progress
) -> UpgradeReport:
    """Apply the missing steps. Before one that cannot be undone, or where a file is given, write a backup."""
    if file is not None and not with_backup:
        raise InvalidArgument("give either --backup FILE or --without-backup")
    _check_exists(settings)
    async with open_database(settings.database_url, settings.home, schema="keep") as database:
        plan = await plan_upgrade(database)
        written = None
        if plan.pending and with_backup and (plan.breaking or file is not None):
            written = file or name_backup(settings.home, plan)
            await back_up_before(database, written, progress)
        await migrate(database)
    if plan.pending:
        await _record(settings, plan, written)
    return UpgradeReport(plan.pending, written)


async def _estimate_backup(database: Engine, file: Path, *, is_new: bool) -> BackupForecast:
    free = await asyncio.to_thread(measure_free_bytes, file)
    if is_new:
        return BackupForecast(file, 0, 0, 0, free, ())
    counts = await count_rows(database)
    left_out = await list_unowned_tables(database, database.dialect)
    return BackupForecast(
        file, len(counts), sum(counts.values()), await measure_tables(database), free, tuple(left_out)
    )


async def _record(settings: Settings, plan: UpgradePlan, written: Path | None) -> None:
    content = {
        "from": plan.applied,
        "to": plan.pending[-1].number,
        "backup": written.name if written else None,
    }
    async with open_ledger(settings) as ledger, record_owner_action(ledger, "schema.upgrade", "home", content):
        pass


def _check_exists(settings: Settings) -> None:
    if not settings.database_url and not (settings.home / DATABASE_NAME).exists():
        raise StoreUnavailable(f"there is no home in {settings.home}; choose one with --home or SANYA_HOME")
