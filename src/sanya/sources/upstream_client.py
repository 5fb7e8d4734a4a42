"""Sends a request to a remote service: retries while that may help, and stops when the circuit breaker is open."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from sanya.kernel.breaker import Attempt, Breaker, BreakerPolicy, Breakers
from sanya.kernel.faults import Fault, RateLimited, Unauthorized, UpstreamFailed
from sanya.sources.egress import EgressClient
from sanya.sources.pacing import Budget, Clock, RetryPolicy, Unlimited

_BUSY = {408, 429, 500, 502, 503, 504}
# Responses that a healthy service does not give.
_DOWN = {500, 502, 503, 504}
_KEY_REFUSED = {401, 403}
# Until the circuit is open nobody knows how long an outage lasts.
_RETRY_AFTER_MS = 5000
_ENDLESS = BreakerPolicy(failures=sys.maxsize)
T = TypeVar("T")


class MalformedResponse(ValueError):
    """A response that cannot be parsed: cut off, an HTML page, another format. A retry may help."""


@dataclass(frozen=True, slots=True)
class UpstreamRequest:
    """A request. `what` names it in messages. `data` (a form) or `content` (raw bytes) makes it a POST."""

    what: str
    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] | None = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UpstreamProfile:
    """A remote service: its name in messages, and the meaning of its statuses."""

    name: str
    source: str
    wait_hint: str
    """Advice for the user while the service refuses requests."""
    key_hint: str = ""
    rate_limit_statuses: frozenset[int] = frozenset({429})
    empty_statuses: frozenset[int] = frozenset()
    """Statuses of a response without content."""


@dataclass(frozen=True, kw_only=True)
class UpstreamClient:
    egress: EgressClient
    profile: UpstreamProfile
    breaker: Breaker
    budget: Budget = field(default_factory=Unlimited)
    clock: Clock = field(default_factory=Clock)
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)

    async def send(self, request: UpstreamRequest, read: Callable[[bytes], T]) -> T:
        """Return the response as `read` parses it. A MalformedResponse of `read` counts as a failure.

        While the breaker is open, one trial request is made once; others are refused at once.
        """
        number = 0
        with self.breaker.admit() as attempt:
            tries = 1 if attempt.is_trial else self.retry_policy.tries
            while True:
                await self.budget.take()
                try:
                    answer = read(await self._send_once(request))
                except (_ErrorStatus, MalformedResponse, UpstreamFailed) as failure:
                    fault, asked_s = self._classify_failure(request, failure, attempt)
                else:
                    attempt.report_success()
                    return answer
                if number + 1 >= tries:
                    raise fault
                await self.clock.sleep(self.retry_policy.compute_wait_s(number, asked_s))
                number += 1

    def _classify_failure(
        self, request: UpstreamRequest, failure: _ErrorStatus | MalformedResponse | UpstreamFailed, attempt: Attempt
    ) -> tuple[Fault, float | None]:
        """Return the fault of a failure that may pass, and the wait that the service asked for.

        Raise what will not pass.
        """
        match failure:
            case _ErrorStatus():
                fault = self._make_fault(request, failure)
                if failure.status in _DOWN:
                    attempt.report_failure()
                if not self._is_retryable(failure):
                    raise fault from None
                return fault, failure.retry_after_s
            case MalformedResponse():
                attempt.report_failure()
                return self._make_outage(f"{self.profile.name} {failure} ({request.what})"), None
            case _:
                attempt.report_failure()
                return self._make_outage(failure.message), None

    async def _send_once(self, request: UpstreamRequest) -> bytes:
        limits = self.egress.limits
        try:
            async with (
                asyncio.timeout(limits.total_s),
                self.egress.client.stream(
                    "GET" if request.data is None and request.content is None else "POST",
                    request.url,
                    params=dict(request.params) or None,
                    data=None if request.data is None else dict(request.data),
                    content=request.content,
                    headers=dict(request.headers),
                ) as response,
            ):
                if response.status_code in self.profile.empty_statuses:
                    return b""
                if response.status_code != httpx.codes.OK:
                    raise _ErrorStatus(response.status_code, _read_retry_after_s(response))
                return await self._read_body(response)
        except httpx.DecodingError:
            raise MalformedResponse("answered with a damaged compression") from None
        except TimeoutError:
            raise self._make_transport_fault(f"did not answer within {limits.total_s:g} s") from None
        except httpx.HTTPError as error:
            raise self._make_transport_fault(f"failed ({type(error).__name__})") from error

    async def _read_body(self, response: httpx.Response) -> bytes:
        most, body = self.egress.limits.max_bytes, bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > most:
                raise MalformedResponse(f"answered with more than {most // 1024**2} MB")
        return bytes(body)

    def _is_retryable(self, refused: _ErrorStatus) -> bool:
        return refused.status in self.profile.rate_limit_statuses or refused.status in _BUSY

    def _make_fault(self, request: UpstreamRequest, refused: _ErrorStatus) -> Fault:
        profile = self.profile
        if refused.status in profile.rate_limit_statuses:
            wait_ms = None if refused.retry_after_s is None else int(refused.retry_after_s * 1000)
            return RateLimited(
                f"{profile.name} refuses further requests for now; {profile.wait_hint}", retry_after_ms=wait_ms
            )
        if refused.status in _KEY_REFUSED and profile.key_hint:
            return Unauthorized(f"{profile.name} refuses the key; {profile.key_hint}")
        message = f"{profile.name} answered with status {refused.status} ({request.what})"
        if self._is_retryable(refused):
            return self._make_outage(message)
        return UpstreamFailed(message, source=profile.source)

    def _make_outage(self, message: str) -> UpstreamFailed:
        return UpstreamFailed(message, source=self.profile.source, retry_after_ms=_RETRY_AFTER_MS)

    def _make_transport_fault(self, what: str) -> UpstreamFailed:
        """Return the fault of a connection that failed."""
        return UpstreamFailed(f"{self.egress.source} {what}", source=self.egress.source)


def choose_breaker(profile: UpstreamProfile, breakers: Breakers | None) -> Breaker:
    """Return the breaker of the service. A command has no shared breakers and reports every failure."""

    def make_fault(wait_ms: int) -> UpstreamFailed:
        return UpstreamFailed(
            f"{profile.name} does not respond", source=profile.source, was_asked=False, retry_after_ms=wait_ms
        )

    return (breakers or Breakers(_ENDLESS)).get(profile.name, make_fault)


class _ErrorStatus(Exception):
    def __init__(self, status: int, retry_after_s: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after_s = retry_after_s


def _read_retry_after_s(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() and len(value) < 6 else None
