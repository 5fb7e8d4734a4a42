"""Working memory on Redis, shared by several processes. The database stays the truth: where Redis is away or has lost
what it held, the embedded way answers.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from sanya.kernel.breaker import log_level
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.recall.working_memory import HELD, Held, WorkingMemory, held_of

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

_PREFIX = "sanya:working-memory"


class RedisWorkingMemory:
    """For each namespace one sorted set: members are memories as JSON, scores their arrival."""

    def __init__(self, client: Redis, embedded: WorkingMemory, size: int = HELD) -> None:
        self._client = client
        self._embedded = embedded
        self._size = size

    async def hold(self, namespace: str, memories: Sequence[Memory]) -> None:
        await self._put(namespace, [held_of(one) for one in memories])

    async def _put(self, namespace: str, memories: Sequence[Held]) -> None:
        from redis.exceptions import RedisError

        if not memories:
            return
        try:
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.zadd(_key(namespace), {_member(one): one.arrival for one in memories})
                pipeline.zremrangebyrank(_key(namespace), 0, -self._size - 1)
                await pipeline.execute()
        except RedisError as error:
            log.log(log_level(error), "Redis did not take a memory (%s); it is in the database", type(error).__name__)

    async def held(self, namespace: str) -> list[Held]:
        from redis.exceptions import RedisError

        try:
            members = await self._members(namespace)
        except RedisError as error:
            log.log(
                log_level(error),
                "Redis does not answer (%s); working memory is read from the database",
                type(error).__name__,
            )
            return await self._embedded.held(namespace)
        if members:
            return [_held(member) for member in members]
        found = await self._embedded.held(namespace)
        await self._put(namespace, found)
        return found

    async def clear(self) -> None:
        """Lets everything go, of all namespaces; the database still has it."""
        async for key in self._client.scan_iter(f"{_PREFIX}:*"):
            await self._client.delete(key)

    async def _members(self, namespace: str) -> list[bytes]:
        found = await self._client.zrange(_key(namespace), 0, self._size - 1, desc=True)
        return cast(list[bytes], found)

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        from redis.exceptions import RedisError

        await self._embedded.release(namespace, ids)
        try:
            gone = [member for member in await self._members(namespace) if json.loads(member)[0] in ids]
            if gone:
                await self._client.zrem(_key(namespace), *gone)
        except RedisError as error:
            log.log(log_level(error), "Redis did not let go of a memory (%s)", type(error).__name__)


def _key(namespace: str) -> str:
    return f"{_PREFIX}:{namespace}"


def _member(one: Held) -> str:
    return json.dumps([one.id, one.arrival, sorted(one.keys)], ensure_ascii=False)


def _held(member: bytes) -> Held:
    one, arrival, keys = json.loads(member)
    return Held(one, arrival, frozenset(keys))
