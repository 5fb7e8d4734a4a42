"""Health checks of a database for `sanya doctor`, for each engine."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database

_SHOWN_PROBLEMS = 5
_CLOCK_TOLERANCE_S = 2.0


@dataclass(frozen=True, slots=True)
class HealthFact:
    """The result of one check. `advice` says what to do; it is empty if all is well."""

    name: str
    found: str
    advice: str = ""


async def read_database_facts(database: Database) -> list[HealthFact]:
    return await (_read_sqlite_facts(database) if database.dialect == "sqlite" else _read_postgresql_facts(database))


async def _read_sqlite_facts(database: Database) -> list[HealthFact]:
    engine = HealthFact("engine", f"SQLite {sqlite3.sqlite_version}")
    damage = await _find_damage(database)
    if damage:
        return [engine, HealthFact("file", f"damaged: {damage}", "Restore it from a backup; keep the damaged file.")]
    orphans = len(await database.fetch("PRAGMA foreign_key_check"))
    if orphans:
        return [
            engine,
            HealthFact("references", f"{orphans} rows refer to missing rows", "Restore the file from a backup."),
        ]
    return [engine, HealthFact("file", "whole"), HealthFact("references", "whole")]


async def _find_damage(database: Database) -> str:
    """Return what is wrong with the file; an empty string if nothing is."""
    try:
        rows = await database.fetch(f"PRAGMA quick_check({_SHOWN_PROBLEMS})")
    except StoreUnavailable as fault:  # too damaged to be checked further
        return fault.message
    return "; ".join(str(row[0]) for row in rows if row[0] != "ok")


async def _read_postgresql_facts(database: Database) -> list[HealthFact]:
    version = await database.fetch("SELECT current_setting('server_version')")
    vector = await database.fetch(
        "SELECT e.extversion FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name "
        "WHERE a.name = 'vector'"
    )
    return [
        HealthFact("engine", f"PostgreSQL {version[0][0]!s}"),
        HealthFact("pgvector", _describe_pgvector([row[0] for row in vector])),
        await _check_indexes(database),
        await _check_clock(database),
    ]


async def _check_indexes(database: Database) -> HealthFact:
    """Find invalid indexes: an interrupted CREATE INDEX CONCURRENTLY leaves one that costs time and is never used."""
    rows = await database.fetch(
        "SELECT i.indexrelid::regclass::text, i.indisvalid AND i.indisready FROM pg_index i "
        "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = ANY (current_schemas(false)) ORDER BY 1"
    )
    broken = [str(name) for name, is_good in rows if not is_good]
    if broken:
        return HealthFact(
            "indexes", f"{', '.join(broken[:_SHOWN_PROBLEMS])} cannot be used", f"Run: REINDEX INDEX {broken[0]}"
        )
    return HealthFact("indexes", f"all {len(rows)} usable")


def _describe_pgvector(versions: list[object]) -> str:
    if not versions:
        return "not on the server; search uses the embedded index"
    return f"version {versions[0]}" if versions[0] is not None else "on the server, not installed in this database"


async def _check_clock(database: Database) -> HealthFact:
    """Compare our clock with the server's, because rows get timestamps from both."""
    asked = time.time()
    rows = await database.fetch("SELECT extract(epoch FROM clock_timestamp())")
    return compare_clocks(asked, float(str(rows[0][0])))


def compare_clocks(asked: float, theirs: float) -> HealthFact:
    """Compare a server's time with ours. It was read between `asked` and now."""
    off_s = max(asked - theirs, theirs - time.time(), 0.0)
    if off_s > _CLOCK_TOLERANCE_S:
        return HealthFact("clock", f"{off_s:.1f} s apart from the server's", "Set both clocks by a time server.")
    return HealthFact("clock", "agrees with the server's")
