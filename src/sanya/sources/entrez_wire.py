"""One question to E-utilities and its answer, asked again while there is hope.

Everything goes as POST: lists of ids are long, and a key in an address would end up in logs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from sanya.kernel.faults import Fault, RateLimited, UpstreamFailed
from sanya.sources.egress import Outside
from sanya.sources.pace import Budget, Clock, Patience

SOURCE = "entrez"
_TOO_MANY = 429
_BUSY = {408, 500, 502, 503, 504}
T = TypeVar("T")


class BadAnswer(ValueError):
    """An answer that cannot be read: cut off, an HTML page, something else. Perhaps the next one can."""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """`identity` goes with every question: who asks, and the key."""

    outside: Outside
    url: str
    budget: Budget
    identity: Mapping[str, str] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    patience: Patience = field(default_factory=Patience)

    async def ask(self, utility: str, question: Mapping[str, str], read: Callable[[bytes], T]) -> T:
        """The answer as `read` understands it; a BadAnswer of `read` counts as a failure like any other."""
        attempt = 0
        while True:
            await self.budget.take()
            try:
                return read(await self._once(utility, question))
            except _Refused as refused:
                fault, asked_s = refused.fault(utility), refused.retry_after_s
                if not refused.is_passing:
                    raise fault from None
            except BadAnswer as bad:
                fault, asked_s = UpstreamFailed(f"PubMed's {utility} {bad}", source=SOURCE), None
            except UpstreamFailed as unreachable:
                fault, asked_s = unreachable, None
            if attempt + 1 >= self.patience.tries:
                raise fault
            await self.clock.sleep(self.patience.wait_s(attempt, asked_s))
            attempt += 1

    async def _once(self, utility: str, question: Mapping[str, str]) -> bytes:
        limits, data = self.outside.limits, {**self.identity, **question}
        try:
            async with (
                asyncio.timeout(limits.total_s),
                self.outside.client.stream("POST", f"{self.url}/{utility}.fcgi", data=data) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise _Refused(response.status_code, _retry_after_s(response))
                body = bytearray()
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > limits.max_bytes:
                        raise BadAnswer(f"answered with more than {limits.max_bytes // 1024**2} MB")
                return bytes(body)
        except httpx.DecodingError:
            raise BadAnswer("answered with a damaged compression") from None
        except TimeoutError:
            raise self._broken(f"did not answer within {limits.total_s:g} s") from None
        except httpx.HTTPError as error:
            raise self._broken(f"failed ({type(error).__name__})") from error

    def _broken(self, what: str) -> UpstreamFailed:
        """The way there failed, not what PubMed said."""
        return UpstreamFailed(f"{self.outside.source} {what}", source=self.outside.source)


class _Refused(Exception):
    def __init__(self, status: int, retry_after_s: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after_s = retry_after_s

    @property
    def is_passing(self) -> bool:
        return self.status == _TOO_MANY or self.status in _BUSY

    def fault(self, utility: str) -> Fault:
        if self.status == _TOO_MANY:
            wait_ms = None if self.retry_after_s is None else int(self.retry_after_s * 1000)
            return RateLimited(
                "PubMed takes no more questions from this address for now; ask again later, or set entrez_api_key",
                retry_after_ms=wait_ms,
            )
        return UpstreamFailed(f"PubMed's {utility} answered with status {self.status}", source=SOURCE)


def _retry_after_s(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() and len(value) < 6 else None
