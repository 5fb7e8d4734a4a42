"""Jobs: work that outlives the call that asked for it. What one is, and what is asked of whoever keeps them.

A job is claimed by one worker at a time and for a while only; a worker that dies loses its claim, and the job is taken
up again where its last finished part ended.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Protocol

from sanya.kernel.call import ALL_SCOPES, Caller, Progress
from sanya.kernel.database import Transaction

JobState = Literal["queued", "running", "done", "error"]
JobEnding = Literal["cancelled", "rolled_back"]
PartState = Literal["done", "error"]


class ClaimLost(Exception):
    """Another worker has the job by now, or nobody: whoever sees this stops and writes nothing more."""


@dataclass(frozen=True, slots=True)
class Job:
    """`ending` is how a finished job came to rest where it did not just run to its end: `cancelled` (the state is then
    `error`), or `rolled_back` later. `claim` names the worker while it runs."""

    id: str
    kind: str
    owner: str
    state: JobState
    ending: JobEnding | None
    input: Mapping[str, Any]
    result: Mapping[str, Any] | None
    error: str | None
    progress: Progress
    attempts: int
    cancel_asked: bool
    claim: str | None
    claimed_until: str | None
    created_at: str
    started_at: str | None
    finished_at: str | None

    @property
    def has_ended(self) -> bool:
        return self.state in ("done", "error")

    def is_seen_by(self, caller: Caller) -> bool:
        """By whoever asked for it, and by whoever may do everything."""
        return caller.id == self.owner or ALL_SCOPES in caller.scopes


@dataclass(frozen=True, slots=True)
class Part:
    """One finished piece of a job, such as a document; it is not done again when the job is taken up again."""

    number: int
    state: PartState
    result: Mapping[str, Any]
    finished_at: str


@dataclass(frozen=True, slots=True)
class LogLine:
    number: int
    at: str
    text: str


class Jobs(Protocol):
    """Keeps jobs. What takes a claimed `job` raises ClaimLost where the claim is another's by now."""

    async def create(
        self,
        kind: str,
        owner: str,
        input: Mapping[str, Any],
        now: datetime,
        lease_s: float | None = None,
        *,
        id: str | None = None,
    ) -> Job:
        """With a lease, the job is its maker's from the beginning, and nobody else's. It has the id that is given, or
        one of its own."""
        ...

    async def get(self, job_id: str) -> Job | None: ...

    async def list(
        self, *, kind: str | None = None, owner: str | None = None, before: str | None = None, limit: int = 50
    ) -> Sequence[Job]:
        """The newest first; `owner` None means everybody's, `before` goes on behind the job of that id."""
        ...

    async def parts(self, job_id: str) -> Sequence[Part]:
        """By number."""
        ...

    async def log(self, job_id: str, after: int = 0, limit: int = 10_000) -> Sequence[LogLine]: ...

    async def cancel(self, job_id: str, now: datetime) -> Job | None:
        """A waiting job ends at once, a running one as soon as its worker hears of it; one that ended stays."""
        ...

    async def due(self, now: datetime) -> Sequence[str]:
        """Ids of jobs that wait for a worker, or whose worker went away; the oldest first."""
        ...

    async def claim(self, job_id: str, now: datetime, lease_s: float) -> Job | None:
        """None where it is not due."""
        ...

    async def beat(self, job: Job, progress: Progress, now: datetime, lease_s: float) -> bool:
        """Keeps the claim for another while; says whether the job shall be cancelled."""
        ...

    async def write_log(self, job_id: str, lines: Sequence[str], now: datetime) -> None: ...

    async def hold(self, transaction: Transaction, job: Job) -> None:
        """Makes sure, in the transaction of a part, that the job is still ours, until the transaction ends."""
        ...

    async def finish_part(self, transaction: Transaction, job: Job, part: Part) -> None:
        """Writes a part down in the transaction that holds its effect."""
        ...

    async def finish(self, job: Job, finished: Finished, now: datetime) -> None: ...

    async def release(self, job: Job, now: datetime) -> None:
        """Gives a claimed job back, as on a server that stops: the attempt does not count."""
        ...

    async def mark_rolled_back(self, transaction: Transaction, job: Job, line: str, now: datetime) -> None:
        """In the transaction that takes its effects back."""
        ...


@dataclass(frozen=True, slots=True)
class Finished:
    """How a job ended."""

    state: Literal["done", "error"]
    result: Mapping[str, Any] | None = None
    error: str | None = None
    ending: JobEnding | None = None


class JobQueue(Protocol):
    """Hands jobs out to workers. It may hand one out twice or late: the claim decides."""

    async def put(self, job_id: str) -> None: ...

    async def serve(self, work: Callable[[str], Awaitable[None]]) -> None:
        """Gives `work` the jobs that are due, until it is cancelled."""
        ...


def new_job_id(now: datetime, call_id: str = "") -> str:
    """Ids rise with time, so that the newest are the last. With the call that asks for it given, the job is the same
    on other engines on which that call is made."""
    rest = sha256(call_id.encode("utf-8")).hexdigest()[:10] if call_id else secrets.token_hex(5)
    return f"job_{int(now.timestamp() * 1000):012x}{rest}"
