"""One question to an outside party and its answer, asked again while there is hope; while there is none, the party is
left alone."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from sanya.kernel.breaker import Attempt, Breaker, Breakers, Tolerance
from sanya.kernel.faults import Fault, RateLimited, Unauthorized, UpstreamFailed
from sanya.sources.egress import Outside
from sanya.sources.pace import Budget, Clock, Patience, Unlimited

_BUSY = {408, 429, 500, 502, 503, 504}
# An answer all the same, but none that a party in good health gives.
_DOWN = {500, 502, 503, 504}
_KEY_REFUSED = {401, 403}
_ENDLESS = Tolerance(failures=sys.maxsize)
T = TypeVar("T")


class BadAnswer(ValueError):
    """An answer that cannot be read: cut off, an HTML page, something else. Perhaps the next one can."""


@dataclass(frozen=True, slots=True)
class Question:
    """`what` names it to people. `data`, a form, or `content`, as it is, makes it a POST."""

    what: str
    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] | None = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manners:
    """How a party speaks of itself to people, and which of its answers mean what."""

    name: str
    source: str
    wait_hint: str
    """What a person can do when the party takes no more questions."""
    key_hint: str = ""
    too_many: frozenset[int] = frozenset({429})
    nothing: frozenset[int] = frozenset()
    """Statuses of an answer without content."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    outside: Outside
    manners: Manners
    breaker: Breaker
    budget: Budget = field(default_factory=Unlimited)
    clock: Clock = field(default_factory=Clock)
    patience: Patience = field(default_factory=Patience)

    async def ask(self, question: Question, read: Callable[[bytes], T]) -> T:
        """The answer as `read` understands it; a BadAnswer of `read` counts as a failure like any other. A party that
        did not answer others is asked one question once; whoever else asks meanwhile is refused at once."""
        number = 0
        with self.breaker.admit() as attempt:
            tries = 1 if attempt.is_trial else self.patience.tries
            while True:
                await self.budget.take()
                try:
                    answer = read(await self._once(question))
                except (_Refused, BadAnswer, UpstreamFailed) as failure:
                    fault, asked_s = self._judged(question, failure, attempt)
                else:
                    attempt.succeeded()
                    return answer
                if number + 1 >= tries:
                    raise fault
                await self.clock.sleep(self.patience.wait_s(number, asked_s))
                number += 1

    def _judged(
        self, question: Question, failure: _Refused | BadAnswer | UpstreamFailed, attempt: Attempt
    ) -> tuple[Fault, float | None]:
        """What to tell of a failure that may pass, and how long the party asked to wait. Raises what will not pass."""
        match failure:
            case _Refused():
                fault = self._fault(question, failure)
                if failure.status in _DOWN:
                    attempt.failed()
                if not self._is_passing(failure):
                    raise fault from None
                return fault, failure.retry_after_s
            case BadAnswer():
                attempt.failed()
                told = f"{self.manners.name} {failure} ({question.what})"
                return UpstreamFailed(told, source=self.manners.source), None
            case _:
                attempt.failed()
                return failure, None

    async def _once(self, question: Question) -> bytes:
        limits = self.outside.limits
        try:
            async with (
                asyncio.timeout(limits.total_s),
                self.outside.client.stream(
                    "GET" if question.data is None and question.content is None else "POST",
                    question.url,
                    params=dict(question.params) or None,
                    data=None if question.data is None else dict(question.data),
                    content=question.content,
                    headers=dict(question.headers),
                ) as response,
            ):
                if response.status_code in self.manners.nothing:
                    return b""
                if response.status_code != httpx.codes.OK:
                    raise _Refused(response.status_code, _retry_after_s(response))
                return await self._whole(response)
        except httpx.DecodingError:
            raise BadAnswer("answered with a damaged compression") from None
        except TimeoutError:
            raise self._broken(f"did not answer within {limits.total_s:g} s") from None
        except httpx.HTTPError as error:
            raise self._broken(f"failed ({type(error).__name__})") from error

    async def _whole(self, response: httpx.Response) -> bytes:
        most, body = self.outside.limits.max_bytes, bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > most:
                raise BadAnswer(f"answered with more than {most // 1024**2} MB")
        return bytes(body)

    def _is_passing(self, refused: _Refused) -> bool:
        return refused.status in self.manners.too_many or refused.status in _BUSY

    def _fault(self, question: Question, refused: _Refused) -> Fault:
        manners = self.manners
        if refused.status in manners.too_many:
            wait_ms = None if refused.retry_after_s is None else int(refused.retry_after_s * 1000)
            return RateLimited(
                f"{manners.name} takes no more questions for now; {manners.wait_hint}", retry_after_ms=wait_ms
            )
        if refused.status in _KEY_REFUSED and manners.key_hint:
            return Unauthorized(f"{manners.name} does not take the key; {manners.key_hint}")
        told = f"{manners.name} answered with status {refused.status} ({question.what})"
        return UpstreamFailed(told, source=manners.source)

    def _broken(self, what: str) -> UpstreamFailed:
        """The way there failed, not what the party said."""
        return UpstreamFailed(f"{self.outside.source} {what}", source=self.outside.source)


def breaker_of(manners: Manners, breakers: Breakers | None) -> Breaker:
    """Who asks on their own account, as a command does, has no breakers, and is told every time what failed."""

    def refusal(wait_ms: int) -> UpstreamFailed:
        return UpstreamFailed(f"{manners.name} does not answer", source=manners.source, retry_after_ms=wait_ms)

    return (breakers or Breakers(_ENDLESS)).of(manners.name, refusal)


class _Refused(Exception):
    def __init__(self, status: int, retry_after_s: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after_s = retry_after_s


def _retry_after_s(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() and len(value) < 6 else None
