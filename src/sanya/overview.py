"""The holdings of a home by suite, for the console's first page: row counts and the date of the data.

It lies beside the composition root because it reads the tables of every suite and belongs to none.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanya.app import App
from sanya.assembly.herbs_ingest import INBOX
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.call import ALL_SCOPES, Caller
from sanya.kernel.database import Database
from sanya.kernel.revisions import READ_REVISIONS, index_revisions
from sanya.settings import Settings
from sanya.suites.memory.namespaces import Namespaces

_COUNTS: Mapping[str, Mapping[str, str]] = {
    "tasks": {"tasks": "tasks", "projects": "projects"},
    "funds": {"funds": "funds", "nav_points": "nav_points"},
    "memory": {
        "memories": "memories WHERE retired_at IS NULL",
        "contradictions": "memory_contradictions WHERE TRUE",
    },
    "herbs": {"nodes": "herb_nodes", "edges": "herb_edges", "sources": "herb_sources"},
    "papers": {
        "papers": "paper_versions WHERE to_seq IS NULL",
        "watermarks": "paper_watermarks",
        "awaiting_vectors": "retrieval_late_vectors WHERE namespace = 'papers' AND seq IS NULL",
    },
}
# The latest date or timestamp in the data itself.
_AS_OF: Mapping[str, str] = {
    "tasks": "MAX(updated_at) FROM tasks",
    "funds": "MAX(nav_date) FROM funds",
    "memory": "MAX(created_at) FROM memories WHERE TRUE",
    "papers": "MAX(edat) FROM paper_versions WHERE to_seq IS NULL",
}
# 1 if all rows are starter data.
_SAMPLES: Mapping[str, str] = {
    "funds": "MIN(is_demo) FROM funds",
    "herbs": "MIN(CASE WHEN batch = 'starter' THEN 1 ELSE 0 END) FROM herb_nodes",
    "papers": "MIN(is_sample) FROM paper_versions",
}
# Shown only while there is something to wait for.
_SHOWN_IF_ANY = ("awaiting_vectors",)
# Suites whose rows belong to callers. The number of another caller's rows is as private as their content.
_OWNED = ("memory",)


@dataclass(frozen=True, slots=True)
class Holding:
    """The row counts of one suite. `revision` counts changes to its data; `sample` means starter data only."""

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


async def list_holdings(app: App, suites: frozenset[str], caller: Caller) -> list[Holding]:
    """Return the holdings of these suites in serving order, as the caller may see them.

    Of rows that belong to callers, a caller sees only its own, unless it has all scopes.
    """
    sees_all = ALL_SCOPES in caller.scopes
    owner = None if sees_all else Namespaces(frozenset(app.settings.memory_shared_by)).find_namespace(caller)
    revisions = index_revisions(await app.database.fetch(READ_REVISIONS))
    async with AsyncExitStack() as stack:
        holdings = []
        for suite in app.kernel.catalogue.suites:
            if suite.name in suites and suite.name in _COUNTS:
                database = await _open_suite_database(app, suite.name, stack)
                revision = revisions.get(suite.name, 0)
                reader = _Reader(database, owner if suite.name in _OWNED else None)
                holdings.append(await _read_holding(reader, suite.name, suite.title, revision))
        return holdings


async def _open_suite_database(app: App, suite: str, stack: AsyncExitStack) -> Database:
    """Return the home's database, or the external one that the setting `tasks_database` names."""
    if suite == "tasks" and app.settings.tasks_database:
        return await stack.enter_async_context(open_external_file(_expand_path(app.settings.tasks_database)))
    return app.database


def _expand_path(path: str) -> Path:
    return Path(path).expanduser()


def list_ingest_folders(settings: Settings) -> list[Path]:
    """Return the folders that documents may be ingested from."""
    given = [Path(root).expanduser().absolute() for root in settings.ingest_roots]
    return given or [settings.home.absolute() / INBOX]


async def _read_holding(reader: _Reader, suite: str, title: str, revision: int) -> Holding:
    counts = {
        name: int(await reader.read_value(f"COUNT(*) FROM {table}") or 0) for name, table in _COUNTS[suite].items()
    }
    counts = {name: count for name, count in counts.items() if count or name not in _SHOWN_IF_ANY}
    as_of = await reader.read_value(_AS_OF[suite]) if suite in _AS_OF else None
    sample = await reader.read_value(_SAMPLES[suite]) if suite in _SAMPLES else None
    return Holding(suite, title, counts, None if as_of is None else str(as_of), revision, bool(sample))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads single values, from the rows of one owner if one is given."""

    database: Database
    owner: str | None

    async def read_value(self, rest: str) -> Any:
        if self.owner is None:
            rows = await self.database.fetch(f"SELECT {rest}")
        else:
            rows = await self.database.fetch(f"SELECT {rest} AND namespace = ?", (self.owner,))
        return rows[0][0]
