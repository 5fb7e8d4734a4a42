"""Backups from the console: written to the folder `backups` of the home, one at a time, with progress.

A backup holds the home's secrets, so it is not sent to the browser: who wants it elsewhere copies the file.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Progress
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import Fault
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.kernel.storage.backup_names import BACKUP_SUFFIX, BACKUPS_NAME
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.owner import read_owner_document, require_owner
from sanya.surfaces.http.console_client import name_surface

if TYPE_CHECKING:
    from sanya.app import App


class ConsoleBackups:
    def __init__(self, app: App) -> None:
        self._app = app
        self._task: asyncio.Task[None] | None = None
        self._progress = Progress(0)
        self._problem: str | None = None

    async def show(self, request: HttpRequest) -> HttpResponse:
        require_owner(request)
        return respond_json(await self._describe())

    async def start(self, request: HttpRequest) -> HttpResponse:
        """Start a backup, unless one runs."""
        await read_owner_document(request, self._app.settings, set())
        if not self._is_running:
            self._progress, self._problem = Progress(0), None
            by = (name_surface(request.headers), request.caller.id)
            self._task = asyncio.create_task(self._run(by), name="backup")
        return respond_json(await self._describe())

    @property
    def _is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _describe(self) -> dict[str, Any]:
        files = await asyncio.to_thread(_list_files, self._folder)
        return {
            "folder": str(self._folder),
            "running": self._is_running,
            "done": self._progress.done,
            "total": self._progress.total,
            "problem": self._problem,
            "files": files,
        }

    @property
    def _folder(self) -> Path:
        return self._app.settings.home / BACKUPS_NAME

    async def _run(self, by: tuple[str, str]) -> None:
        from sanya.transfer import back_up, explain_left_out  # here: it loads the engines

        name = format_timestamp(read_clock())[:19].replace(":", "-") + BACKUP_SUFFIX
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            async with record_owner_action(self._app.ledger, "backup.create", "home", {"file": name}, by=by):
                report = await back_up(self._app.settings, self._folder / name, self._note)
                self._problem = explain_left_out(report) or None
        except Fault as fault:
            self._problem = fault.message
        except OSError as error:
            self._problem = f"The folder {self._folder} cannot be written ({error.strerror})."

    def _note(self, progress: Progress) -> None:
        self._progress = progress


def _list_files(folder: Path) -> list[dict[str, Any]]:
    found = sorted(folder.glob(f"*{BACKUP_SUFFIX}"), reverse=True) if folder.is_dir() else []
    return [{"name": path.name, "bytes": path.stat().st_size} for path in found]
