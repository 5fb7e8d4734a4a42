"""A rate limit for each caller that all processes share."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from sanya.kernel.breaker import choose_log_level
from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.limits import BURST_SECONDS, LocalRateLimiter, make_refusal

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

# The leaky bucket of kernel/calls/limits.py as one atomic script, by the server's clock. Returns 0, or the milliseconds
# to wait.
_ADMIT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local earliest = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
-- Beyond any valid value: the server's clock was set back.
if earliest > now + burst + interval then earliest = now end
local wait = (earliest - now) - (burst - interval)
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', earliest + interval), 'PX', math.ceil(earliest + interval - now))
return 0
"""


class RedisRateLimiter:
    def __init__(self, client: Redis) -> None:
        self._client = client
        self._local = LocalRateLimiter()

    def admit(self, caller: Caller) -> Awaitable[None] | None:
        return self._ask(caller) if caller.calls_per_minute > 0 else None

    async def _ask(self, caller: Caller) -> None:
        from redis.exceptions import RedisError

        interval_ms = 60_000 / caller.calls_per_minute
        burst_ms = max(BURST_SECONDS * 1000, interval_ms)
        try:
            wait_ms = await self._client.eval(_ADMIT, 1, f"sanya:rate:{caller.id}", str(interval_ms), str(burst_ms))
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis does not answer (%s); this process limits rates by itself",
                type(error).__name__,
            )
            self._local.admit(caller)
            return
        if int(wait_ms):
            raise make_refusal(caller, int(wait_ms))
