"""The request window: a call repeated under the same request id gets the first answer again.

A caller that lost an answer cannot know whether its write happened, so it sends the call again under the same request
id. For ten minutes (the window) the server remembers each id with a fingerprint of its call: the tool and the hash of
the input. A repeat with the same fingerprint gets the stored answer; while the first call still runs, the repeat waits
for it. A repeat with another fingerprint is refused, because one id must not name two calls. A refused call is not
remembered, so it may be repeated under its id. Three places are asked in turn: this process's window, the ledger's
store (which keeps the answers of writes, so a retry after a crash does not write twice), and the window that several
processes of one home share, if there is one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from sys import getsizeof
from typing import Generic, NoReturn, Protocol, TypeVar

import orjson

from sanya.kernel.calls.call import Answered
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.chain import StoredAnswer

_MAX_ENTRIES = 10_000
_MAX_BYTES = 16 * 1024 * 1024

RequestKey = tuple[str, str]

RETRY_PERIOD = timedelta(hours=1)
"""A write that finds its work already done under its own request id takes it for the work of an earlier attempt, if it
is not older than this. Nobody retries for longer, and callers that number their requests from 1 start over some day."""


_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class _Slot(Generic[_Answer]):
    """A claimed request id."""

    fingerprint: str
    answer: asyncio.Future[_Answer | None]
    expires: float
    size: int = 0


class ClaimWindow(Generic[_Answer]):
    """Request ids, each with the answer of the first call under it, for `window_s` seconds and as memory allows.

    `claim` returns the first answer, or None for the first call, which must then `keep` or `release` the key."""

    def __init__(self, window_s: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.window_s = window_s
        self._monotonic = monotonic
        self._slots: dict[RequestKey, _Slot[_Answer]] = {}
        # Apart from the ids that wait for their answer, which must not be forgotten: those would stand in the way of
        # older answers that can be.
        self._answered: dict[RequestKey, _Slot[_Answer]] = {}
        self._bytes = 0

    async def claim(self, key: RequestKey, fingerprint: str) -> _Answer | None:
        while (slot := self._find_current(key)) is not None:
            check_fingerprint(key, slot.fingerprint, fingerprint)
            answer = await asyncio.shield(slot.answer)
            if answer is not None:
                return answer
        future = asyncio.get_running_loop().create_future()
        self._slots[key] = _Slot(fingerprint, future, self._monotonic() + self.window_s)
        return None

    def keep(self, key: RequestKey, answer: _Answer, size: int) -> None:
        """Store the answer of a claimed key. `size` is what it takes in memory, in bytes."""
        slot = self._slots[key]
        slot.answer.set_result(answer)
        slot.size = size
        self._bytes += size
        self._answered[key] = slot
        self._evict()

    def release(self, key: RequestKey) -> None:
        """Forget a claim whose call was refused, so that the id can be used again."""
        slot = self._slots.pop(key, None)
        if slot is not None and not slot.answer.done():
            slot.answer.set_result(None)

    def _find_current(self, key: RequestKey) -> _Slot[_Answer] | None:
        slot = self._slots.get(key)
        if slot is not None and slot.answer.done() and slot.expires <= self._monotonic():
            self._drop(key)
            return None
        return slot

    def _drop(self, key: RequestKey) -> None:
        del self._answered[key]
        self._bytes -= self._slots.pop(key).size

    def _evict(self) -> None:
        now = self._monotonic()
        while self._answered:
            oldest = next(iter(self._answered))
            is_full = len(self._slots) > _MAX_ENTRIES or self._bytes > _MAX_BYTES
            if not is_full and self._answered[oldest].expires > now:
                return
            self._drop(oldest)


class RequestWindow:
    """The window of one process. Answers are stored as bytes: objects would take several times the memory, and a
    receiver might modify them."""

    def __init__(self, window_s: float = 600.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.window_s = window_s
        self._claims: ClaimWindow[tuple[Answered, bytes]] = ClaimWindow(window_s, monotonic)

    async def claim(self, key: RequestKey, fingerprint: str) -> Answered | None:
        stored = await self._claims.claim(key, fingerprint)
        if stored is None:
            return None
        answer, body = stored
        return answer._replace(body=orjson.loads(body))

    def keep(self, key: RequestKey, answer: Answered) -> None:
        # Copied: the bytes that orjson returns hold on to their whole buffer, ten times their length and more.
        body = bytes(memoryview(orjson.dumps(answer.body)))
        self._claims.keep(key, (answer._replace(body={}), body), getsizeof(body))

    def release(self, key: RequestKey) -> None:
        self._claims.release(key)


class SharedWindow(Protocol):
    """The window of all processes that serve one home, asked after the window of this process."""

    async def claim(self, key: RequestKey, fingerprint: str, holder: str, hold_ms: int) -> StoredAnswer | None:
        """Return the first answer, whichever process gave it, or None to run the call as `holder`. Then `keep` or
        `release` must follow within `hold_ms`; after that another process may claim the key."""
        ...

    async def keep(self, answer: StoredAnswer) -> None: ...

    async def release(self, key: RequestKey, holder: str) -> None: ...


def is_earlier_try(done_at: str, now: datetime) -> bool:
    """Return whether work of that time may be an earlier attempt of the same request. Clocks may have been set back."""
    return abs(now - datetime.fromisoformat(done_at)) <= RETRY_PERIOD


def check_fingerprint(key: RequestKey, first: str, again: str) -> None:
    if first != again:
        refuse_reused_id(key)


def refuse_reused_id(key: RequestKey) -> NoReturn:
    raise InvalidArgument(
        f"request_id {key[1]!r} was already used for another call; send a new request_id with every new call",
        field="request_id",
    )
