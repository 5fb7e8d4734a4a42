"""A call, its caller, the context its handler gets, and its outcome.

The types that every call creates are named tuples: as immutable as a frozen dataclass, and created in a third of the
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.faults import Fault

if TYPE_CHECKING:
    from sanya.kernel.contracts.tool import Tool

ALL_SCOPES = "*"


@dataclass(frozen=True, slots=True)
class Caller:
    """The party that calls. `calls_per_minute` of 0 means no limit."""

    id: str
    scopes: frozenset[str]
    calls_per_minute: int = 0

    def may(self, scope: str) -> bool:
        return ALL_SCOPES in self.scopes or scope in self.scopes


def intersect_scopes(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    """Return the scopes that both sets allow."""
    if ALL_SCOPES in first:
        return second
    return first if ALL_SCOPES in second else first & second


@lru_cache(maxsize=1024)
def format_scopes(scopes: frozenset[str]) -> str:
    """Return the scopes in one line, as the ledger stores them. Cached, because every call needs it."""
    return " ".join(sorted(scopes))


OWNER = Caller("owner", frozenset({ALL_SCOPES}))
"""The person at the machine itself: command line, stdio and the Python API."""


@dataclass(frozen=True, slots=True)
class Progress:
    done: float
    total: float | None = None
    message: str | None = None


ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Discard progress, for a caller who did not ask for it."""


NoteSink = Callable[[str, dict[str, Any]], None]
"""Takes a note about an answer, by name: what the body has no field for, such as how much of a corpus was searched.
Surfaces send notes beside the body (`_meta` on MCP, `meta.notes` on the gateway). No hash covers them. A surface for
people also shows the note's `message`, if it has one."""


def ignore_note(_: str, __: dict[str, Any]) -> None:
    """Discard a note, where no answer carries it."""


CitationSink = Callable[[Iterable[str]], None]
"""Takes the PMIDs of papers that an answer rests on and does not name itself."""


def ignore_citations(_: Iterable[str]) -> None:
    """Discard citations, where nobody records them."""


class Call(NamedTuple):
    """A tool, its arguments, the caller and a deadline.

    Only a replay and a shadow set `now`, and only a shadow sets `id`: it repeats a call on other engines. Only a replay
    sets `asked_by`: it runs as the caller of the first call, at the request of somebody who may be another.
    `notes` are the surface's own about how it read the call.
    `max_answer_bytes` is the most that the caller's connection carries; a larger answer is refused, never truncated.
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
    asked_by: str | None = None
    notes: Mapping[str, dict[str, Any]] = {}  # a shared default is safe: notes are never changed


class Context(NamedTuple):
    """All that a handler gets besides its input. Time and randomness come only from here, so that a replay is exact.

    `request_key` is the same for every attempt under one request id; empty if the caller sent no request id.
    """

    id: str
    caller: Caller
    now: datetime
    seed: int
    progress: ProgressSink
    in_hash: str
    request_key: str = ""
    note: NoteSink = ignore_note
    cite: CitationSink = ignore_citations

    @property
    def request(self) -> str:
        """Source of the ids that a write creates. A retry derives the same ids, so the write recognises its own
        work."""
        return self.request_key or self.id


class Answered(NamedTuple):
    """The tool answered. `body` is what the contract promises, stamp included where the contract puts it there."""

    id: str
    tool: Tool
    body: dict[str, Any]
    stamp: Stamp
    request_id: str
    replayed: bool = False
    notes: Mapping[str, dict[str, Any]] = {}  # a shared default is safe: notes are never changed


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
