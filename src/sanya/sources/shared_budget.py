"""A request budget that several processes share through Redis. While Redis is down, each process uses its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sanya.kernel.breaker import choose_log_level
from sanya.sources.pacing import Budget, Clock

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

# Takes the next turn and returns the milliseconds until then, atomically and by the clock of the Redis server.
_TAKE_TURN = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local turn = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
-- The key expires after ten minutes: a later turn was given before the clock was set back.
if turn > now + 600000 then turn = now end
redis.call('SET', KEYS[1], string.format('%.0f', turn + ARGV[1]), 'PX', 600000)
return turn - now
"""


class SharedBudget:
    def __init__(self, client: Redis, party: str, per_second: float, own: Budget, clock: Clock) -> None:
        self._client = client
        self._key = f"sanya:budget:{party}"
        self._gap_ms = -(-1000 // per_second)
        self._own = own
        self._clock = clock

    async def take(self) -> None:
        """Take a turn from both budgets. The local one costs nothing, and holds while Redis is down."""
        from redis.exceptions import RedisError

        await self._own.take()
        try:
            wait_ms = await self._client.eval(_TAKE_TURN, 1, self._key, str(self._gap_ms))
        except RedisError as error:
            log.log(
                choose_log_level(error),
                "Redis does not respond (%s); using the budget of this process",
                type(error).__name__,
            )
            return
        if int(wait_ms):
            await self._clock.sleep(int(wait_ms) / 1000)
