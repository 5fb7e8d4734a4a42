"""What Redis says of itself, for `sanya doctor`."""

from __future__ import annotations

import time

from sanya.engines.health import Fact, clock_fact
from sanya.engines.redis.client import RedisUnavailable, open_redis

_POLICY = "noeviction"


async def redis_facts(url: str) -> list[Fact]:
    """Its version, whether it may throw away what it was given, and its clock: rate limits go by that."""
    try:
        async with open_redis(url) as client:
            from redis.exceptions import RedisError

            try:
                about = await client.info()
                asked = time.time()
                seconds, microseconds = await client.time()
            except RedisError as error:
                found = f"it does not answer ({type(error).__name__})"
                return [Fact("engine", found, "Start it, or correct redis_url; until then each process is on its own.")]
    except RedisUnavailable as problem:
        return [Fact("engine", str(problem), "Correct redis_url, or empty it.")]
    return [
        Fact("engine", f"Redis {about['redis_version']}"),
        _memory_fact(int(about.get("maxmemory", 0)), str(about.get("maxmemory_policy", _POLICY))),
        clock_fact(asked, seconds + microseconds / 1_000_000),
    ]


def _memory_fact(most_bytes: int, policy: str) -> Fact:
    if most_bytes and policy != _POLICY:
        return Fact("memory", f"when it is full, it forgets ({policy})", f"Set its maxmemory-policy to {_POLICY}.")
    return Fact("memory", "it forgets nothing before its time")
