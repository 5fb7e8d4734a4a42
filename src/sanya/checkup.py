"""Checks of a home for `sanya doctor`: each reports what is wrong and what to do, and changes nothing.

Like the composition root, this module knows the settings and the engines. Unlike it, it must work when a home cannot be
opened, so it inspects the parts one by one.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya import app
from sanya.assembly.chat import find_endpoint_problem
from sanya.assembly.guest_entries import find_guest_entries
from sanya.assembly.guests import GuestSuite
from sanya.assembly.search_health import check_embedders, check_embedding, check_index
from sanya.engines.consistency import RULES, find_breaches
from sanya.engines.database import look_into_database
from sanya.engines.guest_schema import list_unowned_tables, read_guest_migrations
from sanya.engines.health import read_database_facts
from sanya.engines.home import DATABASE_NAME
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.redis.health import read_redis_facts
from sanya.engines.schema import check_applied, list_migrations, read_applied_migrations
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.contract_lock import BrokenContract
from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.verification import verify_ledger
from sanya.published_contracts import BadLock, find_published_folder, read_lock
from sanya.setting_checks import find_unknown_variables
from sanya.settings import BadSetting, Settings, find_default_home, list_names, load_settings
from sanya.sources.documents.health import check_documents
from sanya.sources.running_server import fetch_engine_states
from sanya.suites.papers.pubmed.fast_reader import IS_COMPILED
from sanya.suites.tasks.attached_tables import AttachedTables

FindingState = Literal["good", "note", "bad"]

_LITTLE_SPACE = 1024**3
_NO_SPACE = 50 * 1024**2
_OTHERS = 0o077
_NOT_CURRENT = "not checked until the schema is up to date"
_TRIGGERS = {
    "sqlite": {"ledger_keeps_rows", "ledger_loses_no_rows", "ledger_replaces_no_rows"},
    "postgresql": {"ledger_keeps_rows", "ledger_keeps_all"},
}
_FIND_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'ledger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = 'ledger'::regclass AND tgenabled <> 'D'",
}


@dataclass(frozen=True, slots=True)
class HomeFinding:
    """The result of one check. `advice` says what to do; it is empty if there is nothing to do."""

    check: str
    state: FindingState
    found: str
    advice: str = ""


async def check_home(overrides: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[HomeFinding]:
    settings, first = _read_settings(overrides, environ)
    findings = [first]
    for check in (
        _check_folder,
        _check_space,
        _check_time_zone,
        _check_port,
        _check_extras,
        _check_compiled,
        _check_chat,
        _check_documents,
    ):
        findings += check(settings)
    findings += _check_variables(environ)
    findings += [finding async for finding in _check_server(settings)]
    findings += [finding async for finding in _check_database(settings)]
    findings += [finding async for finding in _check_redis(settings)]
    findings += [finding async for finding in _check_search(settings)]
    findings += [finding async for finding in _check_tasks_database(settings)]
    findings += [finding async for finding in _check_guests(settings)]
    findings.append(await _check_contracts())
    return findings


def _read_settings(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[Settings, HomeFinding]:
    try:
        settings = load_settings(overrides, environ)
    except BadSetting as error:
        home = Path(overrides.get("home") or environ.get("SANYA_HOME") or find_default_home(environ)).expanduser()
        advice = "Correct the setting there; until then the other checks use the defaults."
        return Settings(home=home), HomeFinding("settings", "bad", str(error), advice)
    return settings, HomeFinding("settings", "good", "all settings are valid")


def _check_variables(environ: Mapping[str, str]) -> Iterator[HomeFinding]:
    for name, nearest in find_unknown_variables(environ, list_names(), find_guest_entries).items():
        yield HomeFinding("environment", "note", f"{name} is no setting", f"Use {nearest}." if nearest else "Unset it.")


def _check_folder(settings: Settings) -> Iterator[HomeFinding]:
    home = settings.home
    if not home.exists():
        yield HomeFinding("home", "note", f"{home} does not exist yet", "The first call creates it.")
        return
    if not home.is_dir():
        yield HomeFinding("home", "bad", f"{home} is not a folder", "Choose a folder with --home or SANYA_HOME.")
        return
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield HomeFinding("home", "bad", f"you cannot read and write {home}", f"Run: chmod u+rwx '{home}'")
        return
    yield HomeFinding("home", "good", str(home))
    yield from _check_privacy(home)


def _check_privacy(home: Path) -> Iterator[HomeFinding]:
    """Check that other users of the machine cannot read the ledger, the keys and the data."""
    if os.name != "posix":
        return
    for path, mode in ((home, "700"), (home / DATABASE_NAME, "600")):
        if path.exists() and path.stat().st_mode & _OTHERS:
            yield HomeFinding("permissions", "bad", f"other users can open {path}", f"Run: chmod {mode} '{path}'")
            return
    yield HomeFinding("permissions", "good", "only you can open the home")


def _check_space(settings: Settings) -> Iterator[HomeFinding]:
    folder = next(folder for folder in (settings.home, *settings.home.absolute().parents) if folder.is_dir())
    free = shutil.disk_usage(folder).free
    found = f"{free / 1024**3:.1f} GiB free"
    if free < _NO_SPACE:
        yield HomeFinding("disk space", "bad", found, "Free some space: writes will soon fail.")
    elif free < _LITTLE_SPACE:
        yield HomeFinding("disk space", "note", found, "Free some space before it runs out.")
    else:
        yield HomeFinding("disk space", "good", found)


def _check_time_zone(settings: Settings) -> Iterator[HomeFinding]:
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        advice = "Set time_zone to an IANA name such as Asia/Bangkok. If it is one, install the package tzdata."
        yield HomeFinding("time zone", "bad", f"no data for {settings.time_zone!r}", advice)
    else:
        yield HomeFinding("time zone", "good", settings.time_zone)


def _check_port(settings: Settings) -> Iterator[HomeFinding]:
    address = f"{settings.host}:{settings.port}"
    try:
        family, _, _, _, target = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # Same option as a server's socket: without it, a port that was just closed looks taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = "If that is not a Sanya server of yours, stop it or choose another port with --port."
        yield HomeFinding("address", "note", f"cannot listen on {address}: {reason}", advice)
    else:
        yield HomeFinding("address", "good", f"{address} is free")


async def _check_server(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check the engines of a running server. Yield nothing if none runs at the configured address."""
    host = settings.host if _is_loopback(settings.host) else "127.0.0.1"
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    engines = await fetch_engine_states(url) if settings.port else None
    if engines is None:
        return
    if unreachable := [name for name, state in engines.items() if state != "closed"]:
        advice = "The server retries by itself. Check that the engine runs, and read the server's log."
        yield HomeFinding("server", "bad", f"the server at {url} cannot reach {', '.join(unreachable)}", advice)
    else:
        reached = f" and reaches {', '.join(engines)}" if engines else ""
        yield HomeFinding("server", "good", f"a server runs at {url}{reached}")


