"""A call, who makes it, what the handler sees of it, and how it ends.

What is made anew for every call is a named tuple: as fixed as a frozen dataclass, and made in a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sanya.kernel.faults import Fault
from sanya.kernel.stamp import Stamp

if TYPE_CHECKING:
    from sanya.kernel.tool import Tool

ALL_SCOPES = "*"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `calls_per_minute` of 0 means no limit."""

    id: str
    scopes: frozenset[str]
    calls_per_minute: int = 0

    def may(self, scope: str) -> bool:
        return ALL_SCOPES in self.scopes or scope in self.scopes


OWNER = Caller("owner", frozenset({ALL_SCOPES}))
"""The person at the machine itself: command line, stdio, the Python door."""


@dataclass(frozen=True, slots=True)
class Progress:
    done: float
    total: float | None = None
    message: str | None = None


ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """The sink of a caller who did not ask."""


class Call(NamedTuple):
    """One tool, its arguments, the caller, a deadline. `now` is given only by a replay and a shadow, `id` by a shadow:
    it makes the same call on other engines.

    `max_answer_bytes` is the most that the caller's way in can carry; a larger answer is refused, never cut.
    """

    tool: str
    arguments: Mapping[str, Any]
    caller: Caller = OWNER
    surface: str = "python"
    request_id: str | None = None
    trace_id: str | None = None
    parent_span_id: str | None = None
    session_id: str | None = None
    timeout_ms: int | None = None
    progress: ProgressSink = ignore_progress
    now: datetime | None = None
    max_answer_bytes: int | None = None
    id: str | None = None


class Context(NamedTuple):
    """What a handler may know beside its input. Time and randomness come from here, so that a replay is exact.

    `request_key` is the same for every try under a request id that the caller chose; empty where the caller chose none.
    """

    id: str
    caller: Caller
    now: datetime
    seed: int
    progress: ProgressSink
    in_hash: str
    request_key: str = ""

    @property
    def request(self) -> str:
        """What a write makes its ids from, so that a try whose answer was lost is known again."""
        return self.request_key or self.id


class Answered(NamedTuple):
    """The tool answered. `body` is what the contract promises, stamp included where the contract puts it there."""

    id: str
    tool: Tool
    body: dict[str, Any]
    stamp: Stamp
    request_id: str
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The call failed. `error` is the suite's error object, `body` the whole answer that its contract has for one."""

    id: str
    tool: Tool | None
    fault: Fault
    error: dict[str, Any]
    body: dict[str, Any]
    message: str
    request_id: str
    stamp: Stamp
    replayed: bool = field(default=False)


Outcome = Answered | Refused
