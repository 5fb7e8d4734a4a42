"""The path of every call: find → validate → authorise → limit → run in time → validate the body → stamp → ledger.

Every surface calls `Kernel.call`, or `Kernel.read` for a resource, which takes the same path.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter_ns
from typing import Any
from uuid import uuid4

import orjson

from sanya.kernel.answer_size import fit_answer, render_answer
from sanya.kernel.arguments import read_arguments
from sanya.kernel.call import Answered, Call, Caller, Context, Outcome, Refused, format_scopes
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.cited_papers import find_cited_pmids
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.deadlines import Deadline
from sanya.kernel.detail import DETAIL
from sanya.kernel.dialect import FaultResponse
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
from sanya.kernel.ledger import Ledger, LedgerEntry, StoredAnswer, make_call_id
from sanya.kernel.limits import RateLimiter
from sanya.kernel.prepared_bodies import read_answer
from sanya.kernel.redaction import redact
from sanya.kernel.requests import RequestKey, RequestWindow, SharedWindow, check_fingerprint
from sanya.kernel.shapes import Shape
from sanya.kernel.stamp import Stamp, Status, derive_seed, digest
from sanya.kernel.suite import Suite
from sanya.kernel.tool import Tool

log = logging.getLogger(__name__)

# A request id stays claimed this much longer than the tool's time limit, so that the answer is stored before another
# process may claim the id.
_KEPT_AFTER_MS = 5_000

MIN_REQUESTS_PER_MINUTE = 600

Observer = Callable[[LedgerEntry, int, Call], None]
"""Called for every finished call with its ledger entry, its duration in nanoseconds and the call: metrics and
traces."""

Witness = Callable[[str, Tool, Call, datetime], Callable[[Outcome | None], None]]
"""Called for every call of a known tool as it begins, with its id and time; a shadow uses it. It returns a function
that is called with the outcome, or with None if the caller went away. Neither may block or raise."""


@dataclass(slots=True)
class _Attempt:
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
        """Carry out one call. Raises nothing but cancellation, which it records and passes on."""
        tool = self.catalogue.find_tool(call.tool)
        if tool is None:
            return self._refuse_unknown(call)
        return await self._start(self._begin(tool, call))

    async def read(self, call: Call) -> Outcome:
        """Read the resource whose URI is `call.tool`, on the same path as a call."""
        tool = self.catalogue.find_resource_tool(call.tool)
        if tool is None:
            return self._refuse_unknown(call)
        return await self._start(self._begin(tool, call._replace(arguments={"uri": call.tool})))

    async def complete(self, call: Call) -> Outcome:
        """Complete an argument, on the same path as a call. The arguments are those of `CompletionRequest`."""
        tool = self.catalogue.find_completion_tool(call.arguments["ref"], call.arguments["argument"])
        if tool is None:
            return self._refuse_unknown(call)
        return await self._carry_out(self._begin(tool, call))

    async def admit_request(self, caller: Caller) -> None:
        """Count a request that makes no call, such as a listing. Raises RateLimited.

        A client makes several of them before its first call, so they have a limit of their own, which is not lower
        than MIN_REQUESTS_PER_MINUTE.
        """
        if caller.calls_per_minute > 0:
            rate = max(caller.calls_per_minute, MIN_REQUESTS_PER_MINUTE)
            admission = self._limiter.admit(replace(caller, id=f"{caller.id} requests", calls_per_minute=rate))
            if admission is not None:
                await admission

    def _begin(self, tool: Tool, call: Call) -> _Attempt:
        started_ns = perf_counter_ns()
        fresh = secrets.token_hex(24)
        request_id = call.request_id or _format_uuid(fresh[16:])
        id, notes = call.id or make_call_id(fresh[:6]), dict(call.notes)
        return _Attempt(tool, call, id, started_ns, self._clock(), request_id, notes=notes)

    def _start(self, attempt: _Attempt) -> Awaitable[Outcome]:
        return self._carry_out(attempt) if self.witness is None else self._carry_out_witnessed(self.witness, attempt)

    async def _carry_out_witnessed(self, witness: Witness, attempt: _Attempt) -> Outcome:
        report = witness(attempt.id, attempt.tool, attempt.call, attempt.call.now or attempt.now)
        outcome: Outcome | None = None
        try:
            outcome = await self._carry_out(attempt)
            return outcome
        finally:
            report(outcome)

    async def _carry_out(self, attempt: _Attempt) -> Outcome:
        try:
            attempt.tool = await attempt.tool.open()
            return await self._run_within_deadline(attempt, self._admit(attempt))
        except asyncio.CancelledError:
            self._refuse(attempt, Cancelled("the caller went away"))
            raise
        except Internal as fault:
            return self._refuse(attempt, _report(attempt, fault, fault))
        except Fault as fault:
            return self._refuse(attempt, fault)
        except Exception as error:  # a bug: the caller gets an id, the log gets the rest
            return self._refuse(attempt, _report(attempt, error, Internal()))

    async def _run_within_deadline(self, attempt: _Attempt, request: Shape) -> Outcome:
        """Run everything that may wait within the tool's time limit, or the caller's if that is shorter."""
        timeout_ms = min(attempt.tool.timeout_ms, attempt.call.timeout_ms or attempt.tool.timeout_ms)
        attempt.deadline = deadline = Deadline(timeout_ms / 1000)
        try:
            admission = self._limiter.admit(attempt.call.caller)
            if admission is not None:
                await admission
            key = attempt.key
            if key is None:
                return await self._finish(attempt, await self._run(attempt, request))
            return await self._run_once(key, attempt, request)
        except asyncio.CancelledError:
            if not deadline.claim_cancellation():
                raise
            raise _make_deadline_fault(attempt, timeout_ms) from None
        finally:
            deadline.stop()

    def _admit(self, attempt: _Attempt) -> Shape:
        """Validate the arguments, then check the caller's scopes."""
        request = read_arguments(attempt.tool, attempt.call.arguments)
        attempt.given = request.model_dump(mode="json", by_alias=True)
        attempt.canonical_input = _serialise(attempt.given, plain=attempt.tool.has_plain_input)
        attempt.in_hash = digest(attempt.canonical_input)
        caller = attempt.call.caller
        for scope in attempt.tool.required_scopes:
            if not caller.may(scope):
                raise Forbidden(f"{attempt.tool.name} needs the scope {scope}", details={"scope": scope})
        return request

    async def _run_once(self, key: RequestKey, attempt: _Attempt, request: Shape) -> Outcome:
        """Run a call that has a request id: the first one runs, the others get its answer."""
        first = await self._window.claim(key, attempt.fingerprint)
        if first is not None:
            return first._replace(replayed=True)
        is_kept = False
        try:
            answered = await self._find_stored_answer(key, attempt)
            if answered is None:
                answered = await self._run_once_among_processes(key, attempt, request)
            self._window.keep(key, answered)
            is_kept = True
            return answered
        finally:
            if not is_kept:
                self._window.release(key)

    async def _run_once_among_processes(self, key: RequestKey, attempt: _Attempt, request: Shape) -> Answered:
        """Run the call, unless another process of this home has run it or is running it: then wait for that answer."""
        shared = self._shared_window
        if shared is None:
            return await self._finish(attempt, await self._run(attempt, request))
        hold_ms = attempt.tool.timeout_ms + _KEPT_AFTER_MS
        stored = await shared.claim(key, attempt.fingerprint, attempt.id, hold_ms)
        if stored is not None:
            return _restore_answer(stored, attempt)
        try:
            answered = await self._finish(attempt, await self._run(attempt, request))
        except BaseException:
            await shared.release(key, attempt.id)
            raise
        if attempt.deadline is not None:
            attempt.deadline.stop()  # the call is done; sharing its answer is not limited by its deadline
        await shared.keep(self._make_stored_answer(key, attempt, answered))
        return answered

    async def _find_stored_answer(self, key: RequestKey, attempt: _Attempt) -> Answered | None:
        if attempt.tool.effect == "read":
            return None
        stored = await self._ledger.find_answer(*key, at=format_timestamp(attempt.now))
        if stored is None:
            return None
        check_fingerprint(key, stored.fingerprint, attempt.fingerprint)
        return _restore_answer(stored, attempt)

    async def _run(self, attempt: _Attempt, request: Shape) -> dict[str, Any]:
        """Run the handler and return the body as plain JSON, validated against the published schema."""
        call, tool = attempt.call, attempt.tool
        if tool.effect == "write":
            self._ledger.check_open()
        context = Context(
            attempt.id,
            call.caller,
            call.now or attempt.now,
            derive_seed(attempt.in_hash),
            call.progress,
            attempt.in_hash,
            attempt.request_key,
            attempt.notes.__setitem__,
            attempt.cited.extend,
        )
        body, checked = read_answer(await tool.handler(request, context))
        if not tool.body_validator.is_valid(checked):
            problem = next(iter(tool.body_validator.iter_errors(checked)), None)
            raise InvariantBroken(f"{tool.name} returned a body that breaks its contract: {problem}")
        return body

    async def _finish(self, attempt: _Attempt, body: dict[str, Any]) -> Answered:
        tool = attempt.tool
        is_short = attempt.given is not None and attempt.given.get(DETAIL) == "short" and tool.takes_detail
        allowed, render = attempt.call.max_answer_bytes, partial(render_answer, tool, is_short=is_short)
        full, (body, hashed) = body, render(body)
        if allowed is not None and len(hashed) > allowed:
            body, hashed = fit_answer(full, allowed, tool, attempt.given, render)
        stamp = _make_stamp(attempt, digest(hashed), "ok")
        if tool.dialect.stamp_in_body and not is_short:
            body["audit"] = stamp.as_json()
        answered = Answered(attempt.id, tool, body, stamp, attempt.request_id, notes=attempt.notes)
        attempt.cited = find_cited_pmids(hashed, attempt.cited) if self.catalogue.has_public_citations(tool) else []
        self._record(attempt, stamp, None, self._make_answer_to_store(attempt, answered))
        if tool.effect == "write":
            try:
                await self._ledger.flush()
            except StoreUnavailable as fault:
                raise _make_unrecorded_fault(fault) from fault
        return answered

    def _make_answer_to_store(self, attempt: _Attempt, answered: Answered) -> StoredAnswer | None:
        if attempt.key is None or attempt.tool.effect == "read":
            return None
        return self._make_stored_answer(attempt.key, attempt, answered)

    def _make_stored_answer(self, key: RequestKey, attempt: _Attempt, answered: Answered) -> StoredAnswer:
        caller, request_id = key
        outcome = orjson.dumps({"body": answered.body, "stamp": answered.stamp.as_json()}).decode("utf-8")
        expires = format_timestamp(attempt.now + timedelta(seconds=self._window.window_s))
        return StoredAnswer(attempt.id, caller, request_id, attempt.fingerprint, outcome, expires)

    def _refuse(self, attempt: _Attempt, fault: Fault) -> Outcome:
        tool = attempt.tool
        if not attempt.in_hash:
            attempt.canonical_input = _serialise_refused(attempt.call.arguments)
            attempt.in_hash = digest(attempt.canonical_input)
        response = tool.dialect.render_fault(fault, tool)
        if response.repeat is not None:
            response = replace(response, body={**response.body, **response.repeat(attempt.call.arguments)})
        stamp = _make_stamp(attempt, digest(to_canonical_json(response.body)), "error" if response.is_error else "ok")
        body = {**response.body, "audit": stamp.as_json()} if tool.dialect.stamp_in_body else response.body
        self._record_refusal(attempt, stamp, fault)
        if not response.is_error:
            return Answered(attempt.id, tool, body, stamp, attempt.request_id)
        return _make_refusal(attempt.id, tool, fault, replace(response, body=body), attempt.request_id, stamp)

    def _refuse_unknown(self, call: Call) -> Refused:
        """Refuse a name that no tool has. Without a tool there is no contract, no dialect and no ledger row."""
        fault = UnknownTool(self.catalogue.suggest(call.tool), details={"name": call.tool[:128]})
        error = {"code": "NOT_FOUND", "message": fault.message, "retry_after_ms": None, "details": fault.details}
        sealed = _serialise_refused(call.arguments)
        in_hash = digest(sealed)
        stamp = Stamp(in_hash, digest(to_canonical_json(error)), derive_seed(in_hash), 0, "error")
        return _make_refusal(
            "", None, fault, FaultResponse(error, error, fault.message), call.request_id or str(uuid4()), stamp
        )

    def _record_refusal(self, attempt: _Attempt, stamp: Stamp, fault: Fault) -> None:
        """Record a refusal, unless the call has a row: a write that happened keeps the row that says so."""
        if attempt.recorded:
            return
        try:
            self._record(attempt, stamp, fault, None)
        except Fault as unwritten:
            log.error("refusal not recorded in the ledger: %s", unwritten.message)

    def _record(self, attempt: _Attempt, stamp: Stamp, fault: Fault | None, answer: StoredAnswer | None) -> None:
        tool, call = attempt.tool, attempt.call
        stored_input, redacted = redact(attempt.canonical_input, attempt.given, tool.redacted_paths)
        entry = LedgerEntry(
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
            input=stored_input,
            redacted=redacted,
            contract_hash=tool.contract_hash,
            scopes=format_scopes(call.caller.scopes),
            asked_by=call.asked_by,
        )
        self._ledger.record(entry, answer, attempt.cited if fault is None else ())
        attempt.recorded = True
        for observe in self._observers:
            observe(entry, perf_counter_ns() - attempt.started_ns, call)


