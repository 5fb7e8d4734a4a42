"""The shadow: makes each call on its own engines, in the primary's order for each suite, and compares the answers.

It runs in a process of its own (`python -m sanya.shadow`), so that its load, its memory and its end do not reach the
server.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from time import perf_counter_ns

from sanya.app import App, open_beside
from sanya.assembly.workers import run_workers
from sanya.kernel.calls.call import Call, Outcome
from sanya.kernel.calls.comparison import AnswerDifference
from sanya.kernel.contracts.tool import Tool
from sanya.settings import Settings
from sanya.shadow.report import CallComparison
from sanya.shadow.verdicts import ComparisonKind, judge, read_outcome, report_differences
from sanya.shadow.wire import MirroredCall

log = logging.getLogger(__name__)

# An index that follows its database gets this long before the same call is made again.
_SECOND_LOOK_S = 0.5
# For these kinds the report shows where the answers differ.
_REPORTED_KINDS = ("different", "failed", "raced")

ReportComparison = Callable[[CallComparison], None]


@contextlib.asynccontextmanager
async def open_shadow(settings: Settings, *, mirrors_writes: bool) -> AsyncIterator[App]:
    """Open the shadow's home. With a database of its own it keeps a ledger and runs the background work that needs no
    network. Over the primary's database it does neither: the primary does both."""
    async with open_beside(settings, recorded=mirrors_writes) as app:
        workers = [worker for worker in app.workers if not worker.open_world] if mirrors_writes else []
        async with run_workers(workers):
            yield app


async def make_call(app: App, call: Call) -> tuple[Outcome, float]:
    """Make the call on this home. Return its outcome and the microseconds it took."""
    began = perf_counter_ns()
    is_address = app.kernel.catalogue.find_tool(call.tool) is None
    outcome = await (app.kernel.read(call) if is_address else app.kernel.call(call))
    return outcome, (perf_counter_ns() - began) / 1000


class Shadow:
    def __init__(self, app: App) -> None:
        self._app = app
        self._private = {
            suite.name for suite in app.kernel.catalogue.suites if any(tool.redacted for tool in suite.tools)
        }
        self._lanes: dict[str, asyncio.Queue[MirroredCall]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def put(self, mirrored: MirroredCall, tell: ReportComparison) -> None:
        """Queue a call. Calls of one suite run in order, so that each sees the data that the primary saw."""
        if mirrored.suite not in self._lanes:
            lane: asyncio.Queue[MirroredCall] = asyncio.Queue()
            self._lanes[mirrored.suite] = lane
            self._tasks.append(asyncio.create_task(self._run_lane(lane, tell), name=f"shadow of {mirrored.suite}"))
        self._lanes[mirrored.suite].put_nowait(mirrored)

    async def finish(self) -> None:
        for lane in self._lanes.values():
            await lane.join()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run_lane(self, lane: asyncio.Queue[MirroredCall], tell: ReportComparison) -> None:
        while True:
            mirrored = await lane.get()
            try:
                tell(await self.compare(mirrored))
            except Exception:  # our own mistake: log it, count the call as failed, continue with the next
                log.exception("%s could not be compared", mirrored.tool, extra={"call_id": mirrored.id})
                tell(CallComparison(mirrored.id, mirrored.tool, mirrored.at, "failed"))
            lane.task_done()

    async def compare(self, mirrored: MirroredCall) -> CallComparison:
        limit_ms = None if mirrored.writes else self._app.settings.shadow_timeout_ms
        outcome, took_us = await make_call(self._app, mirrored.call._replace(timeout_ms=limit_ms))
        kind, found = await self._judge(mirrored, outcome)
        shown = report_differences(found, private=mirrored.suite in self._private) if kind in _REPORTED_KINDS else ()
        return CallComparison(mirrored.id, mirrored.tool, mirrored.at, kind, (mirrored.took_us, took_us), tuple(shown))

    async def _judge(self, mirrored: MirroredCall, outcome: Outcome) -> tuple[ComparisonKind, list[AnswerDifference]]:
        if outcome.tool is None:
            return "different", [AnswerDifference("$", mirrored.here.fault or "ok", "unknown_tool")]
        kind, found = judge(outcome.tool, mirrored.here, read_outcome(outcome))
        if kind == "different" and mirrored.raced:
            return "raced", found
        if kind == "different" and not mirrored.writes and await self._is_late(outcome.tool, mirrored):
            return "late", found
        return kind, found

    async def _is_late(self, tool: Tool, mirrored: MirroredCall) -> bool:
        """Make the call again and return whether the answers agree now: derived data follows later, on both sides."""
        await asyncio.sleep(_SECOND_LOOK_S)
        limit_ms = self._app.settings.shadow_timeout_ms
        outcome, _ = await make_call(self._app, mirrored.call._replace(timeout_ms=limit_ms, id=None, request_id=None))
        return judge(tool, mirrored.here, read_outcome(outcome))[0] in ("equal", "rounding")
