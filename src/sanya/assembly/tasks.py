"""Opens the tasks suite on the home's own tables, or read-only on an existing task database."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya.assembly.home_resources import HomeResources
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.contracts.suite import Suite
from sanya.settings import BadSetting
from sanya.suites.tasks import suite
from sanya.suites.tasks.attached_tables import AttachedTables
from sanya.suites.tasks.starter import load_starter
from sanya.suites.tasks.store import TaskStore


async def open_tasks(resources: HomeResources) -> Suite:
    time_zone = _load_time_zone(resources.settings.time_zone)
    if resources.settings.tasks_database:
        attached = await resources.stack.enter_async_context(
            open_external_file(_expand_path(resources.settings.tasks_database))
        )
        return suite.build(TaskStore(attached, AttachedTables(attached)), resources.cursors, time_zone)
    await load_starter(resources.database)
    return suite.build(TaskStore(resources.database), resources.cursors, time_zone)


def _expand_path(text: str) -> Path:
    return Path(text).expanduser()


def _load_time_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise BadSetting(f"time_zone takes an IANA name such as Asia/Bangkok, got {name!r}") from None