def _check_extras(settings: Settings) -> Iterator[HomeFinding]:
    needs = (
        ("psycopg", "postgres", bool(settings.database_url), "PostgreSQL"),
        ("opentelemetry.sdk", "telemetry", bool(settings.otel_endpoint), "telemetry"),
        ("redis", "redis", bool(settings.redis_url), "Redis"),
        ("weaviate", "weaviate", settings.index == "weaviate", "Weaviate"),
        ("fastembed", "fastembed", settings.embedder == "fastembed", "fastembed"),
        ("onnxruntime", "huggingface", settings.embedder == "huggingface", "Hugging Face models"),
    )
    for module, extra, needed, purpose in needs:
        if _is_installed(module):
            yield HomeFinding(purpose, "good", f"the extra `{extra}` is installed")
        elif needed:
            advice = f"Run: pip install 'sanya[{extra}]'"
            yield HomeFinding(purpose, "bad", f"the settings need the extra `{extra}`, which is not installed", advice)
        else:
            yield HomeFinding(purpose, "good", "not needed, not installed")


def _check_compiled(_: Settings) -> Iterator[HomeFinding]:
    if IS_COMPILED:
        yield HomeFinding("compiled parts", "good", "in use")
    else:
        advice = "If you import or search a lot, install a C compiler and reinstall Sanya."
        consequence = "missing: imports of papers run at less than half the speed, and searches take longer"
        yield HomeFinding("compiled parts", "note", consequence, advice)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _check_chat(settings: Settings) -> Iterator[HomeFinding]:
    """Check the settings of the chat model. Yield nothing if no model is configured."""
    if problem := find_endpoint_problem(settings):
        yield HomeFinding("chat endpoint", "bad", problem, "Set them in sanya.toml, or set memory_extractor to rules.")
    elif settings.phrasing_url:
        reads = " and reads memories" if settings.memory_extractor == "chat" else ""
        yield HomeFinding("chat endpoint", "good", f"{settings.phrasing_model} phrases answers{reads}")


def _check_documents(settings: Settings) -> Iterator[HomeFinding]:
    roots = [_expand_path(root) for root in settings.ingest_roots] or [settings.home / "inbox"]
    for fact in check_documents(roots):
        yield HomeFinding(fact.name, "note" if fact.advice else "good", fact.found, fact.advice)


async def _check_database(settings: Settings) -> AsyncIterator[HomeFinding]:
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


