"""Request ids of all processes that serve one home: a call that comes to two of them at once is run by one.

Who runs it holds the id on a lease that is renewed meanwhile: the ids of a process that was killed are soon free.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.breaker import log_level
from sanya.kernel.ledger import Answer
from sanya.kernel.requests import Key, check_fingerprint

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.05
_LEASE_MS = 10_000
_RENEWALS = 4  # in the time of a lease
_MOST_CHARACTERS = 1_000_000
_RENEW = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class RedisWindow:
    def __init__(self, client: Redis, window_s: float, *, lease_ms: int = _LEASE_MS) -> None:
        self._client = client
        self._window_ms = int(window_s * 1000)
        self._lease_ms = lease_ms
        # What this process holds, with the moment when it has held it for long enough.
        self._held: dict[Key, tuple[str, float]] = {}
        self._renewing: asyncio.TimerHandle | asyncio.Task[None] | None = None

    async def claim(self, key: Key, fingerprint: str, holder: str, hold_ms: int) -> Answer | None:
        from redis.exceptions import RedisError

        try:
            claim = _claim(fingerprint, holder)
            first = await self._claim(key, fingerprint, claim, min(hold_ms, self._lease_ms))
            if first is None:
                self._hold(key, claim, hold_ms)
            return first
        except RedisError as error:
            log.log(
                log_level(error),
                "Redis does not answer (%s); request ids are known to this process alone",
                type(error).__name__,
            )
            return None

    async def _claim(self, key: Key, fingerprint: str, claim: str, lease_ms: int) -> Answer | None:
        while not await self._client.set(_name(key), claim, nx=True, px=lease_ms):
            held = await self._client.get(_name(key))
            if held is None:
                continue
            if held == claim.encode():
                return None  # ours: the answer to the first try was lost on its way
            found = json.loads(held)
            check_fingerprint(key, found["fingerprint"], fingerprint)
            if "outcome" in found:
                return Answer(**found)
            await asyncio.sleep(_LOOK_AGAIN_S)
        return None

    def _hold(self, key: Key, claim: str, hold_ms: int) -> None:
        self._held[key] = (claim, time.monotonic() + hold_ms / 1000)
        if self._renewing is None:
            self._renew_later()

    def _renew_later(self) -> None:
        """Most calls have ended by then, and there is nothing to do."""
        self._renewing = asyncio.get_running_loop().call_later(self._lease_ms / 1000 / _RENEWALS, self._renew_soon)

    def _renew_soon(self) -> None:
        self._renewing = asyncio.create_task(self._renew(), name="request ids") if self._held else None

    async def _renew(self) -> None:
        from redis.exceptions import RedisError

        now = time.monotonic()
        for key, (claim, until) in list(self._held.items()):
            if until <= now:
                self._held.pop(key, None)
                continue
            try:
                await self._client.eval(_RENEW, 1, _name(key), claim, str(self._lease_ms))
            except RedisError as error:
                log.log(log_level(error), "Redis did not renew a request id (%s)", type(error).__name__)
        self._renew_later()

    async def keep(self, answer: Answer) -> None:
        """An answer too large to be kept is not: who asks again has it worked out again."""
        from redis.exceptions import RedisError

        self._held.pop((answer.caller, answer.request_id), None)
        name = _name((answer.caller, answer.request_id))
        try:
            if self._window_ms and len(answer.outcome) <= _MOST_CHARACTERS:
                await self._client.set(name, json.dumps(asdict(answer)), px=self._window_ms)
            else:
                await self._client.delete(name)
        except RedisError as error:
            log.log(log_level(error), "Redis did not take an answer (%s)", type(error).__name__)

    async def release(self, key: Key, holder: str) -> None:
        from redis.exceptions import RedisError

        claim, _ = self._held.get(key, ("{}", 0.0))
        if json.loads(claim).get("holder") == holder:
            del self._held[key]
        try:
            held = await self._client.get(_name(key))
            if held is not None and json.loads(held).get("holder") == holder:
                await self._client.eval(_RELEASE, 1, _name(key), held)
        except RedisError as error:
            log.log(log_level(error), "Redis did not let go of a request id (%s)", type(error).__name__)


def _claim(fingerprint: str, holder: str) -> str:
    return json.dumps({"fingerprint": fingerprint, "holder": holder})


def _name(key: Key) -> str:
    return f"sanya:request:{sha256(json.dumps(key).encode()).hexdigest()}"