def _make_deadline_fault(attempt: _Attempt, timeout_ms: int) -> Fault:
    """Return the fault for a call whose time is over. Nobody can tell how far a write has come."""
    if attempt.recorded:
        return _make_unrecorded_fault(StoreUnavailable("the audit ledger does not answer"))
    message = f"{attempt.tool.name} did not finish within {timeout_ms} ms"
    if attempt.tool.effect == "read":
        return DeadlineExceeded(message)
    unknown = "the write may or may not have happened: check, or retry with the same request id"
    return DeadlineExceeded(f"{message}; {unknown}", details={"outcome": "unknown"})


def _make_unrecorded_fault(fault: StoreUnavailable) -> StoreUnavailable:
    """Return the fault for a write that happened but is not in the ledger yet, so it cannot be acknowledged."""
    message = f"the write happened but is not recorded yet: {fault.message}; retry with the same request id"
    return StoreUnavailable(message, retry_after_ms=fault.retry_after_ms or 1000, details={"outcome": "made"})


def _make_refusal(
    id: str, tool: Tool | None, fault: Fault, response: FaultResponse, request_id: str, stamp: Stamp
) -> Refused:
    return Refused(
        id=id,
        tool=tool,
        fault=fault,
        error=response.error,
        body=response.body,
        message=response.message,
        request_id=request_id,
        stamp=stamp,
    )


