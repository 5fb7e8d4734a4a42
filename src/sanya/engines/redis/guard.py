"""A Redis client behind a circuit breaker. While the circuit is open, commands fail at once with an error of the Redis
library, so that callers handle it like any other failure of Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError, TimeoutError

from sanya.kernel.breaker import Breaker, CircuitOpen
from sanya.kernel.faults import Unavailable

_TIMEOUT_S = 1.0

T = TypeVar("T")


class RedisCircuitOpen(CircuitOpen, ConnectionError):
    """The circuit is open: Redis failed several times and is not asked now."""


def create_guarded_client(url: str, breaker: Breaker) -> GuardedRedis:
    """Create a client. Raise ValueError for an invalid URL."""
    made = GuardedRedis.from_url(
        url,
        socket_timeout=_TIMEOUT_S,
        socket_connect_timeout=_TIMEOUT_S,
        # One retry at once, because a connection may have died while idle. A timeout is not retried.
        retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
    )
    client = cast(GuardedRedis, made)
    client.breaker = breaker
    return client


class GuardedRedis(Redis):
    breaker: Breaker

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        ask = super().execute_command
        return await _ask_through_breaker(self.breaker, lambda: ask(*args, **options))  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        pipeline = _GuardedPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipeline.breaker = self.breaker
        return pipeline


class _GuardedPipeline(Pipeline):
    breaker: Breaker

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        ask = super().execute
        return await _ask_through_breaker(self.breaker, lambda: ask(raise_on_error))


async def _ask_through_breaker(breaker: Breaker, ask: Callable[[], Awaitable[T]]) -> T:
    try:
        attempt = breaker.admit()
    except Unavailable as fault:
        raise RedisCircuitOpen(fault.message) from None
    with attempt:
        try:
            answer = await ask()
        except (ConnectionError, TimeoutError):
            attempt.report_failure()
            raise
        except RedisError:  # it answered
            attempt.report_success()
            raise
        attempt.report_success()
        return answer


def build_circuit_open_fault(wait_ms: int) -> Unavailable:
    return Unavailable("Redis does not answer", retry_after_ms=wait_ms)
