"""Keeps a shadow beside a server: looks whether it holds the same, starts its process, feeds it, writes down what it
found. Whatever happens to the shadow, the server goes on, and the calls that were not compared are counted."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sanya.app import App
from sanya.kernel.dispatch import iso_time, utc_now
from sanya.kernel.faults import Fault, Unavailable
from sanya.settings import Settings
from sanya.shadow.feed import Feed
from sanya.shadow.pair import NotAShadow, check_state, mirrors_writes, shadow_settings, trial_of
from sanya.shadow.report import Gathered, ReportStore
from sanya.shadow.wire import MAX_LINE, line_of, settings_line, verdict_in

log = logging.getLogger(__name__)

PROGRAM = (sys.executable, "-m", "sanya.shadow")
_CHECK_S = 60.0
_START_S = 120.0
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
_WRITE_DOWN_S = 2.0
_LAST_CALLS_S = 5.0
_STOP_S = 3.0


@asynccontextmanager
async def shadowing(app: App) -> AsyncIterator[Trial | None]:
    """While this is entered, a shadow makes the server's calls as well, where the settings want one."""
    theirs = shadow_settings(app.settings)
    if theirs is None:
        yield None
        return
    trial = Trial(app, theirs)
    app.kernel.witness = trial.feed.witness
    tasks = [asyncio.create_task(trial.keep()), asyncio.create_task(trial.write_down_steadily())]
    try:
        yield trial
    finally:
        app.kernel.witness = None
        await trial.finish()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await trial.write_down()


class Trial:
    def __init__(self, app: App, theirs: Settings) -> None:
        self._app = app
        self._theirs = theirs
        self._mirrors = mirrors_writes(app.settings)
        self._report = ReportStore(app.database)
        self.name = trial_of(app.settings, theirs)
        self.feed = Feed(app.settings.shadow_queue, mirrors_writes=self._mirrors)
        self.problem: str | None = None
        self._told: str | None = None
        self.process: Process | None = None
        self.ready = asyncio.Event()
        """Set while somebody follows."""
        self.away = asyncio.Event()
        """Set while nobody does, and `problem` says why."""

    async def keep(self) -> None:
        """Until it is cancelled: a shadow that ends is begun again, later each time."""
        pause = _FIRST_PAUSE_S
        while True:
            began = asyncio.get_running_loop().time()
            self.problem = await self._follow_once()
            self.ready.clear()
            self.feed.end()
            self.away.set()
            log.error("no call is compared: %s", self.problem)
            lasted = asyncio.get_running_loop().time() - began
            pause = _FIRST_PAUSE_S if lasted > _LONGEST_PAUSE_S else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def finish(self) -> None:
        """Gives the last calls a little time."""
        try:
            async with asyncio.timeout(_LAST_CALLS_S):
                await self.feed.emptied()
        except TimeoutError:
            log.warning("the shadow had not come to %d calls", self.feed.outstanding)

    async def write_down_steadily(self) -> None:
        while True:
            await asyncio.sleep(_WRITE_DOWN_S)
            await self.write_down()

    async def write_down(self) -> None:
        gathered = self.feed.taken()
        if gathered == Gathered() and self.problem == self._told:
            return
        try:
            await self._report.add(self.name, iso_time(utc_now()), gathered, self.problem)
            self._told = self.problem
        except Fault as fault:
            self.feed.gathered.join(gathered)
            log.warning("what the shadow found waits to be written: %s", fault.message)

    async def _follow_once(self) -> str:
        """Returns why it ended."""
        try:
            async with asyncio.timeout(_CHECK_S):
                uneven = await check_state(self._app.database, self._app.settings, self._theirs)
            self.problem = _apart(uneven)
            async with _process(settings_line(self._theirs, mirrors_writes=self._mirrors)) as process:
                log.info("a shadow follows: %s", self.name)
                await self._feed_to(process)
            return "the shadow's process ended; its own words are above in this log"
        except NotAShadow as problem:
            return str(problem)
        except (Fault, OSError, TimeoutError) as problem:
            return f"the shadow does not answer: {problem or type(problem).__name__}"

    async def _feed_to(self, process: Process) -> None:
        assert process.stdout is not None
        self.process = process
        self.feed.begin()
        self.away.clear()
        self.ready.set()
        sending = asyncio.create_task(self._send(process))
        try:
            while line := await process.stdout.readline():
                self.feed.settle(verdict_in(line))
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send(self, process: Process) -> None:
        assert process.stdin is not None
        while True:
            asked = await self.feed.next()
            try:
                line = line_of(asked)
            except TypeError:  # arguments that JSON cannot hold, from a caller inside this process
                self.feed.drop(asked)
                continue
            process.stdin.write(line)
            await process.stdin.drain()


def _apart(uneven: list[str]) -> str | None:
    if not uneven:
        return None
    log.warning("the shadow does not hold the same: %s", "; ".join(uneven))
    return (
        f"the shadow does not hold the same ({'; '.join(uneven)}): answers will differ. "
        "To begin anew, stop the server, empty the shadow, and `sanya migrate` the home there"
    )


@asynccontextmanager
async def _process(first_line: bytes) -> AsyncIterator[Process]:
    """Ready to take calls. It ends with its input."""
    process = await asyncio.create_subprocess_exec(*PROGRAM, stdin=PIPE, stdout=PIPE, limit=MAX_LINE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(first_line)
        async with asyncio.timeout(_START_S):
            if not await process.stdout.readline():
                raise Unavailable("its process ended at the start; its own words are above in this log")
        yield process
    finally:
        process.stdin.close()
        await _stop(process)


async def _stop(process: Process) -> None:
    try:
        async with asyncio.timeout(_STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
