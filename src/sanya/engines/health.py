"""What an engine says of itself, for `sanya doctor`: the same questions to each, in its own way."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from sanya.kernel.database import Database
from sanya.kernel.faults import StoreUnavailable

_SHOWN_PROBLEMS = 5
_CLOCK_TOLERANCE_S = 2.0


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was looked at. `advice` says what to do, and is empty when all is well."""

    name: str
    found: str
    advice: str = ""


async def database_facts(database: Database) -> list[Fact]:
    return await (_sqlite_facts(database) if database.dialect == "sqlite" else _postgresql_facts(database))


async def _sqlite_facts(database: Database) -> list[Fact]:
    engine = Fact("engine", f"SQLite {sqlite3.sqlite_version}")
    damage = await _damage(database)
    if damage:
        return [engine, Fact("file", f"damaged: {damage}", "Restore it from a backup; keep the damaged one.")]
    orphans = len(await database.fetch("PRAGMA foreign_key_check"))
    if orphans:
        return [engine, Fact("references", f"{orphans} rows point nowhere", "Restore the file from a backup.")]
    return [engine, Fact("file", "whole"), Fact("references", "whole")]


async def _damage(database: Database) -> str:
    """What is wrong with the file; empty when it is whole."""
    try:
        rows = await database.fetch(f"PRAGMA quick_check({_SHOWN_PROBLEMS})")
    except StoreUnavailable as fault:  # too much is wrong to go on looking
        return fault.message
    return "; ".join(str(row[0]) for row in rows if row[0] != "ok")


async def _postgresql_facts(database: Database) -> list[Fact]:
    version = await database.fetch("SELECT current_setting('server_version')")
    vector = await database.fetch(
        "SELECT e.extversion FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name "
        "WHERE a.name = 'vector'"
    )
    return [
        Fact("engine", f"PostgreSQL {version[0][0]!s}"),
        Fact("pgvector", _vector_state([row[0] for row in vector])),
        await _indexes_fact(database),
        await _clock_fact(database),
    ]


async def _indexes_fact(database: Database) -> Fact:
    """One that was made beside writers and broke off is there, costs time, and serves nobody."""
    rows = await database.fetch(
        "SELECT i.indexrelid::regclass::text, i.indisvalid AND i.indisready FROM pg_index i "
        "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = ANY (current_schemas(false)) ORDER BY 1"
    )
    broken = [str(name) for name, is_good in rows if not is_good]
    if broken:
        return Fact(
            "indexes", f"{', '.join(broken[:_SHOWN_PROBLEMS])} cannot be used", f"Run: REINDEX INDEX {broken[0]}"
        )
    return Fact("indexes", f"all {len(rows)} usable")


def _vector_state(versions: list[object]) -> str:
    if not versions:
        return "not on the server; search then stays embedded"
    return f"version {versions[0]}" if versions[0] is not None else "on the server, not yet in this database"


async def _clock_fact(database: Database) -> Fact:
    """Rows are stamped by our clock and read beside theirs: the two should agree."""
    asked = time.time()
    rows = await database.fetch("SELECT extract(epoch FROM clock_timestamp())")
    return clock_fact(asked, float(str(rows[0][0])))


def clock_fact(asked: float, theirs: float) -> Fact:
    """How far a server's moment is from the time between our asking and now."""
    off_s = max(asked - theirs, theirs - time.time(), 0.0)
    if off_s > _CLOCK_TOLERANCE_S:
        return Fact("clock", f"{off_s:.1f} s apart from the server's", "Set both clocks by a time server.")
    return Fact("clock", "agrees with the server's")
