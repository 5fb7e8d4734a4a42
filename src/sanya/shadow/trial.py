"""Runs a shadow beside a server: checks that both hold the same data, starts its process, sends it calls and stores the
comparisons. If the shadow fails, the server continues and counts the calls that were not compared."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sanya.app import App
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import Fault, Unavailable
from sanya.settings import Settings
from sanya.shadow.mirror_queue import MirrorQueue
from sanya.shadow.pair import NotAShadow, check_state, derive_shadow_settings, name_trial, should_mirror_writes
from sanya.shadow.report import ComparisonTally, ReportStore
from sanya.shadow.wire import MAX_LINE, decode_comparison, encode_call, encode_settings

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
async def run_trial(app: App) -> AsyncIterator[Trial | None]:
    """Run a shadow while this context is entered, where the settings name one."""
    shadow_settings = derive_shadow_settings(app.settings)
    if shadow_settings is None:
        yield None
        return
    trial = Trial(app, shadow_settings)
    app.kernel.witness = trial.queue.observe
    tasks = [asyncio.create_task(trial.run()), asyncio.create_task(trial.save_periodically())]
    try:
        yield trial
    finally:
        app.kernel.witness = None
        await trial.finish()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await trial.save()


class Trial:
    def __init__(self, app: App, shadow_settings: Settings) -> None:
        self._app = app
        self._shadow_settings = shadow_settings
        self._mirrors = should_mirror_writes(app.settings)
        self._report = ReportStore(app.database)
        self.name = name_trial(app.settings, shadow_settings)
        self.queue = MirrorQueue(app.settings.shadow_queue, mirrors_writes=self._mirrors)
        self.problem: str | None = None
        self._saved_problem: str | None = None
        self.process: Process | None = None
        self.ready = asyncio.Event()
        """Set while the shadow runs."""
        self.stopped = asyncio.Event()
        """Set while it does not run; `problem` says why."""

    async def run(self) -> None:
        """Run the shadow until cancelled. Restart it when it ends, with a growing pause."""
        pause = _FIRST_PAUSE_S
        while True:
            began = asyncio.get_running_loop().time()
            self.problem = await self._run_process()
            self.ready.clear()
            self.queue.end()
            self.stopped.set()
            log.error("the shadow stopped, no call is compared: %s", self.problem)
            lasted = asyncio.get_running_loop().time() - began
            pause = _FIRST_PAUSE_S if lasted > _LONGEST_PAUSE_S else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def finish(self) -> None:
        """Wait a short time for the last calls."""
        try:
            async with asyncio.timeout(_LAST_CALLS_S):
                await self.queue.wait_until_empty()
        except TimeoutError:
            log.warning("the shadow did not compare the last %d calls", self.queue.outstanding)

    async def save_periodically(self) -> None:
        while True:
            await asyncio.sleep(_WRITE_DOWN_S)
            await self.save()

    async def save(self) -> None:
        tally = self.queue.take_tally()
        if tally == ComparisonTally() and self.problem == self._saved_problem:
            return
        try:
            await self._report.add(self.name, format_timestamp(read_clock()), tally, self.problem)
            self._saved_problem = self.problem
        except Fault as fault:
            self.queue.tally.join(tally)
            log.warning("cannot store the comparisons yet: %s", fault.message)

    async def _run_process(self) -> str:
        """Run the process once. Return why it ended."""
        try:
            async with asyncio.timeout(_CHECK_S):
                uneven_tables = await check_state(self._app.database, self._app.settings, self._shadow_settings)
            self.problem = _report_differences(uneven_tables)
            async with _start_process(encode_settings(self._shadow_settings, mirrors_writes=self._mirrors)) as process:
                log.info("shadow running: %s", self.name)
                await self._exchange(process)
            return "the shadow's process ended; its log lines are above"
        except NotAShadow as problem:
            return str(problem)
        except (Fault, OSError, TimeoutError) as problem:
            return f"the shadow does not respond: {problem or type(problem).__name__}"

    async def _exchange(self, process: Process) -> None:
        assert process.stdout is not None
        self.process = process
        self.queue.begin()
        self.stopped.clear()
        self.ready.set()
        sending = asyncio.create_task(self._send(process))
        try:
            while line := await process.stdout.readline():
                self.queue.settle(decode_comparison(line))
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send(self, process: Process) -> None:
        assert process.stdin is not None
        while True:
            mirrored = await self.queue.take()
            try:
                line = encode_call(mirrored)
            except TypeError:  # arguments that JSON cannot hold, from a caller inside this process
                self.queue.drop(mirrored)
                continue
            process.stdin.write(line)
            await process.stdin.drain()


def _report_differences(uneven_tables: list[str]) -> str | None:
    if not uneven_tables:
        return None
    log.warning("the shadow holds different data: %s", "; ".join(uneven_tables))
    return (
        f"the shadow holds different data ({'; '.join(uneven_tables)}): answers will differ. "
        "To start over, stop the server, empty the shadow, and copy the home there with `sanya migrate`"
    )


@asynccontextmanager
async def _start_process(first_line: bytes) -> AsyncIterator[Process]:
    """Start the process and yield it when it accepts calls. It ends with its input."""
    process = await asyncio.create_subprocess_exec(*PROGRAM, stdin=PIPE, stdout=PIPE, limit=MAX_LINE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(first_line)
        async with asyncio.timeout(_START_S):
            if not await process.stdout.readline():
                raise Unavailable("its process ended at the start; its log lines are above")
        yield process
    finally:
        process.stdin.close()
        await _stop(process)


async def _stop(process: Process) -> None:
    try:
        async with asyncio.timeout(_STOP_S):
            await process.communicate()  # `wait` would leave its pipes open
    except TimeoutError:
        process.kill()
        await process.communicate()
