"""The tasks suite on the home's own tables, or on somebody's task database, read-only."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya.assembly.opened import Opened
from sanya.engines.attached import open_attached
from sanya.kernel.suite import Suite
from sanya.settings import BadSetting
from sanya.suites.tasks import suite
from sanya.suites.tasks.attached import AttachedTables
from sanya.suites.tasks.starter import load_starter
from sanya.suites.tasks.store import TaskStore


async def open_tasks(opened: Opened) -> Suite:
    time_zone = _time_zone(opened.settings.time_zone)
    if opened.settings.tasks_database:
        attached = await opened.stack.enter_async_context(open_attached(_path(opened.settings.tasks_database)))
        return suite.build(TaskStore(attached, AttachedTables(attached)), opened.cursors, time_zone)
    await load_starter(opened.database)
    return suite.build(TaskStore(opened.database), opened.cursors, time_zone)


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _time_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise BadSetting(f"time_zone takes an IANA name such as Asia/Bangkok, got {name!r}") from None
