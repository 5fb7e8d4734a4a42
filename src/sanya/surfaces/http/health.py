"""`GET /health`: whether this server can do its work now; `/health/live`: whether it runs at all."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from sanya.kernel.breaker import Breakers
from sanya.kernel.database import Database
from sanya.kernel.faults import Fault, Unavailable
from sanya.kernel.ledger import Ledger

log = logging.getLogger(__name__)

CHECK_TIMEOUT_S = 3.0
CACHE_S = 1.0


class Health:
    """A probe that anybody may send must not become a load: its result serves for a second."""

    def __init__(
        self,
        database: Database,
        ledger: Ledger,
        breakers: Breakers | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._ledger = ledger
        self._breakers = breakers or Breakers()
        self._monotonic = monotonic
        self._checked_at = -CACHE_S
        self._checks: dict[str, str] = {}
        self._lock = asyncio.Lock()

    async def run_checks(self) -> dict[str, str]:
        """Each thing we need, with `ok` or what is wrong with it. Raises Unavailable when something is."""
        async with self._lock:
            if self._monotonic() - self._checked_at >= CACHE_S:
                self._checks = {"database": await self._read(), "ledger": await self._write()}
                self._checked_at = self._monotonic()
        if any(result != "ok" for result in self._checks.values()):
            details = {"checks": self._checks, "engines": self.list_engines()}
            raise Unavailable("this server cannot work now", details=details, retry_after_ms=1000)
        return self._checks

    def list_engines(self) -> dict[str, str]:
        """Every engine and outside party that was needed so far, with the state of its breaker: `closed` is good. One
        that is left alone does not make this server useless: what can be done without it is done."""
        return {one.name: one.state for one in self._breakers.all()}

    async def _read(self) -> str:
        return await _run_check("database", self._select())

    async def _write(self) -> str:
        return "rows wait to be written" if self._ledger.failing else await _run_check("ledger", self._begin())

    async def _select(self) -> None:
        await self._database.fetch("SELECT 1", touches=1)

    async def _begin(self) -> None:
        """Takes the right to write and gives it back: the ledger needs no more than that."""
        async with self._database.transaction() as transaction:
            await transaction.fetch("SELECT 1")


async def _run_check(name: str, check: Coroutine[Any, Any, None]) -> str:
    """Anybody may ask, so the answer says that something fails and the log says what."""
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            await check
    except TimeoutError:
        return f"no answer within {CHECK_TIMEOUT_S:g} s"
    except Fault as fault:
        log.warning("the %s fails its check: %s", name, fault.message)
        return "fails"
    return "ok"
