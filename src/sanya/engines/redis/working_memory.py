"""Working memory on Redis, shared by several processes. The database stays the truth: if Redis does not answer or has
lost its data, the embedded working memory answers.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from sanya.kernel.breaker import choose_log_level
from sanya.suites.memory.recall.working_memory import (
    MEMORIES_PER_NAMESPACE,
    WorkingMemory,
    WorkingMemoryEntry,
    make_entry,
)
from sanya.suites.memory.storage.records import Memory

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

_PREFIX = "sanya:working-memory"


class RedisWorkingMemory:
    """A sorted set for each namespace: members are memories as JSON, scores their arrival."""

    def __init__(self, client: Redis, embedded: WorkingMemory, size: int = MEMORIES_PER_NAMESPACE) -> None:
        self._client = client
        self._embedded = embedded
        self._size = size

    async def hold(self, namespace: str, memories: Sequence[Memory]) -> None:
        await self._put(namespace, [make_entry(memory) for memory in memories])

    async def _put(self, namespace: str, memories: Sequence[WorkingMemoryEntry]) -> None:
        from redis.exceptions import RedisError

        if not memories:
            return
        try:
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.zadd(_build_key(namespace), {_encode_member(memory): memory.arrival for memory in memories})
                pipeline.zremrangebyrank(_build_key(namespace), 0, -self._size - 1)
                await pipeline.execute()
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis did not store a memory (%s); it is in the database",
                type(error).__name__,
            )

    async def list_entries(self, namespace: str) -> list[WorkingMemoryEntry]:
        from redis.exceptions import RedisError

        try:
            members = await self._read_members(namespace)
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis does not answer (%s); working memory is read from the database",
                type(error).__name__,
            )
            return await self._embedded.list_entries(namespace)
        if members:
            return [_decode_member(member) for member in members]
        memories = await self._embedded.list_entries(namespace)
        await self._put(namespace, memories)
        return memories

    async def clear(self) -> None:
        """Delete the working memory of all namespaces from Redis. The database still has it."""
        async for key in self._client.scan_iter(f"{_PREFIX}:*"):
            await self._client.delete(key)

    async def _read_members(self, namespace: str) -> list[bytes]:
        memories = await self._client.zrange(_build_key(namespace), 0, self._size - 1, desc=True)
        return cast(list[bytes], memories)

    async def release(self, namespace: str, ids: Sequence[str]) -> None:
        from redis.exceptions import RedisError

        await self._embedded.release(namespace, ids)
        try:
            gone = [member for member in await self._read_members(namespace) if json.loads(member)[0] in ids]
            if gone:
                await self._client.zrem(_build_key(namespace), *gone)
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis did not delete a memory from working memory (%s); it is gone from the database",
                type(error).__name__,
            )


def _build_key(namespace: str) -> str:
    return f"{_PREFIX}:{namespace}"


def _encode_member(memory: WorkingMemoryEntry) -> str:
    return json.dumps([memory.id, memory.arrival, sorted(memory.keys)], ensure_ascii=False)


def _decode_member(member: bytes) -> WorkingMemoryEntry:
    id, arrival, keys = json.loads(member)
    return WorkingMemoryEntry(id, arrival, frozenset(keys))
