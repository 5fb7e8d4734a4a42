"""Opens the connection to PubMed with its first use, and runs the watched queries."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sanya.assembly.home_resources import HomeResources
from sanya.kernel.contracts.suite import Worker
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import UpstreamFailed
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.sync.query_sync import PubMedSync
from sanya.suites.papers.sync.tools import build_sync_tools
from sanya.suites.papers.sync.watches import Watches, WatchScheduler
from sanya.suites.papers.sync.watermarks import Watermarks

if TYPE_CHECKING:
    from sanya.sources.entrez import EntrezClient
    from sanya.sources.pacing import Budget


class Intake:
    def __init__(self, resources: HomeResources, store: PaperStore) -> None:
        self._resources = resources
        self._store = store
        self._opening = asyncio.Lock()
        self._entrez: EntrezClient | None = None
        self.watches = Watches(resources.database)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return build_sync_tools(self.open_sync)

    @property
    def workers(self) -> tuple[Worker, ...]:
        watchman = WatchScheduler(self.watches, self.open_sync)
        return (Worker("papers: watched queries", watchman.run, open_world=True),)

    async def open_sync(self) -> PubMedSync:
        return PubMedSync(self._store, Watermarks(self._resources.database), await self.open_entrez())

    async def open_entrez(self) -> EntrezClient:
        async with self._opening:
            if self._entrez is None:
                self._entrez = await self._open()
            return self._entrez

    async def _open(self) -> EntrezClient:
        from sanya.sources.egress import BadDestination  # here: an HTTP client takes long to load
        from sanya.sources.entrez import EntrezIdentity, open_entrez

        settings = self._resources.settings
        asker = EntrezIdentity(settings.entrez_email, settings.entrez_api_key)
        budget = self._choose_budget()
        try:
            opening = open_entrez(settings.entrez_url, asker, budget, breakers=self._resources.breakers)
            return await self._resources.stack.enter_async_context(opening)
        except BadDestination as problem:
            raise UpstreamFailed(f"The setting entrez_url cannot be used: {problem}", source="entrez") from None

    def _choose_budget(self) -> Budget:
        """Return the request budget of this process or of all workers or, with Redis, the one of all processes."""
        from sanya.sources.pacing import Clock, get_process_budget

        settings, peers = self._resources.settings, self._resources.peers
        party, per_second = settings.entrez_url, settings.entrez_requests_per_second
        own: Budget
        own = get_process_budget(party, per_second) if peers is None else peers.make_budget(party, per_second)
        if self._resources.redis is None:
            return own
        from sanya.sources.shared_budget import SharedBudget

        return SharedBudget(self._resources.redis, party, per_second, own, Clock())
