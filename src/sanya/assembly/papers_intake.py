"""How papers come in: the way to PubMed, opened when first needed, and the watchman who keeps queries fresh."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sanya.assembly.opened import Opened
from sanya.kernel.faults import UpstreamFailed
from sanya.kernel.suite import Worker
from sanya.kernel.tool import Tool
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.sync import Sync
from sanya.suites.papers.sync_tools import sync_tools
from sanya.suites.papers.watching import Watches, Watchman
from sanya.suites.papers.watermarks import Watermarks

if TYPE_CHECKING:
    from sanya.sources.pace import Budget


class Intake:
    def __init__(self, opened: Opened, store: PaperStore) -> None:
        self._opened = opened
        self._store = store
        self._opening = asyncio.Lock()
        self._sync: Sync | None = None
        self.watches = Watches(opened.database)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return sync_tools(self.sync)

    @property
    def workers(self) -> tuple[Worker, ...]:
        watchman = Watchman(self.watches, self.sync)
        return (Worker("papers: watched queries", watchman.keep_fresh, open_world=True),)

    async def sync(self) -> Sync:
        async with self._opening:
            if self._sync is None:
                self._sync = await self._open()
            return self._sync

    async def _open(self) -> Sync:
        from sanya.sources.egress import BadDestination  # here: an HTTP client takes long to load
        from sanya.sources.entrez import Asker, open_entrez

        settings = self._opened.settings
        asker = Asker(settings.entrez_email, settings.entrez_api_key)
        budget = self._budget()
        try:
            opening = open_entrez(settings.entrez_url, asker, budget, breakers=self._opened.breakers)
            entrez = await self._opened.stack.enter_async_context(opening)
        except BadDestination as problem:
            raise UpstreamFailed(f"the setting entrez_url cannot be used: {problem}", source="entrez") from None
        return Sync(self._store, Watermarks(self._opened.database), entrez)

    def _budget(self) -> Budget:
        """One for this process; with Redis, one for all that share it."""
        from sanya.sources.pace import Clock, process_budget

        settings = self._opened.settings
        party, per_second = settings.entrez_url, settings.entrez_requests_per_second
        own = process_budget(party, per_second)
        if self._opened.redis is None:
            return own
        from sanya.sources.shared_budget import SharedBudget

        return SharedBudget(self._opened.redis, party, per_second, own, Clock())
