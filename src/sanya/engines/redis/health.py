"""Health checks of Redis for `sanya doctor`."""

from __future__ import annotations

import time

from sanya.engines.health import HealthFact, compare_clocks
from sanya.engines.redis.client import RedisUnavailable, open_redis

_POLICY = "noeviction"


async def read_redis_facts(url: str) -> list[HealthFact]:
    """Return the version, whether Redis may evict keys, and its clock, which rate limits use."""
    try:
        async with open_redis(url) as client:
            from redis.exceptions import RedisError

            try:
                info = await client.info()
                asked = time.time()
                seconds, microseconds = await client.time()
            except RedisError as error:
                found = f"does not answer ({type(error).__name__})"
                return [
                    HealthFact(
                        "engine", found, "Start Redis, or correct redis_url; until then processes share nothing."
                    )
                ]
    except RedisUnavailable as problem:
        return [HealthFact("engine", str(problem), "Correct redis_url, or empty it.")]
    return [
        HealthFact("engine", f"Redis {info['redis_version']}"),
        _check_memory(int(info.get("maxmemory", 0)), str(info.get("maxmemory_policy", _POLICY))),
        compare_clocks(asked, seconds + microseconds / 1_000_000),
    ]


def _check_memory(most_bytes: int, policy: str) -> HealthFact:
    if most_bytes and policy != _POLICY:
        return HealthFact(
            "memory", f"evicts keys when it is full ({policy})", f"Set its maxmemory-policy to {_POLICY}."
        )
    return HealthFact("memory", "evicts no keys")
