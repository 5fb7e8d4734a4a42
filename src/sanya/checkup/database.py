"""Checks of the database: it opens, is intact and up to date, and its rows, ledger and keys are right."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

from sanya.checkup.findings import FindingState, HomeFinding, is_loopback
from sanya.engines.consistency import RULES, find_breaches
from sanya.engines.database import look_into_database
from sanya.engines.health import read_database_facts
from sanya.engines.home import DATABASE_NAME
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.schema import list_migrations, list_pending, read_applied_migrations
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.verification import verify_ledger
from sanya.kernel.storage.database import Database
from sanya.settings import Settings

_NOT_CURRENT = "not checked until the schema is up to date"
_TRIGGERS = {
    "sqlite": {"ledger_keeps_rows", "ledger_loses_no_rows", "ledger_replaces_no_rows"},
    "postgresql": {"ledger_keeps_rows", "ledger_keeps_all"},
}
_FIND_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'ledger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = 'ledger'::regclass AND tgenabled <> 'D'",
}


async def check_database(settings: Settings) -> AsyncIterator[HomeFinding]:
    path = settings.home / DATABASE_NAME
    if not settings.database_url and settings.home.exists() and not settings.home.is_dir():
        return
    if not settings.database_url and not path.exists():
        yield HomeFinding("database", "note", f"{path} does not exist yet", "The first call creates it.")
        return
    try:
        async with look_into_database(settings.database_url, settings.home) as database:
            checks = (_check_integrity, _check_schema, _check_rows, _check_ledger, _check_authentication(settings))
            for check in checks:
                finding = await check(database)
                yield finding
                if finding.state == "bad":
                    return
    except StoreUnavailable as fault:
        yield HomeFinding("database", "bad", fault.message, fault.hint or "")


async def open_indexed_database(settings: Settings, stack: AsyncExitStack) -> Database | None:
    """Open the database if it exists and has the tables of the search index."""
    if not settings.database_url and not (settings.home / DATABASE_NAME).is_file():
        return None
    try:
        database = await stack.enter_async_context(look_into_database(settings.database_url, settings.home))
        return database if await _is_current(database) else None
    except StoreUnavailable:
        return None


async def _check_integrity(database: Database) -> HomeFinding:
    facts = await read_database_facts(database)
    problem = next((fact for fact in facts if fact.advice), None)
    if problem is not None:
        # A damaged SQLite file ends the checks of the database; a PostgreSQL server with a wrong clock does not.
        state: FindingState = "bad" if database.dialect == "sqlite" else "note"
        return HomeFinding("database", state, f"{problem.name}: {problem.found}", problem.advice)
    return HomeFinding("database", "good", f"intact ({', '.join(f'{fact.name} {fact.found}' for fact in facts)})")


async def _check_schema(database: Database) -> HomeFinding:
    try:
        missing = await list_pending(database)
    except StoreUnavailable as fault:
        return HomeFinding("schema", "bad", fault.message)
    if missing:
        behind = f"{len(missing)} migration{'s' * (len(missing) != 1)} behind this version of Sanya"
        advice = "`sanya upgrade --check` lists them. The next call applies them, where the setting migrate allows it."
        return HomeFinding("schema", "note", behind, advice)
    last = list_migrations()[-1].number
    newest = max(await read_applied_migrations(database))
    newer = f", with steps of a newer version up to {newest} that let this version run" if newest > last else ""
    return HomeFinding("schema", "good", f"version {last}{newer}")


async def _check_rows(database: Database) -> HomeFinding:
    if not await _is_current(database):
        return HomeFinding("rows", "good", _NOT_CURRENT)
    broken = await find_breaches(database)
    if broken:
        advice = "Restore an earlier backup into another home, and keep this home for an investigation."
        return HomeFinding("rows", "bad", broken[0].sentence, advice)
    return HomeFinding("rows", "good", f"all {len(RULES)} rules between tables hold")


async def _check_ledger(database: Database) -> HomeFinding:
    if not await read_applied_migrations(database):
        return HomeFinding("ledger", "good", "empty")
    if not await _is_current(database):
        return HomeFinding("ledger", "good", _NOT_CURRENT)
    verdict = await verify_ledger(SqlLedgerStore(database, code_hash=str))
    if verdict.problem is not None:
        advice = "Somebody changed the ledger. Compare it with a backup; `sanya audit list` shows the rows around it."
        return HomeFinding("ledger", "bad", verdict.problem, advice)
    if missing := _TRIGGERS[database.dialect] - await _list_triggers(database):
        advice = "Somebody removed them. Restore a backup, or migrate to a new home."
        unguarded = f"not protected against changes: the triggers {' and '.join(sorted(missing))} are missing"
        return HomeFinding("ledger", "bad", unguarded, advice)
    chains = "the chain holds" if len(verdict.chains) == 1 else f"all {len(verdict.chains)} chains hold"
    return HomeFinding("ledger", "good", f"{verdict.rows} rows, {chains}")


async def _is_current(database: Database) -> bool:
    applied = await read_applied_migrations(database)
    return all(migration.number in applied for migration in list_migrations())


async def _list_triggers(database: Database) -> set[str]:
    rows = await database.fetch(_FIND_TRIGGERS[database.dialect])
    return {str(row[0]) for row in rows}


def _check_authentication(settings: Settings) -> Callable[[Database], Any]:
    async def check(database: Database) -> HomeFinding:
        keys = KeyStore(database)
        has_keys = bool(await read_applied_migrations(database)) and await keys.has_active()
        methods = [name for name, is_set in (("keys", has_keys), ("OAuth", bool(settings.oauth_issuer))) if is_set]
        if methods:
            return HomeFinding("authentication", "good", " and ".join(methods))
        if settings.require_auth or not is_loopback(settings.host):
            advice = "Run `sanya keys create NAME`, or set oauth_issuer and oauth_audience."
            problem = f"{settings.host} requires it, but there is neither a key nor OAuth"
            return HomeFinding("authentication", "bad", problem, advice)
        if await _is_current(database) and await keys.has_any():
            advice = "Run `sanya keys create NAME`, or `sanya keys open` to let callers in without a key."
            return HomeFinding("authentication", "bad", "every key is revoked, so nobody can call", advice)
        return HomeFinding("authentication", "good", "not needed on loopback")

    return check
