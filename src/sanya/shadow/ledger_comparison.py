"""Makes past reads again on both engines and compares them: a trial of an engine without live traffic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sanya.app import App, open_beside
from sanya.kernel.calls.call import Call, Progress, ProgressSink, ignore_progress
from sanya.kernel.calls.replay import check_replayable, rebuild_call
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.chain import LedgerEntry
from sanya.settings import BadSetting, Settings
from sanya.shadow.pair import check_state, derive_shadow_settings, name_trial
from sanya.shadow.report import ComparisonTally, TrialReport, build_report
from sanya.shadow.runner import Shadow, make_call
from sanya.shadow.verdicts import read_outcome
from sanya.shadow.wire import MirroredCall

_PAGE = 500


@dataclass(frozen=True, slots=True)
class EnginePair:
    """Both homes, open. Neither records these calls in its ledger."""

    name: str
    primary: App
    shadow: Shadow
    uneven: list[str]


@asynccontextmanager
async def open_pair(settings: Settings) -> AsyncIterator[EnginePair]:
    """Open both homes. Raise NotAShadow where the second is another home, or none."""
    shadow_settings = derive_shadow_settings(settings)
    if shadow_settings is None:
        raise BadSetting("No shadow is set. Set shadow to a PostgreSQL address or a folder, or set shadow_index.")
    async with open_beside(settings, recorded=False) as primary:
        uneven = await check_state(primary.database, settings, shadow_settings)
        async with open_beside(shadow_settings, recorded=False) as beside:
            yield EnginePair(name_trial(settings, shadow_settings), primary, Shadow(beside), uneven)


async def list_recorded_calls(app: App, most: int) -> list[Call]:
    """Return the last replayable calls of the ledger, oldest first: reads whose arguments it holds in full."""
    found: list[LedgerEntry] = []
    before: str | None = None
    while len(found) < most and (links := await app.ledger_store.page(_PAGE, before)):
        found += [link.entry for link in links if _is_replayable(link.entry)]
        before = links[-1].entry.id
    return [rebuild_call(app.kernel.catalogue, entry) for entry in reversed(found[:most])]


def _is_replayable(entry: LedgerEntry) -> bool:
    try:
        check_replayable(entry)
    except InvalidArgument:
        return False
    return True


async def compare(sides: EnginePair, calls: Sequence[Call], progress: ProgressSink = ignore_progress) -> TrialReport:
    tally = ComparisonTally()
    began = format_timestamp(read_clock())
    for number, call in enumerate(calls):
        progress(Progress(number, len(calls), call.tool))
        mirrored = await _mirror_call(sides.primary, call._replace(now=call.now or read_clock()))
        if mirrored is not None:
            tally.add(await sides.shadow.compare(mirrored))
    problem = "; ".join(sides.uneven) or None
    return build_report((sides.name, began, format_timestamp(read_clock()), problem), tally)


async def _mirror_call(primary: App, call: Call) -> MirroredCall | None:
    outcome, took_us = await make_call(primary, call)
    tool = outcome.tool
    if tool is None or call.now is None:
        return None  # the tool no longer exists
    at = format_timestamp(call.now)
    return MirroredCall(
        outcome.id, tool.name, tool.suite, at, call, read_outcome(outcome), took_us, raced=False, writes=False
    )
