"""What a home holds, suite by suite, for the console's first page: how much, and as of when.

It stands beside the composition root because it looks into every suite's tables without being part of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanya.app import App
from sanya.assembly.herbs_ingest import INBOX
from sanya.engines.attached import open_attached
from sanya.kernel.call import ALL_SCOPES, Caller
from sanya.kernel.database import Database
from sanya.settings import Settings
from sanya.suites.memory.namespaces import Namespaces

_REVISIONS = "SELECT suite, revision FROM revisions"
_COUNTS: Mapping[str, Mapping[str, str]] = {
    "tasks": {"tasks": "tasks", "projects": "projects"},
    "funds": {"funds": "funds", "nav_points": "nav_points"},
    "memory": {
        "memories": "memories WHERE retired_at IS NULL",
        "contradictions": "memory_contradictions WHERE TRUE",
    },
    "herbs": {"nodes": "herb_nodes", "edges": "herb_edges", "sources": "herb_sources"},
    "papers": {"papers": "paper_versions WHERE to_seq IS NULL", "watermarks": "paper_watermarks"},
}
# The latest moment that the data itself speaks of.
_AS_OF: Mapping[str, str] = {
    "tasks": "MAX(updated_at) FROM tasks",
    "funds": "MAX(nav_date) FROM funds",
    "memory": "MAX(created_at) FROM memories WHERE TRUE",
    "papers": "MAX(edat) FROM paper_versions WHERE to_seq IS NULL",
}
# Whether all of it came with Sanya.
_SAMPLES: Mapping[str, str] = {
    "funds": "MIN(is_demo) FROM funds",
    "herbs": "MIN(CASE WHEN batch = 'starter' THEN 1 ELSE 0 END) FROM herb_nodes",
    "papers": "MIN(is_sample) FROM paper_versions",
}
# Suites whose rows belong to callers: how many the others have is as private as what they have.
_OWNED = ("memory",)


@dataclass(frozen=True, slots=True)
class Holding:
    """`revision` counts the changes to the suite's data; `sample` says that there is only what Sanya came with."""

    suite: str
    title: str
    counts: Mapping[str, int]
    as_of: str | None
    revision: int
    sample: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "title": self.title,
            "counts": dict(self.counts),
            "as_of": self.as_of,
            "revision": self.revision,
            "sample": self.sample,
        }


async def holdings(app: App, suites: frozenset[str], caller: Caller) -> list[Holding]:
    """Of those suites, in the order in which they are served, as the caller may see them: of what belongs to callers
    their own, unless they may do everything."""
    sees_all = ALL_SCOPES in caller.scopes
    owner = None if sees_all else Namespaces(frozenset(app.settings.memory_shared_by)).of(caller)
    revisions = {str(suite): revision for suite, revision in await app.database.fetch(_REVISIONS)}
    async with AsyncExitStack() as stack:
        found = []
        for suite in app.kernel.catalogue.suites:
            if suite.name in suites and suite.name in _COUNTS:
                database = await _database(app, suite.name, stack)
                revision = revisions.get(suite.name, 0)
                assert isinstance(revision, int)
                reader = _Reader(database, owner if suite.name in _OWNED else None)
                found.append(await _holding(reader, suite.name, suite.title, revision))
        return found


async def _database(app: App, suite: str, stack: AsyncExitStack) -> Database:
    """Tasks may live in a database of somebody else's."""
    if suite == "tasks" and app.settings.tasks_database:
        return await stack.enter_async_context(open_attached(_expanded(app.settings.tasks_database)))
    return app.database


def ingest_folders(settings: Settings) -> list[Path]:
    """Where documents may be ingested from."""
    given = [Path(root).expanduser().absolute() for root in settings.ingest_roots]
    return given or [settings.home.absolute() / INBOX]


def _expanded(path: str) -> Path:
    return Path(path).expanduser()


async def _holding(reader: _Reader, suite: str, title: str, revision: int) -> Holding:
    counts = {name: int(await reader.value(f"COUNT(*) FROM {table}") or 0) for name, table in _COUNTS[suite].items()}
    as_of = await reader.value(_AS_OF[suite]) if suite in _AS_OF else None
    sample = await reader.value(_SAMPLES[suite]) if suite in _SAMPLES else None
    return Holding(suite, title, counts, None if as_of is None else str(as_of), revision, bool(sample))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one value; with an owner, of their rows alone."""

    database: Database
    owner: str | None

    async def value(self, rest: str) -> Any:
        if self.owner is None:
            rows = await self.database.fetch(f"SELECT {rest}")
        else:
            rows = await self.database.fetch(f"SELECT {rest} AND namespace = ?", (self.owner,))
        return rows[0][0]
