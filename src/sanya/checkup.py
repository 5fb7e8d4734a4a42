"""Checks a home from outside, changes nothing in it, and says what is wrong and what to do.

It stands beside the composition root because, like it, it knows the settings and the engines; unlike it, it must work
where a home cannot be opened.
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
from sanya.assembly.chat import lack_of_endpoint
from sanya.assembly.search_health import embedder_facts, index_facts
from sanya.engines.sqlite.external_file import open_attached
from sanya.engines.consistency import RULES, breaches
from sanya.engines.database import look_into_database
from sanya.engines.health import database_facts
from sanya.engines.home import DATABASE_NAME
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.redis.health import redis_facts
from sanya.engines.schema import applied_migrations, check_applied, known_migrations
from sanya.kernel.contract_lock import BrokenPromise
from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.verification import verify
from sanya.published_contracts import BadLock, published_folder, read_lock
from sanya.settings import BadSetting, Settings, default_home, load_settings
from sanya.sources.documents.health import document_facts
from sanya.sources.running_server import engines_of
from sanya.suites.papers.pubmed_usual import IS_COMPILED
from sanya.suites.tasks.attached import AttachedTables

State = Literal["good", "note", "bad"]

_LITTLE_SPACE = 1024**3
_NO_SPACE = 50 * 1024**2
_OTHERS = 0o077
_TRIGGERS = {
    "sqlite": {"ledger_keeps_rows", "ledger_loses_no_rows"},
    "postgresql": {"ledger_keeps_rows", "ledger_keeps_all"},
}
_FIND_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'ledger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = 'ledger'::regclass AND tgenabled <> 'D'",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. `advice` says what to do, and is empty where there is nothing to do."""

    check: str
    state: State
    found: str
    advice: str = ""


