"""Request ids that all processes of a home share: a call that reaches two of them at once is run by one.

The process that runs it holds the id by a lease and renews it. If the process is killed, the lease soon expires.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.breaker import choose_log_level
from sanya.kernel.calls.requests import RequestKey, check_fingerprint
from sanya.kernel.ledger.chain import StoredAnswer

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

_POLL_S = 0.05
_LEASE_MS = 10_000
_RENEWALS = 4  # during one lease
_MAX_CHARACTERS = 1_000_000
_RENEW = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class RedisRequestWindow:
    def __init__(self, client: Redis, window_s: float, *, lease_ms: int = _LEASE_MS) -> None:
        self._client = client
        self._window_ms = int(window_s * 1000)
        self._lease_ms = lease_ms
        # The claims of this process, each with the time until which it is renewed.
        self._held: dict[RequestKey, tuple[str, float]] = {}
        self._renewing: asyncio.TimerHandle | asyncio.Task[None] | None = None

    async def claim(self, key: RequestKey, fingerprint: str, holder: str, hold_ms: int) -> StoredAnswer | None:
        from redis.exceptions import RedisError

        try:
            claim = _encode_claim(fingerprint, holder)
            first = await self._claim(key, fingerprint, claim, min(hold_ms, self._lease_ms))
            if first is None:
                self._hold(key, claim, hold_ms)
            return first
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis does not answer (%s); repeated request ids are recognised by this process alone",
                type(error).__name__,
            )
            return None

    async def _claim(self, key: RequestKey, fingerprint: str, claim: str, lease_ms: int) -> StoredAnswer | None:
        while not await self._client.set(_build_name(key), claim, nx=True, px=lease_ms):
            held = await self._client.get(_build_name(key))
            if held is None:
                continue
            if held == claim.encode():
                return None  # our own claim: the answer to the first attempt was lost
            stored = json.loads(held)
            check_fingerprint(key, stored["fingerprint"], fingerprint)
            if "outcome" in stored:
                return StoredAnswer(**stored)
            await asyncio.sleep(_POLL_S)
        return None

    def _hold(self, key: RequestKey, claim: str, hold_ms: int) -> None:
        self._held[key] = (claim, time.monotonic() + hold_ms / 1000)
        if self._renewing is None:
            self._renew_later()

    def _renew_later(self) -> None:
        """Schedule a renewal. Most calls end before it, and then there is nothing to renew."""
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
                await self._client.eval(_RENEW, 1, _build_name(key), claim, str(self._lease_ms))
            except RedisError as error:
                log.log(
                    choose_log_level(error),
                    "Redis did not renew a request id (%s); the next renewal tries again",
                    type(error).__name__,
                )
        self._renew_later()

    async def keep(self, answer: StoredAnswer) -> None:
        """Store the answer. One that is too large is not stored, and a repeated call runs again."""
        from redis.exceptions import RedisError

        self._held.pop((answer.caller, answer.request_id), None)
        name = _build_name((answer.caller, answer.request_id))
        try:
            if self._window_ms and len(answer.outcome) <= _MAX_CHARACTERS:
                await self._client.set(name, json.dumps(asdict(answer)), px=self._window_ms)
            else:
                await self._client.delete(name)
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis did not store an answer (%s); a repeated call on another process may run again",
                type(error).__name__,
            )

    async def release(self, key: RequestKey, holder: str) -> None:
        from redis.exceptions import RedisError

        claim, _ = self._held.get(key, ("{}", 0.0))
        if json.loads(claim).get("holder") == holder:
            del self._held[key]
        try:
            held = await self._client.get(_build_name(key))
            if held is not None and json.loads(held).get("holder") == holder:
                await self._client.eval(_RELEASE, 1, _build_name(key), held)
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis did not release a request id (%s); it expires by itself",
                type(error).__name__,
            )


def _encode_claim(fingerprint: str, holder: str) -> str:
    return json.dumps({"fingerprint": fingerprint, "holder": holder})


def _build_name(key: RequestKey) -> str:
    return f"sanya:request:{sha256(json.dumps(key).encode()).hexdigest()}"
