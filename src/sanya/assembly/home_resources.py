"""The resources of an open home that every suite is built from."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sanya.assembly.library import SharedLibrary
from sanya.engines.vault import Vault
from sanya.kernel.breaker import Breakers
from sanya.kernel.cursors import Cursors
from sanya.kernel.jobs.job import Jobs
from sanya.kernel.storage.database import Database
from sanya.settings import Settings

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from sanya.coordination.peers import WorkerPeers


@dataclass(frozen=True, kw_only=True)
class HomeResources:
    settings: Settings
    database: Database
    vault: Vault
    cursors: Cursors
    jobs: Jobs
    library: SharedLibrary
    redis: Redis | None
    """State shared by several processes, where `redis_url` is set."""
    peers: WorkerPeers | None = None
    """The other workers of the same server."""
    breakers: Breakers = field(default_factory=Breakers)
    """One circuit breaker for each engine and each remote service."""
    stack: AsyncExitStack
    """Closes what a suite opened, in reverse order."""
