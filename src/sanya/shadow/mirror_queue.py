"""The queue of calls from a server to its shadow. It is bounded: calls that find it full are dropped and counted."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from datetime import datetime
from time import perf_counter_ns

from sanya.kernel.calls.call import Call, Outcome, Refused
from sanya.kernel.calls.replay import UNREPEATABLE_FAULTS
from sanya.kernel.clock import format_timestamp
from sanya.kernel.contracts.tool import Tool
from sanya.shadow.report import CallComparison, ComparisonTally
from sanya.shadow.verdicts import ENGINE_FAULTS, ComparisonKind, read_outcome
from sanya.shadow.wire import MirroredCall

# A dropped read is one comparison less. A dropped write leaves the shadow behind, so more writes may wait.
_ROOM_FOR_WRITES = 2
_UNDONE = frozenset({"unauthorized", "forbidden", "rate_limited"})


class MirrorQueue:
    """The kernel calls `observe`. The runner of the shadow takes calls with `take` and answers with `settle`."""

    def __init__(self, most_waiting: int, *, mirrors_writes: bool) -> None:
        self.tally = ComparisonTally()
        self._most_waiting = most_waiting
        self._mirrors_writes = mirrors_writes
        self._is_consumed = False
        self._waiting: deque[MirroredCall] = deque()
        self._sent: dict[str, MirroredCall] = {}
        self._writes_begun: Counter[str] = Counter()
        self._writes_running: Counter[str] = Counter()
        self._wake = asyncio.Event()
        self._empty = asyncio.Event()

    @property
    def outstanding(self) -> int:
        return len(self._waiting) + len(self._sent)

    def observe(self, id: str, tool: Tool, call: Call, now: datetime) -> Callable[[Outcome | None], None]:
        began = perf_counter_ns()
        suite, writes = tool.suite, tool.effect == "write"
        beside = self._writes_running[suite] > 0
        if writes:
            self._writes_running[suite] += 1
            self._writes_begun[suite] += 1
        mark = self._writes_begun[suite]

        def report(outcome: Outcome | None) -> None:
            took_us = (perf_counter_ns() - began) / 1000
            if writes:
                self._writes_running[suite] -= 1
            raced = beside or self._writes_begun[suite] != mark
            kind = self._classify(tool, outcome)
            if kind == "wanted" and outcome is not None:
                at = format_timestamp(now)
                self._put(MirroredCall(id, tool.name, suite, at, call, read_outcome(outcome), took_us, raced, writes))
            elif kind == "unmirrored":
                self.tally.add(CallComparison(id, tool.name, format_timestamp(now), "unmirrored"))

        return report

    def _classify(self, tool: Tool, outcome: Outcome | None) -> str:
        """Return `wanted`, `unmirrored`, or an empty string where there is nothing to compare.

        Not compared are repeated answers, and refusals that depend on the caller, the time or our own engine.
        """
        fault = outcome.fault.kind if isinstance(outcome, Refused) else None
        if tool.effect == "read":
            away = outcome is None or outcome.replayed or fault in UNREPEATABLE_FAULTS | ENGINE_FAULTS
            return "" if away else "wanted"
        if not self._mirrors_writes or fault in _UNDONE or (outcome is not None and outcome.replayed):
            return ""
        in_doubt = outcome is None or fault in UNREPEATABLE_FAULTS | ENGINE_FAULTS
        return "unmirrored" if in_doubt or tool.open_world else "wanted"

    def _put(self, mirrored: MirroredCall) -> None:
        room = self._most_waiting * (_ROOM_FOR_WRITES if mirrored.writes else 1)
        if not self._is_consumed or self.outstanding >= room:
            self._count(mirrored, "dropped")
            return
        self._waiting.append(mirrored)
        self._wake.set()

    def begin(self) -> None:
        """Accept calls from now on: the shadow runs."""
        self._is_consumed = True

    def end(self) -> None:
        """Drop what the shadow had and what comes: it stopped."""
        self._is_consumed = False
        for mirrored in (*self._sent.values(), *self._waiting):
            self._count(mirrored, "dropped")
        self._sent.clear()
        self._waiting.clear()
        self._signal_if_empty()

    async def take(self) -> MirroredCall:
        while not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        mirrored = self._waiting.popleft()
        self._sent[mirrored.id] = mirrored
        return mirrored

    def settle(self, found: CallComparison) -> None:
        if self._sent.pop(found.call_id, None) is not None:
            self.tally.add(found)
            self._signal_if_empty()

    def drop(self, mirrored: MirroredCall) -> None:
        """Count a call that cannot be sent as dropped."""
        if self._sent.pop(mirrored.id, None) is not None:
            self._count(mirrored, "dropped")
            self._signal_if_empty()

    async def wait_until_empty(self) -> None:
        """Wait until no call waits for the shadow."""
        while self.outstanding:
            self._empty.clear()
            await self._empty.wait()

    def take_tally(self) -> ComparisonTally:
        """Return what was found since the last call of this method, and start a new tally."""
        tally, self.tally = self.tally, ComparisonTally()
        return tally

    def _signal_if_empty(self) -> None:
        if not self.outstanding:
            self._empty.set()

    def _count(self, mirrored: MirroredCall, kind: ComparisonKind) -> None:
        self.tally.add(CallComparison(mirrored.id, mirrored.tool, mirrored.at, kind))
