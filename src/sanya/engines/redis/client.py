"""Opens a client of Redis, which holds state that several processes share and that can be lost. Without Redis each
process uses what it has, and logs that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sanya.kernel.breaker import Breakers

if TYPE_CHECKING:
    from redis.asyncio import Redis


class RedisUnavailable(RuntimeError):
    """The client is not installed or the URL is not valid; the message says what to do."""


@asynccontextmanager
async def open_redis(url: str, breakers: Breakers | None = None) -> AsyncIterator[Redis]:
    """Create a client that connects at its first command."""
    try:
        from sanya.engines.redis.guard import build_circuit_open_fault, create_guarded_client
    except ImportError:
        raise RedisUnavailable(
            "the Redis client for redis_url is not installed; run: pip install 'sanya[redis]'"
        ) from None
    try:
        client = create_guarded_client(url, (breakers or Breakers()).get("Redis", build_circuit_open_fault))
    except ValueError as error:
        raise RedisUnavailable(f"redis_url: {error}") from None
    try:
        yield client
    finally:
        await client.aclose()
