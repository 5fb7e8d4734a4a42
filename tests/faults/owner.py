"""Write paths of the owner: tasks, funds, keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sanya.kernel.faults import NotFound
from sanya.sources.pacing import Clock, LocalBudget
from sanya.sources.thai_sec import open_thai_sec
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds
from sanya.suites.funds.syncing import SyncPeriod, sync_funds
from sanya.suites.tasks.importing.formats import open_task_file
from sanya.suites.tasks.importing.task_import import import_tasks
from tests.faults.house import NOW, House
from tests.faults.trials import Path
from tests.sources.open_data import KEY
from tests.suites.funds.market import fund, nav, write_folder

TASKS = ("tasks", "projects", "task_changelogs")
FUNDS = ("funds", "nav_points")
SEC = ["http://127.0.0.1:9"]
"""The address of the Thai SEC stand-in; set by the test that serves it."""

_TODO = (
    "(A) 2026-02-01 Call the bank +home\n2026-02-02 Water the plants +garden\nx 2026-02-03 2026-02-01 Pay rent +home\n"
)


def _build_tasks_path(text: str) -> Callable[[House], Awaitable[Any]]:
    def imported(house: House) -> Awaitable[Any]:
        file = open_task_file(text.encode(), ZoneInfo("UTC"), name="todo.txt", format="todotxt")
        return import_tasks(house.database, file.parse_rows(), expected=file.expected_rows, now=NOW)

    return imported


def _build_funds_path(*days: str) -> Callable[[House], Awaitable[Any]]:
    async def imported(house: House) -> Any:
        history = [nav(day, 10 + number) for number, day in enumerate(days)]
        funds = [
            fund(symbol, nav_history_30d=history, latest_nav=history[-1], data_fetched_at=f"{days[-1]}T06:00:00.000Z")
            for symbol in ("ONE-RMF", "TWO-RMF")
        ]
        folder = write_folder(house.place.home / f"funds-{days[-1]}", *funds)
        return await import_funds(house.database, (await asyncio.to_thread(read_funds, folder)).funds)

    return imported


async def _skip_wait(_: float) -> None:
    """Do not wait."""


async def _sync(house: House) -> Any:
    clock = Clock(sleep=_skip_wait)
    async with open_thai_sec(SEC[0], KEY, LocalBudget(1e6, clock), clock=clock) as source:
        return await sync_funds(house.database, house.get_twin("open_data", source), SyncPeriod(NOW, date(2025, 1, 1)))


async def _revoke(house: House) -> None:
    key = (await house.keys.list())[0]
    try:
        await house.keys.revoke(key.id)
    except NotFound:  # by an attempt whose answer was lost
        assert key.revoked_at is not None


PATHS = (
    Path("tasks: import", ("tasks",), _build_tasks_path(_TODO), TASKS),
    Path(
        "tasks: import again",
        ("tasks",),
        _build_tasks_path(f"x 2026-02-09 {_TODO[4:]}"),
        TASKS,
        fill=_build_tasks_path(_TODO),
    ),
    Path("funds: import", ("funds",), _build_funds_path("2026-02-01", "2026-02-02"), FUNDS),
    Path(
        "funds: import more days",
        ("funds",),
        _build_funds_path("2026-02-02", "2026-02-03"),
        FUNDS,
        fill=_build_funds_path("2026-02-01", "2026-02-02"),
    ),
    Path("funds: sync", ("funds",), _sync, FUNDS, ("database", "open_data"), states=3),
    Path(
        "keys: make",
        (),
        lambda house: house.keys.create("agent", ["tasks:read"]),
        ("keys",),
        # A key that was created but never shown stays in the list, and nobody can use it.
        repeatable=False,
    ),
    Path("keys: revoke", (), _revoke, ("keys",), fill=lambda house: house.keys.create("agent", ["tasks:read"])),
)