async def _check_redis(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check Redis. Only an unreachable Redis is bad: servers then answer without it, each with its own limits."""
    if not settings.redis_url:
        return
    facts = await read_redis_facts(settings.redis_url)
    problem = next((fact for fact in facts if fact.advice), None)
    if problem is None:
        yield HomeFinding("Redis server", "good", ", ".join(f"{fact.name} {fact.found}" for fact in facts))
    else:
        state: FindingState = "bad" if problem is facts[0] else "note"
        yield HomeFinding("Redis server", state, f"{problem.name}: {problem.found}", problem.advice)


async def _check_integrity(database: Database) -> HomeFinding:
    facts = await read_database_facts(database)
    problem = next((fact for fact in facts if fact.advice), None)
    if problem is not None:
        # A damaged SQLite file ends the checks of the database; a PostgreSQL server with a wrong clock does not.
        state: FindingState = "bad" if database.dialect == "sqlite" else "note"
        return HomeFinding("database", state, f"{problem.name}: {problem.found}", problem.advice)
    return HomeFinding("database", "good", f"intact ({', '.join(f'{fact.name} {fact.found}' for fact in facts)})")


async def _check_schema(database: Database) -> HomeFinding:
    applied, known = await read_applied_migrations(database), list_migrations()
    try:
        check_applied(applied, known)
    except StoreUnavailable as fault:
        return HomeFinding("schema", "bad", fault.message)
    missing = len(known) - len(applied)
    if missing:
        behind = f"{missing} migration{'s' * (missing != 1)} behind this version of Sanya"
        return HomeFinding("schema", "note", behind, "The next call applies them.")
    return HomeFinding("schema", "good", f"version {known[-1].number}")


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
    return len(await read_applied_migrations(database)) >= len(list_migrations())


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
        if settings.require_auth or not _is_loopback(settings.host):
            advice = "Run `sanya keys create NAME`, or set oauth_issuer and oauth_audience."
            problem = f"{settings.host} requires it, but there is neither a key nor OAuth"
            return HomeFinding("authentication", "bad", problem, advice)
        if await _is_current(database) and await keys.has_any():
            advice = "Run `sanya keys create NAME`, or `sanya keys open` to let callers in without a key."
            return HomeFinding("authentication", "bad", "every key is revoked, so nobody can call", advice)
        return HomeFinding("authentication", "good", "not needed on loopback")

    return check


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _check_search(settings: Settings) -> AsyncIterator[HomeFinding]:
    async with AsyncExitStack() as stack:
        database = await _open_indexed_database(settings, stack)
        # Models before the index: engines/embedders/onnx_runtime.py explains the order.
        facts = [*await check_embedders(settings, database), *await check_index(settings, database)]
        notes = await check_embedding(settings, database)
    for note in notes:
        yield HomeFinding(note.name, "note", note.found, note.advice)
    for fact in facts:
        yield HomeFinding(fact.name, fact.level, fact.found, fact.advice)


async def _open_indexed_database(settings: Settings, stack: AsyncExitStack) -> Database | None:
    """Open the database if it exists and has the tables of the search index."""
    if not settings.database_url and not (settings.home / DATABASE_NAME).is_file():
        return None
    try:
        database = await stack.enter_async_context(look_into_database(settings.database_url, settings.home))
        return database if len(await read_applied_migrations(database)) == len(list_migrations()) else None
    except StoreUnavailable:
        return None


async def _check_tasks_database(settings: Settings) -> AsyncIterator[HomeFinding]:
    if not settings.tasks_database:
        return
    path = _expand_path(settings.tasks_database)
    try:
        async with open_external_file(path) as database:
            tables = AttachedTables(database)
            for read in (tables.get_tasks, tables.get_projects, tables.get_changelogs):
                await read()
            yield HomeFinding("tasks database", "good", str(path))
    except StoreUnavailable as fault:
        yield HomeFinding("tasks database", "bad", fault.message, "Correct the setting tasks_database, or clear it.")


def _expand_path(path: str) -> Path:
    return Path(path).expanduser()


async def _check_guests(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check the suites of other packages, and name the tables of those that are not installed any more."""
    entries = find_guest_entries()
    if entries:
        with tempfile.TemporaryDirectory(prefix="sanya-doctor-") as folder:
            async with app.open(folder, database_url="", tasks_database="", suites_disabled="") as home:
                for guest in home.guests:
                    yield _describe_guest(guest, settings)
    async with AsyncExitStack() as stack:
        database = await _open_indexed_database(settings, stack)
        if database is None:
            return
        stored = {suite for suite, _, _ in await read_guest_migrations(database)}
        for suite in sorted(stored - {entry.name for entry in entries}):
            advice = "Install its package again to use them. Backups keep them."
            yield HomeFinding(f"suite {suite}", "note", "not installed; its tables are kept", advice)
        if unowned := await list_unowned_tables(database, database.dialect):
            found = f"no suite owns {', '.join(unowned)}"
            yield HomeFinding("tables", "note", found, "Backups leave them out; copy or remove them yourself.")


def _describe_guest(guest: GuestSuite, settings: Settings) -> HomeFinding:
    named = f"{guest.package} {guest.version}"
    if guest.name in settings.suites_disabled:
        return HomeFinding(f"suite {guest.name}", "good", f"{named}, disabled")
    if guest.state == "failed":
        advice = f"Correct or remove the package, or run: sanya suites disable {guest.name}"
        return HomeFinding(f"suite {guest.name}", "bad", f"{named} is not served: {guest.reason}", advice)
    return HomeFinding(f"suite {guest.name}", "good", f"{named}, {len(guest.suite.tools if guest.suite else ())} tools")


async def _check_contracts() -> HomeFinding:
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
