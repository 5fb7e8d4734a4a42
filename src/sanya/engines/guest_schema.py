"""The schema of guest suites: their migrations, in a namespace of their own, and the tables these create.

The text of every applied migration is stored in the home. So a backup, a restore and a move copy the tables of a guest
that is not installed any more, and `sanya doctor` can name them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from sanya.engines.schema import lock_schema, read_schema
from sanya.engines.snapshot import SqlReader
from sanya.engines.tables import Table, parse_tables
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.migrations import Migration

MIGRATIONS_TABLE = "guest_migrations"
_READ = f"SELECT suite, number, name, body, applied_at FROM {MIGRATIONS_TABLE} ORDER BY suite, number"  # noqa: S608
_STORE = f"INSERT INTO {MIGRATIONS_TABLE} (suite, number, name, body, applied_at) VALUES (?, ?, ?, ?, ?)"  # noqa: S608
_TARGET = re.compile(
    r"(?:CREATE TABLE|ALTER TABLE|CREATE (?:UNIQUE )?INDEX|DROP INDEX|INSERT INTO|UPDATE|DELETE FROM) (\w+)"
)
_INDEXED = re.compile(r" ON (\w+)")
_LIST_ALL = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
}
# Tables that are derived from others, or belong to the engine's own machinery.
_DERIVED = ("schema_migrations", "schema_steps", "retrieval_", "procrastinate_", "backup_list")


class BadMigration(Exception):
    """Raised for a migration that the database does not take. The message names it."""


AppliedMigration = tuple[str, Migration, str]
"""The suite, its migration, and when it was applied."""


async def migrate_guest(database: Database, suite: str, migrations: Sequence[Migration]) -> None:
    """Apply the missing migrations of a guest. Raise StoreUnavailable for a schema that its code cannot serve."""
    for migration in migrations:
        _check_namespace(suite, migration)
    stored = {
        migration.number: migration for name, migration, _ in await read_guest_migrations(database) if name == suite
    }
    known = {migration.number: migration for migration in migrations}
    for number, migration in stored.items():
        if number not in known:
            _check_newer(suite, migration)
        elif known[number].digest != migration.digest:
            raise StoreUnavailable(f"migration {number} of {suite} was changed after it was applied; add a new one")
    for number in sorted(known.keys() - stored.keys()):
        await _apply(database, (suite, known[number], datetime.now(UTC).isoformat(timespec="seconds")))


def _check_newer(suite: str, migration: Migration) -> None:
    """A newer version of the guest made this step. An additive one lets the version before run."""
    if not migration.is_additive:
        reason = f" ({migration.reason})" if migration.reason else ""
        raise StoreUnavailable(
            f"the tables of {suite} were made by a newer version of it, and this version cannot run on its "
            f"migration {migration.number}{reason}; upgrade the package"
        )


async def read_guest_migrations(reader: SqlReader) -> list[AppliedMigration]:
    """Return the steps of every guest. A database older than guests has none."""
    if not any(MIGRATIONS_TABLE in migration.list_tables() for migration in await read_schema(reader)):
        return []
    return [
        (str(suite), Migration(int(str(number)), str(name), str(body)), str(applied_at))
        for suite, number, name, body, applied_at in await reader.fetch(_READ)
    ]


async def copy_guest_schema(source: SqlReader, target: Database) -> None:
    """Create the tables of the source's guests in the target, without their rows."""
    present = {(suite, migration.number) for suite, migration, _ in await read_guest_migrations(target)}
    for applied in await read_guest_migrations(source):
        if (applied[0], applied[1].number) not in present:
            await _apply(target, applied)


async def list_all_tables(reader: SqlReader) -> tuple[Table, ...]:
    """Return the tables that this database has: those of Sanya, by whichever version, and of every guest."""
    ours = "\n".join(migration.text for migration in await read_schema(reader))
    guests = "\n".join(migration.text for _, migration, _ in await read_guest_migrations(reader))
    return (*parse_tables(ours), *parse_tables(guests))


async def list_unowned_tables(reader: SqlReader, dialect: str) -> list[str]:
    """Return the tables that belong neither to Sanya nor to a guest: nothing copies them."""
    owned = {table.name for table in await list_all_tables(reader)}
    present = [str(name) for (name,) in await reader.fetch(_LIST_ALL[dialect])]
    return sorted(name for name in present if name not in owned and not name.startswith(_DERIVED))


async def _apply(database: Database, applied: AppliedMigration) -> None:
    suite, migration, applied_at = applied
    async with database.transaction() as transaction:
        await lock_schema(transaction, database.dialect)
        if await transaction.fetch(
            f"SELECT 1 FROM {MIGRATIONS_TABLE} WHERE suite = ? AND number = ?",  # noqa: S608
            (suite, migration.number),
        ):
            return
        for statement in migration.build_statements(database.dialect):
            try:
                await transaction.execute(statement)
            except StoreUnavailable:
                raise
            except Exception as error:  # either engine's own: the statement is the guest's
                problem = f"migration {migration.number} ({migration.name}) of {suite} fails: {error}"
                raise BadMigration(problem) from None
        await transaction.execute(_STORE, (suite, migration.number, migration.name, migration.text, applied_at))


def _check_namespace(suite: str, migration: Migration) -> None:
    prefix = f"guest_{suite}_"
    for dialect in ("sqlite", "postgresql"):
        for statement in migration.build_statements(dialect):
            target = _TARGET.match(statement)
            names = [] if target is None else [target[1]]
            if " INDEX " in statement:
                names += _INDEXED.findall(statement)
            if not names or not all(name.startswith(prefix) for name in names):
                first = statement.splitlines()[0][:80]
                raise StoreUnavailable(
                    f"migration {migration.number} of {suite} must change only tables that begin with {prefix}: {first}"
                )
    parse_tables(migration.text)
