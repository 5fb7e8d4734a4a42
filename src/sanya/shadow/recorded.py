"""Past calls, or any others that only read, asked of both sides now: the trial of an engine without live traffic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sanya.app import App, open_beside
from sanya.kernel.call import Call, Progress, ProgressSink, ignore_progress
from sanya.kernel.dispatch import iso_time, utc_now
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger import Entry
from sanya.kernel.replay import check_replayable, recorded_call
from sanya.settings import BadSetting, Settings
from sanya.shadow.following import Shadow, ask
from sanya.shadow.pair import check_state, shadow_settings, trial_of
from sanya.shadow.report import Gathered, TrialReport, report_of
from sanya.shadow.verdicts import said_in
from sanya.shadow.wire import Asked

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Sides:
    """Both homes, open, neither of which keeps these calls in its ledger."""

    name: str
    primary: App
    shadow: Shadow
    uneven: list[str]


@asynccontextmanager
async def open_sides(settings: Settings) -> AsyncIterator[Sides]:
    """Raises NotAShadow where the second is another home, or none."""
    theirs = shadow_settings(settings)
    if theirs is None:
        raise BadSetting("no shadow is set; set shadow to a PostgreSQL address or a folder, or set shadow_index")
    async with open_beside(settings, recorded=False) as primary:
        uneven = await check_state(primary.database, settings, theirs)
        async with open_beside(theirs, recorded=False) as beside:
            yield Sides(trial_of(settings, theirs), primary, Shadow(beside), uneven)


async def recorded_calls(app: App, most: int) -> list[Call]:
    """The last calls of the ledger that can run again: reads whose arguments it keeps whole. The oldest first."""
    found: list[Entry] = []
    before: str | None = None
    while len(found) < most and (links := await app.ledger_store.page(_PAGE, before)):
        found += [link.entry for link in links if _runs_again(link.entry)]
        before = links[-1].entry.id
    return [recorded_call(app.kernel.catalogue, entry) for entry in reversed(found[:most])]


def _runs_again(entry: Entry) -> bool:
    try:
        check_replayable(entry)
    except InvalidArgument:
        return False
    return True


async def compare(sides: Sides, calls: Sequence[Call], progress: ProgressSink = ignore_progress) -> TrialReport:
    gathered = Gathered()
    began = iso_time(utc_now())
    for number, call in enumerate(calls):
        progress(Progress(number, len(calls), call.tool))
        asked = await _asked(sides.primary, call._replace(now=call.now or utc_now()))
        if asked is not None:
            gathered.add(await sides.shadow.follow(asked))
    problem = "; ".join(sides.uneven) or None
    return report_of((sides.name, began, iso_time(utc_now()), problem), gathered)


async def _asked(primary: App, call: Call) -> Asked | None:
    outcome, took_us = await ask(primary, call)
    tool = outcome.tool
    if tool is None or call.now is None:
        return None  # it is gone since
    at = iso_time(call.now)
    return Asked(outcome.id, tool.name, tool.suite, at, call, said_in(outcome), took_us, raced=False, writes=False)
