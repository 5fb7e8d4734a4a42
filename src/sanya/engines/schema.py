"""Migrates a database to the schema of this code, step by step.

A migration is a file `migrations/NNNN_name.sql` (`kernel/migrations.py` says how it is written). It is applied in one
transaction and recorded with its digest; its file is never changed afterwards.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.migrations import Migration, read_migrations, translate_statement

_HAS_RECORD = {
    "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
    "postgresql": "SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL",
}
# Two processes that start at once migrate one after the other. On SQLite, write transactions already do.
_LOCK = {"sqlite": "SELECT 1", "postgresql": "SELECT pg_advisory_xact_lock(7306079)"}
_CREATE_RECORD = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    applied_at TEXT NOT NULL
) STRICT"""


@cache
def list_migrations() -> tuple[Migration, ...]:
    return read_migrations(files("sanya.engines.migrations"))


async def migrate(database: Database, migrations: tuple[Migration, ...] | None = None) -> None:
    """Apply missing migrations. Raise StoreUnavailable for a database that this code cannot serve."""
    known = list_migrations() if migrations is None else migrations
    applied = await read_applied_migrations(database)
    check_applied(applied, known)
    for migration in known:
        if migration.number not in applied:
            await _apply(database, migration)


async def read_applied_migrations(database: Database) -> dict[int, str]:
    """Return the digests of the applied migrations, by number."""
    if not await database.fetch(_HAS_RECORD[database.dialect], touches=1):
        return {}
    rows = await database.fetch("SELECT number, digest FROM schema_migrations ORDER BY number", touches=1)
    return {int(number): str(digest) for number, digest in rows if number is not None}


def check_applied(applied: dict[int, str], known: tuple[Migration, ...]) -> None:
    by_number = {migration.number: migration for migration in known}
    for number, digest in applied.items():
        migration = by_number.get(number)
        if migration is None:
            raise StoreUnavailable(
                f"the database was written by a newer Sanya (its schema has migration {number}, this version knows "
                f"{max(by_number, default=0)}); upgrade Sanya or choose another home"
            )
        if migration.digest != digest:
            raise StoreUnavailable(
                f"migration {number} ({migration.name}) is not the one that the database was created with; "
                "install the released Sanya again, or choose another home"
            )


async def _apply(database: Database, migration: Migration) -> None:
    async with database.transaction() as transaction:
        await lock_schema(transaction, database.dialect)
        await transaction.execute(translate_statement(_CREATE_RECORD, database.dialect))
        if await _is_applied(transaction, migration):
            return
        for statement in migration.build_statements(database.dialect):
            await transaction.execute(statement)
        await transaction.execute(
            "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.digest, datetime.now(UTC).isoformat(timespec="seconds")),
        )


async def lock_schema(transaction: Transaction, dialect: str) -> None:
    """Wait until no other process changes the schema."""
    await transaction.fetch(_LOCK[dialect])


async def _is_applied(transaction: Transaction, migration: Migration) -> bool:
    return bool(await transaction.fetch("SELECT 1 FROM schema_migrations WHERE number = ?", (migration.number,)))
