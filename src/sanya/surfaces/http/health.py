"""Readiness (`GET /health`: the server can work now) and liveness (`/health/live`: the process runs)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import Fault, Unavailable
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database

log = logging.getLogger(__name__)

CHECK_TIMEOUT_S = 3.0
CACHE_S = 1.0


class Health:
    """Runs the readiness checks. Anybody may probe, so a result is reused for a second to keep the load down."""

    def __init__(
        self,
        database: Database,
        ledger: Ledger,
        breakers: Breakers | None = None,
        describe_disk: Callable[[], str | None] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._ledger = ledger
        self._breakers = breakers or Breakers()
        self._describe_disk = describe_disk
        self._monotonic = monotonic
        self._checked_at = -CACHE_S
        self._checks: dict[str, str] = {}
        self._disk: str | None = None
        self._lock = asyncio.Lock()

    async def run_checks(self) -> dict[str, str]:
        """Return each check with `ok`. Raises Unavailable with all results when a check fails."""
        async with self._lock:
            if self._monotonic() - self._checked_at >= CACHE_S:
                self._checks = {"database": await self._read(), "ledger": await self._write()}
                self._disk = await asyncio.to_thread(self._describe_disk) if self._describe_disk else None
                self._checked_at = self._monotonic()
        if any(result != "ok" for result in self._checks.values()):
            details = {"checks": self._checks, "engines": self.list_engines()}
            raise Unavailable("The server is not ready. Try again.", details=details, retry_after_ms=1000)
        return self._checks

    async def list_degraded(self) -> list[dict[str, str]]:
        """List what does not work although the server is ready, each with what it means for callers."""
        engines = [
            {"what": name, "message": f"{name} is away: calls that need it are refused, or go on without it."}
            for name, state in self.list_engines().items()
            if state != "closed"
        ]
        return [*([{"what": "disk", "message": self._disk}] if self._disk else []), *engines]

    def list_engines(self) -> dict[str, str]:
        """Map every engine and source used so far to the state of its breaker; `closed` means it works.

        An open breaker does not make the server unready: calls that do not need that engine still work.
        """
        return {breaker.name: breaker.state for breaker in self._breakers.list_all()}

    async def _read(self) -> str:
        return await _run_check("database", self._select())

    async def _write(self) -> str:
        return "rows wait to be written" if self._ledger.failing else await _run_check("ledger", self._begin())

    async def _select(self) -> None:
        await self._database.fetch("SELECT 1", touches=1)

    async def _begin(self) -> None:
        """Take the write lock and release it: the ledger needs nothing more to write."""
        async with self._database.transaction() as transaction:
            await transaction.fetch("SELECT 1")


async def _run_check(name: str, check: Coroutine[Any, Any, None]) -> str:
    """Run one check. Anybody may read the result, so it says only that a check fails; the log says why."""
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            await check
    except TimeoutError:
        return f"no answer within {CHECK_TIMEOUT_S:g} s"
    except Fault as fault:
        log.warning("health check failed: %s: %s", name, fault.message)
        return "fails"
    return "ok"
