"""Migrates a database to the schema of this code, step by step.

A migration is a file `migrations/NNNN_name.sql` (`kernel/storage/migrations.py` says how it is written). It is applied
in one transaction and recorded with its digest and text; its file is never changed afterwards. By the text an older
version tells whether it can run on the steps of a newer one, and copies the tables that these made.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from sanya.engines.snapshot import SqlReader
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database, Transaction
from sanya.kernel.storage.migrations import Migration, read_migrations, translate_statement

_HAS_TABLE = {
    "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
    "postgresql": "SELECT 1 WHERE to_regclass(?) IS NOT NULL",
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
# The texts of the steps. Databases that were made before this table have none of the steps until then.
_CREATE_TEXTS = "CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"
_READ_TEXTS = (
    "SELECT number, name, body FROM schema_migrations JOIN schema_steps USING (number) WHERE number > ? ORDER BY number"
)


@cache
def list_migrations() -> tuple[Migration, ...]:
    return read_migrations(files("sanya.engines.migrations"))


async def migrate(database: Database, migrations: tuple[Migration, ...] | None = None) -> None:
    """Apply missing migrations. Raise StoreUnavailable for a database that this code cannot serve."""
    for migration in await list_pending(database, migrations):
        await _apply(database, migration)


async def list_pending(database: Database, migrations: tuple[Migration, ...] | None = None) -> list[Migration]:
    """Return the steps that the database lacks. Raise StoreUnavailable for one that this code cannot serve."""
    known = list_migrations() if migrations is None else migrations
    applied = await read_applied_migrations(database)
    check_applied(applied, known, await read_newer_steps(database, known))
    return [migration for migration in known if migration.number not in applied]


async def read_applied_migrations(database: Database) -> dict[int, str]:
    """Return the digests of the applied migrations, by number."""
    if not await _has_table(database, "schema_migrations"):
        return {}
    rows = await database.fetch("SELECT number, digest FROM schema_migrations ORDER BY number", touches=1)
    return {int(number): str(digest) for number, digest in rows if number is not None}


async def read_newer_steps(database: Database, known: Iterable[Migration] = ()) -> list[Migration]:
    """Return the steps of a newer version, as that version recorded them."""
    return await _read_texts(database, known) if await _has_table(database, "schema_steps") else []


async def read_schema(reader: SqlReader) -> tuple[Migration, ...]:
    """Return the steps that an opened database has: ours, and those of a newer version."""
    rows = await reader.fetch("SELECT number FROM schema_migrations")
    numbers = {int(str(number)) for (number,) in rows}
    ours = [migration for migration in list_migrations() if migration.number in numbers]
    newer = await _read_texts(reader, list_migrations()) if len(numbers) > len(ours) else []
    return (*ours, *newer)


def check_applied(applied: dict[int, str], known: Iterable[Migration], newer: Iterable[Migration] = ()) -> None:
    """Raise StoreUnavailable unless the steps of the database are ours, or additive ones of a newer version."""
    by_number = {migration.number: migration for migration in known}
    recorded = {migration.number: migration for migration in newer}
    for number, digest in applied.items():
        migration = by_number.get(number)
        if migration is None:
            _check_newer(number, recorded.get(number), max(by_number, default=0))
        elif migration.digest != digest:
            raise StoreUnavailable(
                f"migration {number} ({migration.name}) is not the one that the database was created with; "
                "install the released Sanya again, or choose another home"
            )


def _check_newer(number: int, step: Migration | None, last: int) -> None:
    if step is not None and step.is_additive:
        return
    named = f"migration {number}" if step is None else f"migration {number} ({step.name})"
    reason = f": {step.reason}" if step is not None and step.reason else ""
    raise StoreUnavailable(
        f"the database was written by a newer Sanya (its schema has {named}, this version knows {last}), and this "
        f"version cannot run on it{reason}; upgrade Sanya, restore the backup made before that step into an empty "
        "home, or choose another home"
    )


async def _has_table(database: Database, name: str) -> bool:
    return bool(await database.fetch(_HAS_TABLE[database.dialect], (name,), touches=1))


async def _read_texts(reader: SqlReader, known: Iterable[Migration]) -> list[Migration]:
    last = max((migration.number for migration in known), default=0)
    rows = await reader.fetch(_READ_TEXTS, (last,))
    return [Migration(int(str(number)), str(name), str(body)) for number, name, body in rows]


async def _apply(database: Database, migration: Migration) -> None:
    async with database.transaction() as transaction:
        await lock_schema(transaction, database.dialect)
        for table in (_CREATE_RECORD, _CREATE_TEXTS):
            await transaction.execute(translate_statement(table, database.dialect))
        if await _is_applied(transaction, migration):
            return
        for statement in migration.build_statements(database.dialect):
            await transaction.execute(statement)
        await transaction.execute(
            "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.digest, datetime.now(UTC).isoformat(timespec="seconds")),
        )
        await transaction.execute(
            "INSERT INTO schema_steps (number, body) VALUES (?, ?)", (migration.number, migration.text)
        )


async def lock_schema(transaction: Transaction, dialect: str) -> None:
    """Wait until no other process changes the schema."""
    await transaction.fetch(_LOCK[dialect])


async def _is_applied(transaction: Transaction, migration: Migration) -> bool:
    return bool(await transaction.fetch("SELECT 1 FROM schema_migrations WHERE number = ?", (migration.number,)))
