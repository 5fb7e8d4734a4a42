"""Checks of the suites: those of other packages, and the published contracts of ours."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

from sanya import app
from sanya.assembly.guest_entries import find_guest_entries
from sanya.assembly.guests import GuestSuite
from sanya.checkup.database import open_indexed_database
from sanya.checkup.findings import HomeFinding
from sanya.engines.guest_schema import list_unowned_tables, read_guest_migrations
from sanya.kernel.contracts.lock import BrokenContract
from sanya.published_contracts import BadLock, find_published_folder, read_lock
from sanya.settings import BadSetting, Settings


async def check_guests(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check the suites of other packages, and name the tables of those that are not installed any more."""
    entries = find_guest_entries()
    if entries:
        with tempfile.TemporaryDirectory(prefix="sanya-doctor-") as folder:
            async with app.open(folder, database_url="", tasks_database="", suites_disabled="") as home:
                for guest in home.guests:
                    yield _describe_guest(guest, settings)
    async with AsyncExitStack() as stack:
        database = await open_indexed_database(settings, stack)
        if database is None:
            return
        stored = {suite for suite, _, _ in await read_guest_migrations(database)}
        for suite in sorted(stored - {entry.name for entry in entries}):
            advice = "Install its package again to use them. Backups keep them."
            yield HomeFinding(f"suite {suite}", "note", "not installed; its tables are kept", advice)
        if unowned := await list_unowned_tables(database, database.dialect):
            found = f"no suite owns {', '.join(unowned)}"
            advice = "Backups leave them out and say so. Copy them with pg_dump or `sqlite3 … .dump`, or remove them."
            yield HomeFinding("tables", "note", found, advice)


def _describe_guest(guest: GuestSuite, settings: Settings) -> HomeFinding:
    named = f"{guest.package} {guest.version}"
    if guest.name in settings.suites_disabled:
        return HomeFinding(f"suite {guest.name}", "good", f"{named}, disabled")
    if guest.state == "failed":
        advice = f"Correct or remove the package, or run: sanya suites disable {guest.name}"
        return HomeFinding(f"suite {guest.name}", "bad", f"{named} is not served: {guest.reason}", advice)
    return HomeFinding(f"suite {guest.name}", "good", f"{named}, {len(guest.suite.tools if guest.suite else ())} tools")


async def check_contracts() -> HomeFinding:
    """Compare the tools of an empty home with the lock: contracts do not depend on what a home holds."""
    try:
        with tempfile.TemporaryDirectory(prefix="sanya-doctor-") as folder:
            async with app.open(
                folder, with_guests=False, database_url="", tasks_database="", suites_disabled=""
            ) as home:
                tools = home.kernel.catalogue.tools
                differences = read_lock(find_published_folder()).find_differences(tools)
    except BadSetting:
        return HomeFinding("contracts", "note", "not compared", "Correct the settings first.")
    except (BadLock, BrokenContract) as error:
        return HomeFinding("contracts", "bad", str(error), "Reinstall the released version of Sanya.")
    if any(difference.breaking for difference in differences):
        return HomeFinding("contracts", "bad", "the code breaks published contracts", "Run: sanya contracts check")
    if differences:
        return HomeFinding("contracts", "note", "the code has unpublished additions", "Run: sanya contracts export")
    return HomeFinding("contracts", "good", f"{len(tools)} tools match the published contracts")