async def check_home(overrides: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[Finding]:
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
    findings += [finding async for finding in _check_server(settings)]
    findings += [finding async for finding in _check_database(settings)]
    findings += [finding async for finding in _check_redis(settings)]
    findings += [finding async for finding in _check_search(settings)]
    findings += [finding async for finding in _check_tasks_database(settings)]
    findings.append(await _check_contracts())
    return findings


def _read_settings(overrides: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[Settings, Finding]:
    try:
        settings = load_settings(overrides, environ)
    except BadSetting as error:
        home = Path(overrides.get("home") or environ.get("SANYA_HOME") or default_home(environ)).expanduser()
        advice = "Correct it there; until then the other checks use the defaults."
        return Settings(home=home), Finding("settings", "bad", str(error), advice)
    return settings, Finding("settings", "good", "every setting can be read")


def _check_folder(settings: Settings) -> Iterator[Finding]:
    home = settings.home
    if not home.exists():
        yield Finding("home", "note", f"{home} does not exist yet", "It is made at the first call.")
        return
    if not home.is_dir():
        yield Finding("home", "bad", f"{home} is not a folder", "Choose another with --home or SANYA_HOME.")
        return
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("home", "bad", f"{home} cannot be read and written by you", f"Run: chmod u+rwx '{home}'")
        return
    yield Finding("home", "good", str(home))
    yield from _check_privacy(home)


def _check_privacy(home: Path) -> Iterator[Finding]:
    """Audit rows, keys and your data are nobody else's business on a shared machine."""
    if os.name != "posix":
        return
    for path, mode in ((home, "700"), (home / DATABASE_NAME, "600")):
        if path.exists() and path.stat().st_mode & _OTHERS:
            yield Finding("permissions", "bad", f"other users can open {path}", f"Run: chmod {mode} '{path}'")
            return
    yield Finding("permissions", "good", "only you can open the home")


def _check_space(settings: Settings) -> Iterator[Finding]:
    place = next(one for one in (settings.home, *settings.home.absolute().parents) if one.is_dir())
    free = shutil.disk_usage(place).free
    found = f"{free / 1024**3:.1f} GiB free"
    if free < _NO_SPACE:
        yield Finding("disk space", "bad", found, "Free some space: writes will soon fail.")
    elif free < _LITTLE_SPACE:
        yield Finding("disk space", "note", found, "Free some space before it runs out.")
    else:
        yield Finding("disk space", "good", found)


def _check_time_zone(settings: Settings) -> Iterator[Finding]:
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        advice = "Set time_zone to an IANA name such as Asia/Bangkok; if it is one, install the package tzdata."
        yield Finding("time zone", "bad", f"no data for {settings.time_zone!r}", advice)
    else:
        yield Finding("time zone", "good", settings.time_zone)


def _check_port(settings: Settings) -> Iterator[Finding]:
    address = f"{settings.host}:{settings.port}"
    try:
        family, _, _, _, target = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As a server would: without it, a port that was just closed looks taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        advice = "If that is not a Sanya that you started, stop it or choose another with --port."
        yield Finding("address", "note", f"{address} cannot be taken: {reason}", advice)
    else:
        yield Finding("address", "good", f"{address} is free")


async def _check_server(settings: Settings) -> AsyncIterator[Finding]:
    """Nothing where none runs at the address of the settings."""
    host = settings.host if _is_loopback(settings.host) else "127.0.0.1"
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    engines = await engines_of(url) if settings.port else None
    if engines is None:
        return
    if away := [name for name, state in engines.items() if state != "closed"]:
        advice = "It asks again by itself; look whether that runs, and at the server's log."
        yield Finding("server", "bad", f"the one at {url} gets no answer from {', '.join(away)}", advice)
    else:
        yield Finding("server", "good", f"one runs at {url}, and reaches {', '.join(engines) or 'what it needs'}")


def _check_extras(settings: Settings) -> Iterator[Finding]:
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
            yield Finding(purpose, "good", f"the extra `{extra}` is installed")
        elif needed:
            advice = f"Run: pip install 'sanya[{extra}]'"
            yield Finding(purpose, "bad", f"the settings ask for it and the extra `{extra}` is not installed", advice)
        else:
            yield Finding(purpose, "good", "not asked for, not installed")


def _check_compiled(_: Settings) -> Iterator[Finding]:
    if IS_COMPILED:
        yield Finding("compiled parts", "good", "they are used")
    else:
        advice = "Install a C compiler and install Sanya again, if you import or search much."
        slower = "they are missing: papers are imported at less than half the speed, and a search takes longer"
        yield Finding("compiled parts", "note", slower, advice)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _check_chat(settings: Settings) -> Iterator[Finding]:
    """Nothing where no model is to be asked."""
    if lack := lack_of_endpoint(settings):
        yield Finding("chat endpoint", "bad", lack, "Set them in sanya.toml, or set memory_extractor back to rules.")
    elif settings.phrasing_url:
        reads = " and reads memories" if settings.memory_extractor == "chat" else ""
        yield Finding("chat endpoint", "good", f"{settings.phrasing_model} phrases answers{reads}")


def _check_documents(settings: Settings) -> Iterator[Finding]:
    roots = [_expanded(root) for root in settings.ingest_roots] or [settings.home / "inbox"]
    for fact in document_facts(roots):
        yield Finding(fact.name, "note" if fact.advice else "good", fact.found, fact.advice)


async def _check_database(settings: Settings) -> AsyncIterator[Finding]:
    path = settings.home / DATABASE_NAME
    if not settings.database_url and settings.home.exists() and not settings.home.is_dir():
        return
    if not settings.database_url and not path.exists():
        yield Finding("database", "note", f"{path} does not exist yet", "It is made at the first call.")
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
        yield Finding("database", "bad", fault.message, fault.hint or "")


async def _check_redis(settings: Settings) -> AsyncIterator[Finding]:
    """Bad is only that it cannot be reached: servers answer without it, but each counts for itself."""
    if not settings.redis_url:
        return
    facts = await redis_facts(settings.redis_url)
    wrong = next((fact for fact in facts if fact.advice), None)
    if wrong is None:
        yield Finding("Redis server", "good", ", ".join(f"{fact.name} {fact.found}" for fact in facts))
    else:
        state: State = "bad" if wrong is facts[0] else "note"
        yield Finding("Redis server", state, f"its {wrong.name}: {wrong.found}", wrong.advice)


async def _check_integrity(database: Database) -> Finding:
    facts = await database_facts(database)
    wrong = next((fact for fact in facts if fact.advice), None)
    if wrong is not None:
        # Damage ends the visit; a server whose clock is wrong does not.
        state: State = "bad" if database.dialect == "sqlite" else "note"
        return Finding("database", state, f"its {wrong.name}: {wrong.found}", wrong.advice)
    return Finding("database", "good", f"it is whole ({', '.join(f'{fact.name} {fact.found}' for fact in facts)})")


async def _check_schema(database: Database) -> Finding:
    applied, known = await applied_migrations(database), known_migrations()
    try:
        check_applied(applied, known)
    except StoreUnavailable as fault:
        return Finding("schema", "bad", fault.message)
    missing = len(known) - len(applied)
    if missing:
        return Finding(
            "schema", "note", f"{missing} steps behind this Sanya", "It is brought up to date at the next call."
        )
    return Finding("schema", "good", f"version {known[-1].number}")


async def _check_rows(database: Database) -> Finding:
    if len(await applied_migrations(database)) < len(known_migrations()):
        return Finding("rows", "good", "looked at once the schema is up to date")
    broken = await breaches(database)
    if broken:
        return Finding(
            "rows", "bad", broken[0].sentence, "Restore a backup from before; keep this home to be looked at."
        )
    return Finding("rows", "good", f"all {len(RULES)} rules between tables hold")


async def _check_ledger(database: Database) -> Finding:
    if not await applied_migrations(database):
        return Finding("ledger", "good", "empty")
    verdict = await verify(SqlLedgerStore(database, code_hash=str))
    if verdict.problem is not None:
        advice = "Somebody changed the record: compare with a backup; `sanya audit list` shows the rows around it."
        return Finding("ledger", "bad", verdict.problem, advice)
    if lost := _TRIGGERS[database.dialect] - await _triggers(database):
        advice = "Somebody removed them: restore a backup, or move to a new home."
        return Finding("ledger", "bad", f"it is not guarded any more, {' and '.join(sorted(lost))} are gone", advice)
    held = "the chain holds" if len(verdict.chains) == 1 else f"the {len(verdict.chains)} chains hold"
    return Finding("ledger", "good", f"{verdict.rows} rows, {held}")


async def _triggers(database: Database) -> set[str]:
    rows = await database.fetch(_FIND_TRIGGERS[database.dialect])
    return {str(row[0]) for row in rows}


def _check_authentication(settings: Settings) -> Callable[[Database], Any]:
    async def check(database: Database) -> Finding:
        has_keys = bool(await applied_migrations(database)) and await KeyStore(database).any_active()
        ways = [way for way, there in (("keys", has_keys), ("OAuth", bool(settings.oauth_issuer))) if there]
        if ways:
            return Finding("authentication", "good", " and ".join(ways))
        if settings.require_auth or not _is_loopback(settings.host):
            advice = "Run `sanya keys create NAME`, or set oauth_issuer and oauth_audience."
            return Finding(
                "authentication", "bad", f"{settings.host} needs it and there is neither key nor OAuth", advice
            )
        return Finding("authentication", "good", "not needed on loopback")

    return check


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _check_search(settings: Settings) -> AsyncIterator[Finding]:
    async with AsyncExitStack() as stack:
        database = await _indexed_database(settings, stack)
        # Models before the index, because of what engines/embedders/onnx_runtime.py says.
        facts = [*await embedder_facts(settings, database), *await index_facts(settings, database)]
    for fact in facts:
        yield Finding(fact.name, "bad" if fact.advice else "good", fact.found, fact.advice)


async def _indexed_database(settings: Settings, stack: AsyncExitStack) -> Database | None:
    """The database, if it is there and has the tables of the search."""
    if not settings.database_url and not (settings.home / DATABASE_NAME).is_file():
        return None
    try:
        database = await stack.enter_async_context(look_into_database(settings.database_url, settings.home))
        return database if len(await applied_migrations(database)) == len(known_migrations()) else None
    except StoreUnavailable:
        return None


async def _check_tasks_database(settings: Settings) -> AsyncIterator[Finding]:
    if not settings.tasks_database:
        return
    path = _expanded(settings.tasks_database)
    try:
        async with open_attached(path) as database:
            tables = AttachedTables(database)
            for read in (tables.tasks, tables.projects, tables.changelogs):
                await read()
            yield Finding("tasks database", "good", str(path))
    except StoreUnavailable as fault:
        yield Finding("tasks database", "bad", fault.message, "Correct the setting tasks_database, or empty it.")


def _expanded(path: str) -> Path:
    return Path(path).expanduser()


async def _check_contracts() -> Finding:
    """Compares the tools of a bare home with the lock: contracts are the same whatever a home holds."""
    try:
        with tempfile.TemporaryDirectory(prefix="sanya-doctor-") as bare:
            async with app.open(bare, database_url="", tasks_database="") as opened:
                tools = opened.kernel.catalogue.tools
                differences = read_lock(published_folder()).differences(tools)
    except BadSetting:
        return Finding("contracts", "note", "not compared", "Correct the settings first.")
    except (BadLock, BrokenPromise) as error:
        return Finding("contracts", "bad", str(error), "Install the released Sanya again.")
    if any(one.breaking for one in differences):
        return Finding("contracts", "bad", "the code breaks published promises", "Run: sanya contracts check")
    if differences:
        return Finding("contracts", "note", "the code has additions not published yet", "Run: sanya contracts export")
    return Finding("contracts", "good", f"{len(tools)} tools, as published")
