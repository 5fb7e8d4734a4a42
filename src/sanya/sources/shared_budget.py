"""One budget of requests for several processes, kept on Redis. Where Redis is away, each process keeps to its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sanya.kernel.breaker import log_level
from sanya.sources.pace import Budget, Clock

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

# Takes the next turn and tells how many milliseconds away it is, in one step and by the server's clock.
_TAKE_TURN = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local turn = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
-- The key lives for ten minutes: a turn beyond that was given before the server's clock was set back.
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
        """The own budget as well: it costs nothing while the shared one is kept, and holds where Redis is away."""
        from redis.exceptions import RedisError

        await self._own.take()
        try:
            wait_ms = await self._client.eval(_TAKE_TURN, 1, self._key, str(self._gap_ms))
        except RedisError as error:
            log.log(
                log_level(error),
                "Redis does not answer (%s); this process keeps to its own budget",
                type(error).__name__,
            )
            return
        if int(wait_ms):
            await self._clock.sleep(int(wait_ms) / 1000)
