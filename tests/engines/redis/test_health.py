from __future__ import annotations

from pathlib import Path

from sanya.engines.redis.client import open_redis
from sanya.engines.redis.health import read_redis_facts


async def test_a_healthy_redis_needs_no_advice(redis_url: str) -> None:
    facts = await read_redis_facts(redis_url)
    assert [fact.name for fact in facts] == ["engine", "memory", "clock"]
    assert [fact.advice for fact in facts] == ["", "", ""]
    assert facts[0].found.startswith("Redis ")


async def test_one_that_may_forget_comes_with_advice(redis_url: str) -> None:
    async with open_redis(redis_url) as client:
        await client.config_set("maxmemory", "1gb")
        await client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            _, memory, _ = await read_redis_facts(redis_url)
        finally:
            await client.config_set("maxmemory-policy", "noeviction")
            await client.config_set("maxmemory", "0")
    assert "allkeys-lru" in memory.found
    assert "noeviction" in memory.advice


async def test_one_that_is_away_and_an_address_that_is_none_come_with_advice(tmp_path: Path) -> None:
    for url in (f"unix://{tmp_path}/none.sock", "http://localhost"):
        (engine,) = await read_redis_facts(url)
        assert "redis_url" in engine.advice
