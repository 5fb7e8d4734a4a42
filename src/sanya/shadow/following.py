"""The shadow itself: makes each call on its own engines, in the order of the primary suite by suite, and judges.

A process of its own (`python -m sanya.shadow`), so that neither its work nor its memory nor its end is felt by those
who are served.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from time import perf_counter_ns

from sanya.app import App, open_beside
from sanya.assembly.workers import at_work
from sanya.kernel.call import Call, Outcome
from sanya.kernel.comparison import Difference
from sanya.kernel.tool import Tool
from sanya.settings import Settings
from sanya.shadow.report import Found
from sanya.shadow.verdicts import Kind, judge, places, said_in
from sanya.shadow.wire import Asked

log = logging.getLogger(__name__)

# How long an index that follows by itself is given before the same question is put again.
_SECOND_LOOK_S = 0.5
# Of these the report shows where they differ.
_TOLD = ("different", "failed", "raced")

Tell = Callable[[Found], None]


@contextlib.asynccontextmanager
async def open_shadow(settings: Settings, *, mirrors_writes: bool) -> AsyncIterator[App]:
    """On a home of its own it keeps a ledger and does the background work, but for what asks outside. Over the database
    of the primary it does neither: both are done already."""
    async with open_beside(settings, recorded=mirrors_writes) as app:
        workers = [one for one in app.workers if not one.open_world] if mirrors_writes else []
        async with at_work(workers):
            yield app


async def ask(app: App, call: Call) -> tuple[Outcome, float]:
    """What the engines of this home say, and how many microseconds that took."""
    began = perf_counter_ns()
    is_address = app.kernel.catalogue.tool(call.tool) is None
    outcome = await (app.kernel.read(call) if is_address else app.kernel.call(call))
    return outcome, (perf_counter_ns() - began) / 1000


class Shadow:
    def __init__(self, app: App) -> None:
        self._app = app
        self._private = {
            suite.name for suite in app.kernel.catalogue.suites if any(tool.redacted for tool in suite.tools)
        }
        self._lanes: dict[str, asyncio.Queue[Asked]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def put(self, asked: Asked, tell: Tell) -> None:
        """Calls of one suite wait for each other, so that each finds the data as the primary had them."""
        if asked.suite not in self._lanes:
            lane: asyncio.Queue[Asked] = asyncio.Queue()
            self._lanes[asked.suite] = lane
            self._tasks.append(asyncio.create_task(self._keep(lane, tell), name=f"shadow of {asked.suite}"))
        self._lanes[asked.suite].put_nowait(asked)

    async def finish(self) -> None:
        for lane in self._lanes.values():
            await lane.join()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, lane: asyncio.Queue[Asked], tell: Tell) -> None:
        while True:
            asked = await lane.get()
            try:
                tell(await self.follow(asked))
            except Exception:  # a mistake of ours: the log has it, the call counts as failed, and the lane goes on
                log.exception("%s could not be compared", asked.tool, extra={"call_id": asked.id})
                tell(Found(asked.id, asked.tool, asked.at, "failed"))
            lane.task_done()

    async def follow(self, asked: Asked) -> Found:
        limit_ms = None if asked.writes else self._app.settings.shadow_timeout_ms
        outcome, took_us = await ask(self._app, asked.call._replace(timeout_ms=limit_ms))
        kind, found = await self._verdict(asked, outcome)
        shown = places(found, private=asked.suite in self._private) if kind in _TOLD else ()
        return Found(asked.id, asked.tool, asked.at, kind, (asked.took_us, took_us), tuple(shown))

    async def _verdict(self, asked: Asked, outcome: Outcome) -> tuple[Kind, list[Difference]]:
        if outcome.tool is None:
            return "different", [Difference("$", asked.here.fault or "ok", "unknown_tool")]
        kind, found = judge(outcome.tool, asked.here, said_in(outcome))
        if kind == "different" and asked.raced:
            return "raced", found
        if kind == "different" and not asked.writes and await self._is_late(outcome.tool, asked):
            return "late", found
        return kind, found

    async def _is_late(self, tool: Tool, asked: Asked) -> bool:
        """Whether it says the same when it is asked once more: what is derived follows by itself, on both sides."""
        await asyncio.sleep(_SECOND_LOOK_S)
        limit_ms = self._app.settings.shadow_timeout_ms
        outcome, _ = await ask(self._app, asked.call._replace(timeout_ms=limit_ms, id=None, request_id=None))
        return judge(tool, asked.here, said_in(outcome))[0] in ("equal", "rounding")
