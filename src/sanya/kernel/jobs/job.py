"""Jobs: work that outlives the call that asked for it. The types, and the ports of the job store and the queue.

One worker at a time claims a job, for a limited time. A worker that dies lets its claim expire, and another worker
resumes the job after its last finished part.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Protocol

from sanya.kernel.calls.call import ALL_SCOPES, Caller, Progress
from sanya.kernel.storage.database import Transaction

JobState = Literal["queued", "running", "done", "error"]
JobEnding = Literal["cancelled", "rolled_back"]
PartState = Literal["done", "error"]


class ClaimLost(Exception):
    """Raised when the claim has expired or belongs to another worker: stop, and write nothing more."""


@dataclass(frozen=True, slots=True)
class Job:
    """`ending` is set if a job did not simply run to its end: `cancelled` (its state is then `error`), or `rolled_back`
    later. `claim` names the worker while the job runs."""

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
        """Return whether the caller may see the job: its owner, or a caller with all scopes."""
        return caller.id == self.owner or ALL_SCOPES in caller.scopes


@dataclass(frozen=True, slots=True)
class Part:
    """A finished piece of a job, such as a document. A resumed job does not repeat it."""

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
    """The job store. Methods that take a claimed `job` raise ClaimLost if the claim is no longer valid."""

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
        """Create a job. With a lease it is claimed by its creator from the start. Without `id` it gets a new id."""
        ...

    async def get(self, job_id: str) -> Job | None: ...

    async def list(
        self, *, kind: str | None = None, owner: str | None = None, before: str | None = None, limit: int = 50
    ) -> Sequence[Job]:
        """Return jobs, newest first. `owner` of None means every owner; `before` continues after the job of that id."""
        ...

    async def list_parts(self, job_id: str) -> Sequence[Part]:
        """Return the finished parts by number."""
        ...

    async def read_log(self, job_id: str, after: int = 0, limit: int = 10_000) -> Sequence[LogLine]: ...

    async def cancel(self, job_id: str, now: datetime) -> Job | None:
        """Cancel a job: a queued one ends at once, a running one at its worker's next beat, an ended one stays."""
        ...

    async def list_due(self, now: datetime) -> Sequence[str]:
        """Return the ids of jobs that wait for a worker or whose claim expired, oldest first."""
        ...

    async def count_open(self) -> Mapping[str, int]:
        """Count the jobs that have not ended, by state."""
        ...

    async def claim(self, job_id: str, now: datetime, lease_s: float) -> Job | None:
        """Claim the job, or return None if it is not due."""
        ...

    async def renew_claim(self, job: Job, progress: Progress, now: datetime, lease_s: float) -> bool:
        """Extend the claim and store the progress; return whether the job is to be cancelled."""
        ...

    async def write_log(self, job_id: str, lines: Sequence[str], now: datetime) -> None: ...

    async def lock_claim(self, transaction: Transaction, job: Job) -> None:
        """Check, in the transaction of a part, that the claim is valid, and lock it until the transaction ends."""
        ...

    async def finish_part(self, transaction: Transaction, job: Job, part: Part) -> None:
        """Store a part in the transaction that holds its effect."""
        ...

    async def finish(self, job: Job, finished: JobResult, now: datetime) -> None: ...

    async def release(self, job: Job, now: datetime) -> None:
        """Give up the claim, as a stopping server does: the attempt does not count."""
        ...

    async def mark_rolled_back(self, transaction: Transaction, job: Job, line: str, now: datetime) -> None:
        """Mark the job in the transaction that undoes its effects."""
        ...


@dataclass(frozen=True, slots=True)
class JobResult:
    """The state, result and error with which a job ended."""

    state: Literal["done", "error"]
    result: Mapping[str, Any] | None = None
    error: str | None = None
    ending: JobEnding | None = None


class JobQueue(Protocol):
    """Hands jobs to workers. It may hand one out twice or late: the claim decides who runs it."""

    async def put(self, job_id: str) -> None: ...

    async def serve(self, work: Callable[[str], Awaitable[None]]) -> None:
        """Call `work` with the id of each job that is due, until cancelled."""
        ...


def make_job_id(now: datetime, call_id: str = "") -> str:
    """Return a job id. Ids rise with time. Given the id of the call, a shadow that repeats the call makes the same
    id."""
    rest = sha256(call_id.encode("utf-8")).hexdigest()[:10] if call_id else secrets.token_hex(5)
    return f"job_{int(now.timestamp() * 1000):012x}{rest}"
