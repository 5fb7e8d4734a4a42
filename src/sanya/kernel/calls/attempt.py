"""The state of a call while it runs, and the parts of its answer that follow from that."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter_ns
from typing import Any

import orjson

from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.calls.deadlines import Deadline
from sanya.kernel.calls.requests import RequestKey
from sanya.kernel.calls.stamp import Stamp, Status, derive_seed, digest
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.chain import StoredAnswer

_DIGITS_A_CALL = 48
_CALLS_A_BLOCK = 64


@dataclass(slots=True)
class CallAttempt:
    """The state of a call while it runs."""

    tool: Tool
    call: Call
    id: str
    started_ns: int
    now: datetime
    request_id: str
    in_hash: str = ""
    canonical_input: bytes = b"{}"
    given: dict[str, Any] | None = None
    recorded: bool = False
    deadline: Deadline | None = None
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)
    cited: list[str] = field(default_factory=list)

    @property
    def key(self) -> RequestKey | None:
        """Caller and request id, if the caller sent one: only then can the call be repeated."""
        return (self.call.caller.id, self.call.request_id) if self.call.request_id else None

    @property
    def timeout_ms(self) -> int:
        """The tool's time limit, or the caller's if that is shorter."""
        return min(self.tool.timeout_ms, self.call.timeout_ms or self.tool.timeout_ms)

    def start_deadline(self) -> None:
        """Limit the time of a call that waits, from its start."""
        elapsed_s = (perf_counter_ns() - self.started_ns) / 1e9
        self.deadline = Deadline(self.timeout_ms / 1000 - elapsed_s)

    @property
    def fingerprint(self) -> str:
        return f"{self.tool.name} {self.in_hash}"

    @property
    def request_key(self) -> str:
        return "" if self.key is None else digest("\n".join([*self.key, self.fingerprint]).encode("utf-8", "replace"))


def make_stamp(attempt: CallAttempt, out_hash: str, status: Status) -> Stamp:
    latency_ms = (perf_counter_ns() - attempt.started_ns) // 1_000_000
    return Stamp(attempt.in_hash, out_hash, derive_seed(attempt.in_hash), latency_ms, status)


def serialise_arguments(given: dict[str, Any], *, plain: bool) -> bytes:
    try:
        return to_canonical_json(given, plain=plain)
    except ValueError as error:
        raise InvalidArgument(f"arguments hold a value that JSON cannot represent: {error}") from None


def serialise_refused(arguments: Any) -> bytes:
    """Return the canonical bytes of refused arguments, `{}` if they have none."""
    try:
        return to_canonical_json(dict(arguments))
    except (ValueError, TypeError, RecursionError):
        return b"{}"


def restore_answer(stored: StoredAnswer, attempt: CallAttempt) -> Answered:
    outcome = orjson.loads(stored.outcome)
    stamp = Stamp(**outcome["stamp"])
    return Answered(stored.entry_id, attempt.tool, outcome["body"], stamp, attempt.request_id, replayed=True)


def generate_digits() -> Iterator[str]:
    """Generate random hex digits for the ids of calls. They are drawn from the system for many calls at once: to ask it
    for each took 4 % of a call's time. Ids are no secrets, and the time in them differs even between processes."""
    while True:
        block = secrets.token_hex(_DIGITS_A_CALL // 2 * _CALLS_A_BLOCK)
        yield from (block[start : start + _DIGITS_A_CALL] for start in range(0, len(block), _DIGITS_A_CALL))


def format_uuid(digits: str) -> str:
    """Return a version 4 UUID made of 32 random hex digits; `uuid.uuid4` takes three times as long."""
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
