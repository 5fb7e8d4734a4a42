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
from sanya.kernel.calls.call import ALL_SCOPES, Caller
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.revisions import READ_REVISIONS, index_revisions
from sanya.settings import Settings
from sanya.suite.definition import HoldingCounts
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.registry import BUILT_IN, BuiltInSuite

# Shown only while there is something to wait for.
_SHOWN_IF_ANY = ("awaiting_vectors",)


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
            rows = _find_rows(app, suite.name)
            if suite.name in suites and rows is not None:
                database = await _open_suite_database(app, suite.name, stack)
                revision = revisions.get(suite.name, 0)
                reader = _Reader(database, owner if rows.has_owned_rows else None)
                holdings.append(await _read_holding(reader, suite, rows, revision))
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


def _find_rows(app: App, suite: str) -> BuiltInSuite | HoldingCounts | None:
    """Return what counts the rows of a suite, which a guest declares as a built-in suite does."""
    guests = {guest.name: guest.definition.holdings for guest in app.guests if guest.definition is not None}
    return BUILT_IN.get(suite) or guests.get(suite)


async def _read_holding(reader: _Reader, suite: Suite, rows: BuiltInSuite | HoldingCounts, revision: int) -> Holding:
    counts = {name: int(await reader.read_value(f"COUNT(*) FROM {table}") or 0) for name, table in rows.counts.items()}
    counts = {name: count for name, count in counts.items() if count or name not in _SHOWN_IF_ANY}
    as_of = await reader.read_value(rows.as_of) if rows.as_of else None
    sample = await reader.read_value(rows.is_sample) if rows.is_sample else None
    return Holding(suite.name, suite.title, counts, None if as_of is None else str(as_of), revision, bool(sample))


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
