"""Request ids: the same id with the same input gets the first answer again; with other input it is refused.

Only answers are kept: a refused call may be repeated under its id. What a write answered is kept in the ledger's store
as well, so that a retry after a crash does not write twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from sys import getsizeof
from typing import Protocol

import orjson

from sanya.kernel.call import Answered
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger import Answer

_MAX_KEPT = 10_000
_MAX_BYTES = 16 * 1024 * 1024
_LOOKED_AT = 16  # oldest first: enough to keep up with one new answer at a time

Key = tuple[str, str]

TRIED_AGAIN_WITHIN = timedelta(hours=1)
"""A write that finds what it is asked for done under its own request takes that for the work of an earlier try, if it
is not older than this: nobody tries so long, and who counts request ids from 1 begins again some day."""


@dataclass(slots=True)
class _Kept:
    """The answer as its bytes: as objects it would take several times the room, and whoever gets it might change it."""

    fingerprint: str
    answer: asyncio.Future[tuple[Answered, bytes] | None]
    expires: float
    size: int = 0


class RequestWindow:
    """`fingerprint` is the tool and the hash of its input. `claim` returns the first answer, or None to go ahead; then
    `keep` or `release` must follow. A second claim while the first runs waits for its end."""

    def __init__(self, window_s: float = 600.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.window_s = window_s
        self._monotonic = monotonic
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._bytes = 0

    async def claim(self, key: Key, fingerprint: str) -> Answered | None:
        while (kept := self._current(key)) is not None:
            check_fingerprint(key, kept.fingerprint, fingerprint)
            found = await asyncio.shield(kept.answer)
            if found is not None:
                answer, body = found
                return answer._replace(body=orjson.loads(body))
        future = asyncio.get_running_loop().create_future()
        self._kept[key] = _Kept(fingerprint, future, self._monotonic() + self.window_s)
        return None

    def keep(self, key: Key, answer: Answered) -> None:
        # A copy: what orjson gives keeps the whole buffer that it was written in, up to ten times its length and more.
        kept, body = self._kept[key], bytes(memoryview(orjson.dumps(answer.body)))
        kept.answer.set_result((answer._replace(body={}), body))
        kept.size = getsizeof(body)
        self._bytes += kept.size
        self._evict()

    def release(self, key: Key) -> None:
        """Forgets a claim whose call was refused, so that the id can be used again."""
        kept = self._kept.pop(key, None)
        if kept is not None and not kept.answer.done():
            kept.answer.set_result(None)

    def _current(self, key: Key) -> _Kept | None:
        kept = self._kept.get(key)
        if kept is not None and kept.answer.done() and kept.expires <= self._monotonic():
            self._drop(key)
            return None
        return kept

    def _drop(self, key: Key) -> None:
        self._bytes -= self._kept.pop(key).size

    def _evict(self) -> None:
        now = self._monotonic()
        for key in list(islice(self._kept, _LOOKED_AT)):
            kept = self._kept[key]
            full = len(self._kept) > _MAX_KEPT or self._bytes > _MAX_BYTES
            if kept.answer.done() and (full or kept.expires <= now):
                self._drop(key)


class SharedWindow(Protocol):
    """The same for all processes that serve one home: asked after the window of this process has let a call pass."""

    async def claim(self, key: Key, fingerprint: str, holder: str, hold_ms: int) -> Answer | None:
        """The first answer, wherever it was given, or None to go ahead as `holder`: then `keep` or `release` must
        follow within `hold_ms`, or another may go ahead."""
        ...

    async def keep(self, answer: Answer) -> None: ...

    async def release(self, key: Key, holder: str) -> None: ...


def is_earlier_try(done_at: str, now: datetime) -> bool:
    """Whether what was done then may be the work of an earlier try of the same request. Clocks may have been set."""
    return abs(now - datetime.fromisoformat(done_at)) <= TRIED_AGAIN_WITHIN


def check_fingerprint(key: Key, first: str, again: str) -> None:
    if first != again:
        raise InvalidArgument(
            f"request_id {key[1]!r} was used for another call; give every call an id of its own", field="request_id"
        )
