"""The one way of a call: find → validate → authorise → limit → run in time → validate the body → stamp → ledger.

Every surface comes through `Kernel.call` (or `Kernel.read` for a resource, which takes the same way).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter_ns
from typing import Any
from uuid import uuid4

import orjson

from sanya.kernel.answer_size import check_answer_size
from sanya.kernel.arguments import read_arguments
from sanya.kernel.call import Answered, Call, Context, Outcome, Refused
from sanya.kernel.canonical import canonical_json
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.deadlines import Deadline
from sanya.kernel.dialect import Worded
from sanya.kernel.faults import (
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    Internal,
    InvalidArgument,
    InvariantBroken,
    StoreUnavailable,
    UnknownTool,
)
from sanya.kernel.ledger import Answer, Entry, Ledger, new_id
from sanya.kernel.limits import RateLimiter
from sanya.kernel.redaction import redact
from sanya.kernel.requests import Key, RequestWindow, SharedWindow, check_fingerprint
from sanya.kernel.shapes import Shape
from sanya.kernel.stamp import Stamp, Status, digest, hashed_bytes, seed_of
from sanya.kernel.suite import Suite
from sanya.kernel.tool import Tool

log = logging.getLogger(__name__)

# How much longer than a tool's own time its caller's request id is held, so that the answer is kept before it is free.
_KEPT_AFTER_MS = 5_000

Observer = Callable[[Entry, int, Call], None]
"""Sees every finished call as its row, its duration in nanoseconds and itself: metrics and traces hang here."""

Witness = Callable[[str, Tool, Call, datetime], Callable[[Outcome | None], None]]
"""Sees every call of a known tool as it begins, with its id and moment; what it returns is told how the call ended, or
None where its caller went away. A shadow hangs here. It never waits and never raises."""


@dataclass(slots=True)
class _Attempt:
    """What is known of a call while it runs."""

    tool: Tool
    call: Call
    id: str
    started_ns: int
    now: datetime
    request_id: str
    in_hash: str = ""
    sealed: bytes = b"{}"
    given: dict[str, Any] | None = None
    recorded: bool = False
    deadline: Deadline | None = None

    @property
    def key(self) -> Key | None:
        """Set when the caller chose the request id, since only then can it come again."""
        return (self.call.caller.id, self.call.request_id) if self.call.request_id else None

    @property
    def fingerprint(self) -> str:
        return f"{self.tool.name} {self.in_hash}"

    @property
    def request_key(self) -> str:
        return "" if self.key is None else digest("\n".join([*self.key, self.fingerprint]).encode("utf-8", "replace"))


class Kernel:
    def __init__(
        self,
        suites: Iterable[Suite],
        *,
        ledger: Ledger,
        limiter: RateLimiter,
        window: RequestWindow,
        shared_window: SharedWindow | None = None,
        clock: Callable[[], datetime] = read_clock,
        observers: Sequence[Observer] = (),
    ) -> None:
        self.catalogue = Catalogue(suites)
        self._ledger = ledger
        self._limiter = limiter
        self._window = window
        self._shared_window = shared_window
        self._clock = clock
        self._observers = observers
        self.witness: Witness | None = None

    async def call(self, call: Call) -> Outcome:
        """Carries out one call. Never raises but for cancellation, which it records and passes on."""
        tool = self.catalogue.tool(call.tool)
        if tool is None:
            return self._refuse_unknown(call)
        return await self._witnessed(self._begin(tool, call))

    async def read(self, call: Call) -> Outcome:
        """Reads the resource whose URI is `call.tool`, on the same way as a call."""
        tool = self.catalogue.resource_tool(call.tool)
        if tool is None:
            return self._refuse_unknown(call)
        return await self._witnessed(self._begin(tool, call._replace(arguments={"uri": call.tool})))

    def _begin(self, tool: Tool, call: Call) -> _Attempt:
        started_ns = perf_counter_ns()
        fresh = secrets.token_hex(24)
        request_id = call.request_id or _uuid_from(fresh[16:])
        return _Attempt(tool, call, call.id or new_id(fresh[:6]), started_ns, self._clock(), request_id)

    def _witnessed(self, attempt: _Attempt) -> Awaitable[Outcome]:
        return self._carry_out(attempt) if self.witness is None else self._carry_out_before(self.witness, attempt)

    async def _carry_out_before(self, witness: Witness, attempt: _Attempt) -> Outcome:
        tell = witness(attempt.id, attempt.tool, attempt.call, attempt.call.now or attempt.now)
        outcome: Outcome | None = None
        try:
            outcome = await self._carry_out(attempt)
            return outcome
        finally:
            tell(outcome)

    async def _carry_out(self, attempt: _Attempt) -> Outcome:
        try:
            attempt.tool = await attempt.tool.opened()
            return await self._in_time(attempt, self._admit(attempt))
        except asyncio.CancelledError:
            self._refuse(attempt, Cancelled("the caller went away"))
            raise
        except Internal as fault:
            return self._refuse(attempt, _report(attempt, fault, fault))
        except Fault as fault:
            return self._refuse(attempt, fault)
        except Exception as error:  # a bug of ours, whatever it is: the caller gets an id, the log gets the rest
            return self._refuse(attempt, _report(attempt, error, Internal()))

    async def _in_time(self, attempt: _Attempt, request: Shape) -> Outcome:
        """From here on everything that may wait for somebody ends within the tool's time, or the caller's."""
        timeout_ms = min(attempt.tool.timeout_ms, attempt.call.timeout_ms or attempt.tool.timeout_ms)
        attempt.deadline = deadline = Deadline(timeout_ms / 1000)
        try:
            counting = self._limiter.admit(attempt.call.caller)
            if counting is not None:
                await counting
            key = attempt.key
            if key is None:
                return await self._finish(attempt, await self._run(attempt, request))
            return await self._once(key, attempt, request)
        except asyncio.CancelledError:
            if not deadline.has_struck():
                raise
            raise _late(attempt, timeout_ms) from None
        finally:
            deadline.stop()

    def _admit(self, attempt: _Attempt) -> Shape:
        """Validates and authorises a call, in this order."""
        request = read_arguments(attempt.tool, attempt.call.arguments)
        attempt.given = request.model_dump(mode="json", by_alias=True)
        attempt.sealed = _seal(attempt.given, plain=attempt.tool.has_plain_input)
        attempt.in_hash = digest(attempt.sealed)
        caller = attempt.call.caller
        for scope in attempt.tool.required_scopes:
            if not caller.may(scope):
                raise Forbidden(f"{attempt.tool.name} needs the scope {scope}", details={"scope": scope})
        return request

    async def _once(self, key: Key, attempt: _Attempt, request: Shape) -> Outcome:
        """Runs a call whose id the caller chose: at most one of them, the others get its answer."""
        first = await self._window.claim(key, attempt.fingerprint)
        if first is not None:
            return first._replace(replayed=True)
        kept = False
        try:
            answered = await self._stored_answer(key, attempt)
            if answered is None:
                answered = await self._first_anywhere(key, attempt, request)
            self._window.keep(key, answered)
            kept = True
            return answered
        finally:
            if not kept:
                self._window.release(key)

    async def _first_anywhere(self, key: Key, attempt: _Attempt, request: Shape) -> Answered:
        """Runs the call, unless another process that serves this home has, or does: then its answer is waited for."""
        shared = self._shared_window
        if shared is None:
            return await self._finish(attempt, await self._run(attempt, request))
        hold_ms = attempt.tool.timeout_ms + _KEPT_AFTER_MS
        stored = await shared.claim(key, attempt.fingerprint, attempt.id, hold_ms)
        if stored is not None:
            return _answer_again(stored, attempt)
        try:
            answered = await self._finish(attempt, await self._run(attempt, request))
        except BaseException:
            await shared.release(key, attempt.id)
            raise
        if attempt.deadline is not None:
            attempt.deadline.stop()  # it has been answered; that others hear of it is no part of that
        await shared.keep(self._answer(key, attempt, answered))
        return answered

    async def _stored_answer(self, key: Key, attempt: _Attempt) -> Answered | None:
        if attempt.tool.effect == "read":
            return None
        stored = await self._ledger.answer(*key, at=format_timestamp(attempt.now))
        if stored is None:
            return None
        check_fingerprint(key, stored.fingerprint, attempt.fingerprint)
        return _answer_again(stored, attempt)

    async def _run(self, attempt: _Attempt, request: Shape) -> dict[str, Any]:
        """The handler; the body as plain JSON, checked against the published schema."""
        call, tool = attempt.call, attempt.tool
        if tool.effect == "write":
            self._ledger.check_open()
        context = Context(
            attempt.id,
            call.caller,
            call.now or attempt.now,
            seed_of(attempt.in_hash),
            call.progress,
            attempt.in_hash,
            attempt.request_key,
        )
        answer = await tool.handler(request, context)
        body = answer.model_dump(mode="json", by_alias=True, warnings=False)
        if not tool.body_validator.is_valid(body):
            problem = next(iter(tool.body_validator.iter_errors(body)), None)
            raise InvariantBroken(f"{tool.name} gave a body outside its contract: {problem}")
        return body

    async def _finish(self, attempt: _Attempt, body: dict[str, Any]) -> Answered:
        tool = attempt.tool
        hashed = hashed_bytes(body, tool.unhashed_paths, plain=tool.has_plain_output)
        if attempt.call.max_answer_bytes is not None:
            check_answer_size(attempt.call.max_answer_bytes, len(hashed), tool, attempt.given)
        stamp = _stamp(attempt, digest(hashed), "ok")
        if tool.dialect.stamp_in_body:
            body["audit"] = stamp.as_json()
        answered = Answered(attempt.id, tool, body, stamp, attempt.request_id)
        self._record(attempt, stamp, None, self._answer_to_keep(attempt, answered))
        if tool.effect == "write":
            try:
                await self._ledger.flush()
            except StoreUnavailable as fault:
                raise _unkept(fault) from fault
        return answered

    def _answer_to_keep(self, attempt: _Attempt, answered: Answered) -> Answer | None:
        if attempt.key is None or attempt.tool.effect == "read":
            return None
        return self._answer(attempt.key, attempt, answered)

    def _answer(self, key: Key, attempt: _Attempt, answered: Answered) -> Answer:
        caller, request_id = key
        outcome = orjson.dumps({"body": answered.body, "stamp": answered.stamp.as_json()}).decode("utf-8")
        expires = format_timestamp(attempt.now + timedelta(seconds=self._window.window_s))
        return Answer(attempt.id, caller, request_id, attempt.fingerprint, outcome, expires)

    def _refuse(self, attempt: _Attempt, fault: Fault) -> Outcome:
        tool = attempt.tool
        if not attempt.in_hash:
            attempt.sealed = _seal_anything(attempt.call.arguments)
            attempt.in_hash = digest(attempt.sealed)
        worded = tool.dialect.word(fault, tool)
        stamp = _stamp(attempt, digest(canonical_json(worded.body)), "error" if worded.is_error else "ok")
        body = {**worded.body, "audit": stamp.as_json()} if tool.dialect.stamp_in_body else worded.body
        self._record_refusal(attempt, stamp, fault)
        if not worded.is_error:
            return Answered(attempt.id, tool, body, stamp, attempt.request_id)
        return _refused(attempt.id, tool, fault, replace(worded, body=body), attempt.request_id, stamp)

    def _refuse_unknown(self, call: Call) -> Refused:
        """No tool, so no contract and no ledger row: the surface says it in its own words."""
        fault = UnknownTool(self.catalogue.suggest(call.tool), details={"name": call.tool[:128]})
        error = {"code": "NOT_FOUND", "message": fault.message, "retry_after_ms": None, "details": fault.details}
        sealed = _seal_anything(call.arguments)
        in_hash = digest(sealed)
        stamp = Stamp(in_hash, digest(canonical_json(error)), seed_of(in_hash), 0, "error")
        return _refused("", None, fault, Worded(error, error, fault.message), call.request_id or str(uuid4()), stamp)

    def _record_refusal(self, attempt: _Attempt, stamp: Stamp, fault: Fault) -> None:
        """One row a call: a write that was done keeps the row that says so, even if its caller had to be refused."""
        if attempt.recorded:
            return
        try:
            self._record(attempt, stamp, fault, None)
        except Fault as unwritten:
            log.error("a refusal could not be recorded: %s", unwritten.message)

    def _record(self, attempt: _Attempt, stamp: Stamp, fault: Fault | None, answer: Answer | None) -> None:
        tool, call = attempt.tool, attempt.call
        kept, redacted = redact(attempt.sealed, attempt.given, tool.redacted_paths)
        entry = Entry(
            id=attempt.id,
            at=format_timestamp(attempt.now),
            tool=tool.name,
            suite=tool.suite,
            effect=tool.effect,
            surface=call.surface,
            caller=call.caller.id,
            request_id=attempt.request_id,
            trace_id=call.trace_id,
            in_hash=stamp.in_hash,
            out_hash=stamp.out_hash,
            latency_ms=stamp.latency_ms,
            status=stamp.status,
            fault=None if fault is None else fault.kind,
            error_id=fault.error_id if isinstance(fault, Internal) else None,
            input=kept,
            redacted=redacted,
            contract_hash=tool.contract_hash,
        )
        self._ledger.record(entry, answer)
        attempt.recorded = True
        for observe in self._observers:
            observe(entry, perf_counter_ns() - attempt.started_ns, call)


def _late(attempt: _Attempt, timeout_ms: int) -> Fault:
    """For a call whose time is over. A write may have come further than anybody here knows."""
    if attempt.recorded:
        return _unkept(StoreUnavailable("the audit ledger does not answer"))
    told = f"{attempt.tool.name} did not finish within {timeout_ms} ms"
    if attempt.tool.effect == "read":
        return DeadlineExceeded(told)
    unknown = "whether it was carried out is not known: look, or ask again under the same request id"
    return DeadlineExceeded(f"{told}; {unknown}", details={"outcome": "unknown"})


def _unkept(fault: StoreUnavailable) -> StoreUnavailable:
    """For a write that was carried out, and whose row in the ledger still waits: it cannot be acknowledged yet."""
    told = f"it was carried out, but cannot be recorded yet: {fault.message}; then ask again under the same request id"
    return StoreUnavailable(told, retry_after_ms=fault.retry_after_ms or 1000, details={"outcome": "made"})


def _refused(id: str, tool: Tool | None, fault: Fault, worded: Worded, request_id: str, stamp: Stamp) -> Refused:
    return Refused(
        id=id,
        tool=tool,
        fault=fault,
        error=worded.error,
        body=worded.body,
        message=worded.message,
        request_id=request_id,
        stamp=stamp,
    )


def _uuid_from(digits: str) -> str:
    """A version 4 UUID from 32 random hex digits; `uuid.uuid4` takes three times as long."""
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _answer_again(stored: Answer, attempt: _Attempt) -> Answered:
    outcome = orjson.loads(stored.outcome)
    stamp = Stamp(**outcome["stamp"])
    return Answered(stored.entry_id, attempt.tool, outcome["body"], stamp, attempt.request_id, replayed=True)


def _stamp(attempt: _Attempt, out_hash: str, status: Status) -> Stamp:
    latency_ms = (perf_counter_ns() - attempt.started_ns) // 1_000_000
    return Stamp(attempt.in_hash, out_hash, seed_of(attempt.in_hash), latency_ms, status)


def _seal(given: dict[str, Any], *, plain: bool) -> bytes:
    try:
        return canonical_json(given, plain=plain)
    except ValueError as error:
        raise InvalidArgument(f"arguments hold something that JSON cannot: {error}") from None


def _seal_anything(arguments: Any) -> bytes:
    """The canonical bytes of arguments that were refused, as far as they have any."""
    try:
        return canonical_json(dict(arguments))
    except (ValueError, TypeError, RecursionError):
        return b"{}"


def _report(attempt: _Attempt, error: Exception, fault: Internal) -> Internal:
    """Keeps what happened in the log under an id, which is all of it that the caller gets."""
    fault.error_id = "err_" + secrets.token_hex(8)
    log.error("%s failed", attempt.tool.name, exc_info=error, extra={"error_id": fault.error_id, "call_id": attempt.id})
    return fault