def _format_uuid(digits: str) -> str:
    """Return a version 4 UUID made of 32 random hex digits; `uuid.uuid4` takes three times as long."""
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _restore_answer(stored: StoredAnswer, attempt: _Attempt) -> Answered:
    outcome = orjson.loads(stored.outcome)
    stamp = Stamp(**outcome["stamp"])
    return Answered(stored.entry_id, attempt.tool, outcome["body"], stamp, attempt.request_id, replayed=True)


def _make_stamp(attempt: _Attempt, out_hash: str, status: Status) -> Stamp:
    latency_ms = (perf_counter_ns() - attempt.started_ns) // 1_000_000
    return Stamp(attempt.in_hash, out_hash, derive_seed(attempt.in_hash), latency_ms, status)


def _serialise(given: dict[str, Any], *, plain: bool) -> bytes:
    try:
        return to_canonical_json(given, plain=plain)
    except ValueError as error:
        raise InvalidArgument(f"arguments hold a value that JSON cannot represent: {error}") from None


def _serialise_refused(arguments: Any) -> bytes:
    """Return the canonical bytes of refused arguments, `{}` if they have none."""
    try:
        return to_canonical_json(dict(arguments))
    except (ValueError, TypeError, RecursionError):
        return b"{}"


def _report(attempt: _Attempt, error: Exception, fault: Internal) -> Internal:
    """Log the error under a new id, which is all that the caller gets."""
    fault.error_id = "err_" + secrets.token_hex(8)
    log.error("%s failed", attempt.tool.name, exc_info=error, extra={"error_id": fault.error_id, "call_id": attempt.id})
    return fault
