"""What is open while a home is: the parts that every suite is made from."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sanya.assembly.library import SharedLibrary
from sanya.engines.vault import Vault
from sanya.kernel.breaker import Breakers
from sanya.kernel.cursors import Cursors
from sanya.kernel.database import Database
from sanya.kernel.jobs import Jobs
from sanya.settings import Settings

if TYPE_CHECKING:
    from redis.asyncio import Redis


@dataclass(frozen=True, kw_only=True)
class Opened:
    settings: Settings
    database: Database
    vault: Vault
    cursors: Cursors
    jobs: Jobs
    library: SharedLibrary
    redis: Redis | None
    """What several processes share, where it is set."""
    breakers: Breakers = field(default_factory=Breakers)
    """One for each engine and outside party."""
    stack: AsyncExitStack
    """Closes, in reverse order, what a suite opens for itself."""
