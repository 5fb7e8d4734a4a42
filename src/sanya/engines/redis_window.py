"""Request ids of all processes that serve one home: a call that comes to two of them at once is run by one."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.ledger import Answer
from sanya.kernel.requests import Key, check_fingerprint

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.05
_MOST_CHARACTERS = 1_000_000
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class RedisWindow:
    def __init__(self, client: Redis, window_s: float) -> None:
        self._client = client
        self._window_ms = int(window_s * 1000)

    async def claim(self, key: Key, fingerprint: str, holder: str, hold_ms: int) -> Answer | None:
        from redis.exceptions import RedisError

        try:
            return await self._claim(key, fingerprint, _claim(fingerprint, holder), hold_ms)
        except RedisError as error:
            log.warning("Redis does not answer (%s); request ids are known to this process alone", type(error).__name__)
            return None

    async def _claim(self, key: Key, fingerprint: str, claim: str, hold_ms: int) -> Answer | None:
        while not await self._client.set(_name(key), claim, nx=True, px=hold_ms):
            held = await self._client.get(_name(key))
            if held is None:
                continue
            found = json.loads(held)
            check_fingerprint(key, found["fingerprint"], fingerprint)
            if "outcome" in found:
                return Answer(**found)
            await asyncio.sleep(_LOOK_AGAIN_S)
        return None

    async def keep(self, answer: Answer) -> None:
        """An answer too large to be kept is not: who asks again has it worked out again."""
        from redis.exceptions import RedisError

        name = _name((answer.caller, answer.request_id))
        try:
            if self._window_ms and len(answer.outcome) <= _MOST_CHARACTERS:
                await self._client.set(name, json.dumps(asdict(answer)), px=self._window_ms)
            else:
                await self._client.delete(name)
        except RedisError as error:
            log.warning("Redis did not take an answer (%s)", type(error).__name__)

    async def release(self, key: Key, holder: str) -> None:
        from redis.exceptions import RedisError

        try:
            held = await self._client.get(_name(key))
            if held is not None and json.loads(held).get("holder") == holder:
                await self._client.eval(_RELEASE, 1, _name(key), held)
        except RedisError as error:
            log.warning("Redis did not let go of a request id (%s)", type(error).__name__)


def _claim(fingerprint: str, holder: str) -> str:
    return json.dumps({"fingerprint": fingerprint, "holder": holder})


def _name(key: Key) -> str:
    return f"sanya:request:{sha256(json.dumps(key).encode()).hexdigest()}"
