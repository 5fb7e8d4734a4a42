"""What a server hands to its shadow: calls as they end, as many as may wait. The rest is dropped, and counted."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from datetime import datetime
from time import perf_counter_ns

from sanya.kernel.call import Call, Outcome, Refused
from sanya.kernel.dispatch import iso_time
from sanya.kernel.replay import OF_THE_MOMENT
from sanya.kernel.tool import Tool
from sanya.shadow.report import Found, Gathered
from sanya.shadow.verdicts import OF_THE_ENGINE, Kind, said_in
from sanya.shadow.wire import Asked

# A read that is dropped is one comparison less; a write that is dropped leaves the shadow behind, so more may wait.
_ROOM_FOR_WRITES = 2
_UNDONE = frozenset({"unauthorized", "forbidden", "rate_limited"})


class Feed:
    """`witness` goes into the kernel; whoever runs the shadow takes calls with `next` and answers with `settle`."""

    def __init__(self, most_waiting: int, *, mirrors_writes: bool) -> None:
        self.gathered = Gathered()
        self._most_waiting = most_waiting
        self._mirrors_writes = mirrors_writes
        self._is_followed = False
        self._waiting: deque[Asked] = deque()
        self._sent: dict[str, Asked] = {}
        self._writes_begun: Counter[str] = Counter()
        self._writes_running: Counter[str] = Counter()
        self._wake = asyncio.Event()
        self._empty = asyncio.Event()

    @property
    def outstanding(self) -> int:
        return len(self._waiting) + len(self._sent)

    def witness(self, id: str, tool: Tool, call: Call, now: datetime) -> Callable[[Outcome | None], None]:
        began = perf_counter_ns()
        suite, writes = tool.suite, tool.effect == "write"
        beside = self._writes_running[suite] > 0
        if writes:
            self._writes_running[suite] += 1
            self._writes_begun[suite] += 1
        mark = self._writes_begun[suite]

        def tell(outcome: Outcome | None) -> None:
            took_us = (perf_counter_ns() - began) / 1000
            if writes:
                self._writes_running[suite] -= 1
            raced = beside or self._writes_begun[suite] != mark
            kind = self._set_aside(tool, outcome)
            if kind == "wanted" and outcome is not None:
                at = iso_time(now)
                self._put(Asked(id, tool.name, suite, at, call, said_in(outcome), took_us, raced, writes))
            elif kind == "unmirrored":
                self.gathered.add(Found(id, tool.name, iso_time(now), "unmirrored"))

        return tell

    def _set_aside(self, tool: Tool, outcome: Outcome | None) -> str:
        """`wanted`, `unmirrored`, or nothing where there is nothing to compare: an answer that was given before, and
        refusals that are about the caller, the moment or our own engine."""
        fault = outcome.fault.kind if isinstance(outcome, Refused) else None
        if tool.effect == "read":
            away = outcome is None or outcome.replayed or fault in OF_THE_MOMENT | OF_THE_ENGINE
            return "" if away else "wanted"
        if not self._mirrors_writes or fault in _UNDONE or (outcome is not None and outcome.replayed):
            return ""
        in_doubt = outcome is None or fault in OF_THE_MOMENT | OF_THE_ENGINE
        return "unmirrored" if in_doubt or tool.open_world else "wanted"

    def _put(self, asked: Asked) -> None:
        room = self._most_waiting * (_ROOM_FOR_WRITES if asked.writes else 1)
        if not self._is_followed or self.outstanding >= room:
            self._count(asked, "dropped")
            return
        self._waiting.append(asked)
        self._wake.set()

    def begin(self) -> None:
        """Somebody follows from now on."""
        self._is_followed = True

    def end(self) -> None:
        """Nobody does any more: what they had is lost, and what comes is dropped."""
        self._is_followed = False
        for asked in (*self._sent.values(), *self._waiting):
            self._count(asked, "dropped")
        self._sent.clear()
        self._waiting.clear()
        self._settled()

    async def next(self) -> Asked:
        while not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        asked = self._waiting.popleft()
        self._sent[asked.id] = asked
        return asked

    def settle(self, found: Found) -> None:
        if self._sent.pop(found.call_id, None) is not None:
            self.gathered.add(found)
            self._settled()

    def drop(self, asked: Asked) -> None:
        """It cannot be sent."""
        if self._sent.pop(asked.id, None) is not None:
            self._count(asked, "dropped")
            self._settled()

    async def emptied(self) -> None:
        """Returns when nothing waits for the shadow."""
        while self.outstanding:
            self._empty.clear()
            await self._empty.wait()

    def taken(self) -> Gathered:
        """What was found since this was last asked."""
        gathered, self.gathered = self.gathered, Gathered()
        return gathered

    def _settled(self) -> None:
        if not self.outstanding:
            self._empty.set()

    def _count(self, asked: Asked, kind: Kind) -> None:
        self.gathered.add(Found(asked.id, asked.tool, asked.at, kind))
