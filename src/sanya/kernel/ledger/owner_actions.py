"""Owner actions: writes that the owner makes outside tools, such as imports, settings, keys and forgetting.

They do not pass through `Kernel.call`, because they have no contract that an agent could call. They are recorded in the
same ledger all the same, in one way:

    async with record_owner_action(ledger, "funds.import", "funds", {"sha256": digest}) as action:
        report = await import_funds(...)
        action.add(counts=asdict(report))

The row is durable when the block ends, so the owner sees no result that the ledger does not have. A block that raises
leaves a row with the status `error` and its fault, and the exception goes on.

A crash raises no exception. An action in a single transaction has then written everything or nothing, as a tool has. An
action `in_steps` commits several transactions, so it first leaves a row `<name>.start`. If no later row has the same
request id, that row says that the action was cut off half-way.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from sanya.kernel.calls.call import OWNER, Progress, ProgressSink
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import Cancelled, Fault, Internal, InvalidArgument, StoreUnavailable
from sanya.kernel.ledger.chain import Ledger, LedgerEntry, make_internal_entry

log = logging.getLogger(__name__)

# Surface and caller of an action at the command line.
AT_COMMAND_LINE = ("cli", OWNER.id)


@dataclass(slots=True)
class OwnerAction:
    """A running action. `content` becomes the `input` of its row, so it must hold no secret and nothing forgettable."""

    name: str
    suite: str
    content: dict[str, Any]
    redacted: bool = False
    by: tuple[str, str] = AT_COMMAND_LINE
    is_discarded: bool = False
    progress: Progress | None = field(default=None, init=False)

    def add(self, **content: Any) -> None:
        """Add what is known only now, such as counts."""
        self.content.update(content)

    def discard(self) -> None:
        """Leave no row: the action found nothing to write."""
        self.is_discarded = True

    def follow(self, report: ProgressSink) -> ProgressSink:
        """Return a sink that passes progress on and notes it, so that the row of a failure says how far it came."""

        def note(progress: Progress) -> None:
            self.progress = progress
            report(progress)

        return note


@asynccontextmanager
async def record_owner_action(
    ledger: Ledger,
    name: str,
    suite: str,
    content: Mapping[str, Any],
    *,
    redacted: bool = False,
    in_steps: bool = False,
    by: tuple[str, str] = AT_COMMAND_LINE,
) -> AsyncIterator[OwnerAction]:
    """Record an action of the owner. Set `redacted` if `content` leaves out a part of what the owner gave. `by` is the
    surface and the caller of an action that does not come from the command line."""
    action = OwnerAction(name, suite, dict(content), redacted, by)
    ledger.check_open()
    request_id: str | None = None
    if in_steps:
        start = _make_entry(action, f"{name}.start")
        request_id = start.id
        ledger.record(start)
        await ledger.flush()
    started_ns = perf_counter_ns()
    try:
        yield action
    except BaseException as error:
        if action.progress is not None:
            action.add(progress={"done": action.progress.done, "total": action.progress.total})
        await _record_failure(ledger, _finish_entry(action, request_id, started_ns), error)
        raise
    if not action.is_discarded:
        ledger.record(_finish_entry(action, request_id, started_ns))
        await ledger.flush()


def _make_entry(action: OwnerAction, name: str) -> LedgerEntry:
    at = format_timestamp(read_clock())
    return make_internal_entry(
        (name, action.suite), action.by, at, to_canonical_json(action.content), redacted=action.redacted
    )


def _finish_entry(action: OwnerAction, request_id: str | None, started_ns: int) -> LedgerEntry:
    entry = _make_entry(action, action.name)
    latency_ms = (perf_counter_ns() - started_ns) // 1_000_000
    return entry._replace(request_id=request_id or entry.id, latency_ms=latency_ms)


async def _record_failure(ledger: Ledger, entry: LedgerEntry, error: BaseException) -> None:
    """Record the failure. If the ledger fails as well, log that and let the first error reach the owner."""
    try:
        ledger.record(entry._replace(status="error", fault=_classify(error).kind))
        await ledger.flush()
    except StoreUnavailable as unwritten:
        log.error("failure of %s not recorded in the ledger: %s", entry.tool, unwritten.message)


def _classify(error: BaseException) -> type[Fault]:
    """Return the class of fault. Only its kind is recorded: the message of an unexpected error may hold anything."""
    match error:
        case Fault():
            return type(error)
        case CancelledError() | KeyboardInterrupt():
            return Cancelled
        case ValueError():
            return InvalidArgument
    return Internal
