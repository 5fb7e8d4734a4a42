"""A client of Redis that is refused at once while Redis does not answer, in the words of the client's own library: who
uses it does the same as for any other failure of Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError, TimeoutError

from sanya.kernel.breaker import Breaker, LeftAlone
from sanya.kernel.faults import Unavailable

_TIMEOUT_S = 1.0

T = TypeVar("T")


class RedisLeftAlone(LeftAlone, ConnectionError):
    """It failed several times, and is not asked now."""


def guarded_redis(url: str, breaker: Breaker) -> GuardedRedis:
    """Raises ValueError for an address that cannot be read."""
    made = GuardedRedis.from_url(
        url,
        socket_timeout=_TIMEOUT_S,
        socket_connect_timeout=_TIMEOUT_S,
        # Once more at once, since a connection may have died while it was idle; a server that is slow stays so.
        retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
    )
    client = cast(GuardedRedis, made)
    client.breaker = breaker
    return client


class GuardedRedis(Redis):
    breaker: Breaker

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        ask = super().execute_command
        return await _asked(self.breaker, lambda: ask(*args, **options))  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        made = _GuardedPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        made.breaker = self.breaker
        return made


class _GuardedPipeline(Pipeline):
    breaker: Breaker

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        ask = super().execute
        return await _asked(self.breaker, lambda: ask(raise_on_error))


async def _asked(breaker: Breaker, ask: Callable[[], Awaitable[T]]) -> T:
    try:
        attempt = breaker.admit()
    except Unavailable as refused:
        raise RedisLeftAlone(refused.message) from None
    with attempt:
        try:
            answer = await ask()
        except (ConnectionError, TimeoutError):
            attempt.failed()
            raise
        except RedisError:  # it answered
            attempt.succeeded()
            raise
        attempt.succeeded()
        return answer


def left_alone(wait_ms: int) -> Unavailable:
    return Unavailable("Redis does not answer", retry_after_ms=wait_ms)
