"""The path of every call: find → validate → authorise → limit → run in time → validate the body → stamp → ledger.

Every surface calls `Kernel.call`, or `Kernel.read` for a resource, which takes the same path.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter_ns
from typing import Any
from uuid import uuid4

import orjson

from sanya.kernel.calls.answer_size import SHORTENED, fit_answer, make_smaller_request, render_answer
from sanya.kernel.calls.arguments import read_arguments
from sanya.kernel.calls.attempt import (
    CallAttempt,
    format_uuid,
    generate_digits,
    make_stamp,
    restore_answer,
    serialise_arguments,
    serialise_refused,
)
from sanya.kernel.calls.call import Answered, Call, Caller, Context, Outcome, Refused, format_scopes
from sanya.kernel.calls.guarded_waits import run_guarded
from sanya.kernel.calls.limits import RateLimiter
from sanya.kernel.calls.prepared_bodies import find_pmids, read_answer
from sanya.kernel.calls.refusals import make_deadline_fault, make_refusal, make_unrecorded_fault, report_error
from sanya.kernel.calls.requests import RequestKey, RequestWindow, SharedWindow, check_fingerprint
from sanya.kernel.calls.stamp import Stamp, derive_seed, digest
from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.detail import DETAIL
from sanya.kernel.contracts.dialect import FaultResponse
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import (
    AnswerTooLarge,
    Cancelled,
    Fault,
    Forbidden,
    Internal,
    InvariantBroken,
    StoreUnavailable,
    UnknownTool,
)
from sanya.kernel.ledger.chain import Ledger, LedgerEntry, StoredAnswer, make_call_id
from sanya.kernel.ledger.redaction import redact

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
        self._random_digits = generate_digits()
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

    def _begin(self, tool: Tool, call: Call) -> CallAttempt:
        started_ns = perf_counter_ns()
        fresh = next(self._random_digits)
        request_id = call.request_id or format_uuid(fresh[16:])
        id, notes = call.id or make_call_id(fresh[:6]), dict(call.notes)
        return CallAttempt(tool, call, id, started_ns, self._clock(), request_id, notes=notes)

    def _start(self, attempt: CallAttempt) -> Awaitable[Outcome]:
        return self._carry_out(attempt) if self.witness is None else self._carry_out_witnessed(self.witness, attempt)

    async def _carry_out_witnessed(self, witness: Witness, attempt: CallAttempt) -> Outcome:
        report = witness(attempt.id, attempt.tool, attempt.call, attempt.call.now or attempt.now)
        outcome: Outcome | None = None
        try:
            outcome = await self._carry_out(attempt)
            return outcome
        finally:
            report(outcome)

    async def _carry_out(self, attempt: CallAttempt) -> Outcome:
        try:
            attempt.tool = await attempt.tool.open()
            return await self._run_within_deadline(attempt, self._admit(attempt))
        except asyncio.CancelledError:
            self._refuse(attempt, Cancelled("the caller went away"))
            raise
        except Internal as fault:
            return self._refuse(attempt, report_error(attempt, fault, fault))
        except Fault as fault:
            return self._refuse(attempt, fault)
        except Exception as error:  # a bug: the caller gets an id, the log gets the rest
            return self._refuse(attempt, report_error(attempt, error, Internal()))

    async def _run_within_deadline(self, attempt: CallAttempt, request: Shape) -> Outcome:
        """Run everything that may wait within the tool's time limit, or the caller's if that is shorter."""
        try:
            return await run_guarded(self._run_admitted(attempt, request), attempt.start_deadline)
        except asyncio.CancelledError:
            if attempt.deadline is None or not attempt.deadline.claim_cancellation():
                raise
            raise make_deadline_fault(attempt) from None
        finally:
            if attempt.deadline is not None:
                attempt.deadline.stop()

    async def _run_admitted(self, attempt: CallAttempt, request: Shape) -> Outcome:
        """Run a call that may run, once its caller's rate admits it."""
        admission = self._limiter.admit(attempt.call.caller)
        if admission is not None:
            await admission
        key = attempt.key
        if key is None:
            return await self._answer(attempt, request)
        return await self._run_once(key, attempt, request)

    def _admit(self, attempt: CallAttempt) -> Shape:
        """Validate the arguments, then check the caller's scopes."""
        request = read_arguments(attempt.tool, attempt.call.arguments)
        attempt.given = request.model_dump(mode="json", by_alias=True)
        attempt.canonical_input = serialise_arguments(attempt.given, plain=attempt.tool.has_plain_input)
        attempt.in_hash = digest(attempt.canonical_input)
        caller = attempt.call.caller
        for scope in attempt.tool.required_scopes:
            if not caller.may(scope):
                raise Forbidden(f"{attempt.tool.name} needs the scope {scope}", details={"scope": scope})
        return request

    async def _run_once(self, key: RequestKey, attempt: CallAttempt, request: Shape) -> Outcome:
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

    async def _run_once_among_processes(self, key: RequestKey, attempt: CallAttempt, request: Shape) -> Answered:
        """Run the call, unless another process of this home has run it or is running it: then wait for that answer."""
        shared = self._shared_window
        if shared is None:
            return await self._answer(attempt, request)
        hold_ms = attempt.tool.timeout_ms + _KEPT_AFTER_MS
        stored = await shared.claim(key, attempt.fingerprint, attempt.id, hold_ms)
        if stored is not None:
            return restore_answer(stored, attempt)
        try:
            answered = await self._answer(attempt, request)
        except BaseException:
            await shared.release(key, attempt.id)
            raise
        if attempt.deadline is not None:
            attempt.deadline.stop()  # the call is done; sharing its answer is not limited by its deadline
        await shared.keep(self._make_stored_answer(key, attempt, answered))
        return answered

    async def _find_stored_answer(self, key: RequestKey, attempt: CallAttempt) -> Answered | None:
        if attempt.tool.effect == "read":
            return None
        stored = await self._ledger.find_answer(*key, at=format_timestamp(attempt.now))
        if stored is None:
            return None
        check_fingerprint(key, stored.fingerprint, attempt.fingerprint)
        return restore_answer(stored, attempt)

    async def _run(self, attempt: CallAttempt, request: Shape) -> dict[str, Any]:
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

    async def _answer(self, attempt: CallAttempt, request: Shape) -> Answered:
        """Run the call and finish it, with smaller pages until one fits the connection where the tool has pages."""
        asked = request
        while True:
            body = await self._run(attempt, request)
            if request is not asked:
                body[SHORTENED] = True
            try:
                return await self._finish(attempt, body)
            except AnswerTooLarge as fault:
                smaller = make_smaller_request(attempt.tool, request, fault)
                if smaller is None:
                    raise
                request = smaller

    async def _finish(self, attempt: CallAttempt, body: dict[str, Any]) -> Answered:
        tool = attempt.tool
        is_short = attempt.given is not None and attempt.given.get(DETAIL) == "short" and tool.takes_detail
        allowed, render = attempt.call.max_answer_bytes, partial(render_answer, tool, is_short=is_short)
        full, (body, hashed) = body, render(body)
        if allowed is not None and len(hashed) > allowed:
            body, hashed = fit_answer(full, allowed, tool, attempt.given, render)
        stamp = make_stamp(attempt, digest(hashed), "ok")
        if tool.dialect.stamp_in_body and not is_short:
            body["audit"] = stamp.as_json()
        answered = Answered(attempt.id, tool, body, stamp, attempt.request_id, notes=attempt.notes)
        attempt.cited = find_pmids(body, hashed, attempt.cited) if self.catalogue.has_public_citations(tool) else []
        self._record(attempt, stamp, None, self._make_answer_to_store(attempt, answered))
        if tool.effect == "write":
            try:
                await self._ledger.flush()
            except StoreUnavailable as fault:
                raise make_unrecorded_fault(fault) from fault
        return answered

    def _make_answer_to_store(self, attempt: CallAttempt, answered: Answered) -> StoredAnswer | None:
        if attempt.key is None or attempt.tool.effect == "read":
            return None
        return self._make_stored_answer(attempt.key, attempt, answered)

    def _make_stored_answer(self, key: RequestKey, attempt: CallAttempt, answered: Answered) -> StoredAnswer:
        caller, request_id = key
        outcome = orjson.dumps({"body": answered.body, "stamp": answered.stamp.as_json()}).decode("utf-8")
        expires = format_timestamp(attempt.now + timedelta(seconds=self._window.window_s))
        return StoredAnswer(attempt.id, caller, request_id, attempt.fingerprint, outcome, expires)

    def _refuse(self, attempt: CallAttempt, fault: Fault) -> Outcome:
        tool = attempt.tool
        if not attempt.in_hash:
            attempt.canonical_input = serialise_refused(attempt.call.arguments)
            attempt.in_hash = digest(attempt.canonical_input)
        response = tool.dialect.render_fault(fault, tool)
        if response.repeat is not None:
            response = replace(response, body={**response.body, **response.repeat(attempt.call.arguments)})
        stamp = make_stamp(attempt, digest(to_canonical_json(response.body)), "error" if response.is_error else "ok")
        body = {**response.body, "audit": stamp.as_json()} if tool.dialect.stamp_in_body else response.body
        self._record_refusal(attempt, stamp, fault)
        if not response.is_error:
            return Answered(attempt.id, tool, body, stamp, attempt.request_id)
        return make_refusal(attempt.id, tool, fault, replace(response, body=body), attempt.request_id, stamp)

    def _refuse_unknown(self, call: Call) -> Refused:
        """Refuse a name that no tool has. Without a tool there is no contract, no dialect and no ledger row."""
        fault = UnknownTool(self.catalogue.suggest(call.tool), details={"name": call.tool[:128]})
        error = {"code": "NOT_FOUND", "message": fault.message, "retry_after_ms": None, "details": fault.details}
        sealed = serialise_refused(call.arguments)
        in_hash = digest(sealed)
        stamp = Stamp(in_hash, digest(to_canonical_json(error)), derive_seed(in_hash), 0, "error")
        return make_refusal(
            "", None, fault, FaultResponse(error, error, fault.message), call.request_id or str(uuid4()), stamp
        )

    def _record_refusal(self, attempt: CallAttempt, stamp: Stamp, fault: Fault) -> None:
        """Record a refusal, unless the call has a row: a write that happened keeps the row that says so."""
        if attempt.recorded:
            return
        try:
            self._record(attempt, stamp, fault, None)
        except Fault as unwritten:
            log.error("refusal not recorded in the ledger: %s", unwritten.message)

    def _record(self, attempt: CallAttempt, stamp: Stamp, fault: Fault | None, answer: StoredAnswer | None) -> None:
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
