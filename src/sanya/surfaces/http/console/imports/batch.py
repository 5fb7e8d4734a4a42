"""A batch of uploaded files: read as a dry run, then written exactly as read."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from sanya.kernel.calls.call import Progress, ProgressSink
from sanya.kernel.faults import Fault, InvalidArgument

log = logging.getLogger(__name__)

State = Literal["receiving", "reading", "ready", "writing", "done", "failed"]
Work = Callable[["Batch", ProgressSink], Awaitable[dict[str, Any]]]


class ImportReader(Protocol):
    """Reads the files of a kind: what they would change, and the change itself."""

    async def read_changes(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]: ...

    async def write(self, batch: Batch, progress: ProgressSink) -> dict[str, Any]: ...


@dataclass(slots=True)
class Batch:
    """Files of one kind in a folder of their own. `preview` says what an import would change, `report` what it did."""

    id: str
    kind: str
    folder: Path
    by: tuple[str, str]
    files: list[str] = field(default_factory=list)
    bytes: int = 0
    state: State = "receiving"
    progress: Progress = field(default_factory=lambda: Progress(0))
    preview: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    problem: str | None = None
    task: asyncio.Task[None] | None = None

    @property
    def paths(self) -> list[Path]:
        return [self.folder / name for name in self.files]

    @property
    def is_busy(self) -> bool:
        return self.task is not None and not self.task.done()

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "files": self.files,
            "bytes": self.bytes,
            "done": self.progress.done,
            "total": self.progress.total,
            "message": self.progress.message,
            "preview": self.preview,
            "report": self.report,
            "problem": self.problem,
        }

    def read(self, reader: Work) -> None:
        """Start the dry run in the background."""
        if not self.files:
            raise InvalidArgument("Send at least one file first.", field="id")
        self._start("reading", reader)

    def write(self, writer: Work) -> None:
        """Start to write what the dry run showed. A batch is written once."""
        if self.state != "ready":
            raise InvalidArgument(f"This import is {self.state}; only one that was read can be written.", field="id")
        self._start("writing", writer)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, state: State, work: Work) -> None:
        if self.is_busy:
            raise InvalidArgument("This import is still running.", field="id")
        self.state, self.progress, self.problem = state, Progress(0), None
        self.task = asyncio.create_task(self._run(work), name=f"import {self.kind}")

    async def _run(self, work: Work) -> None:
        try:
            result = await work(self, self._note)
        except Fault as fault:
            self._fail(fault.message)
        except ValueError as problem:  # a file that its reader does not understand; the message is written for people
            self._fail(str(problem))
        except Exception:  # the last place that sees it: nobody waits for this task
            log.exception("import of %s failed", self.kind)
            self._fail("The import failed; the server's log says why.")
        else:
            if self.state == "reading":
                self.preview, self.state = result, "ready"
            else:
                self.report, self.state = result, "done"
                self.remove()

    def _fail(self, problem: str) -> None:
        self.problem, self.state = problem, "failed"
        self.remove()

    def _note(self, progress: Progress) -> None:
        self.progress = progress
