"""The one way to Redis: what several processes share that is no truth of its own. Where it is away, each process does
with what it has, and says so in its log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sanya.kernel.breaker import Breakers

if TYPE_CHECKING:
    from redis.asyncio import Redis


class RedisUnavailable(RuntimeError):
    """The client is not installed, or the address cannot be read; the message says what to do."""


@asynccontextmanager
async def open_redis(url: str, breakers: Breakers | None = None) -> AsyncIterator[Redis]:
    """Connects when it is first asked."""
    try:
        from sanya.engines.redis.guard import guarded_redis, left_alone
    except ImportError:
        raise RedisUnavailable("redis_url needs the extra `redis`: pip install 'sanya[redis]'") from None
    try:
        client = guarded_redis(url, (breakers or Breakers()).of("Redis", left_alone))
    except ValueError as error:
        raise RedisUnavailable(f"redis_url: {error}") from None
    try:
        yield client
    finally:
        await client.aclose()
