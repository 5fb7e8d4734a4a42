"""Migrates a database to the schema of this code, step by step.

A migration is a file `migrations/NNNN_name.sql`, written once for both engines. Statements are separated by an empty
line; one that begins with `-- sqlite only` or `-- postgresql only` is for that engine alone. The rest is SQLite's
dialect, with the words of `_POSTGRESQL_WORDS` replaced for PostgreSQL. A migration is applied in one transaction and
recorded with its digest; its file is never changed afterwards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files

from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import StoreUnavailable

# TEXT sorts by code point, as SQLite does, so that a page has the same order on both engines.
_POSTGRESQL_WORDS = {
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    "TEXT": 'TEXT COLLATE "C"',
    "STRICT": "",
}
_WORD = re.compile(r"\b(" + "|".join(_POSTGRESQL_WORDS) + r")\b")
_ONLY = re.compile(r"-- (sqlite|postgresql) only")
_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")

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


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    text: str

    @property
    def digest(self) -> str:
        return sha256(self.text.encode("utf-8")).hexdigest()

    def build_statements(self, dialect: str) -> list[str]:
        return [
            statement for part in re.split(r"\n\s*\n", self.text) if (statement := _translate_statement(part, dialect))
        ]


def _translate_statement(part: str, dialect: str) -> str:
    """Return the statement for `dialect`; an empty string if it is for the other engine."""
    only = _ONLY.match(part.strip())
    if only is not None and only[1] != dialect:
        return ""
    lines = [line for line in part.splitlines() if not line.lstrip().startswith("--")]
    sql = "\n".join(lines).strip()
    if only is None and dialect == "postgresql":
        return _WORD.sub(lambda word: _POSTGRESQL_WORDS[word[1]], sql)
    return sql


@cache
def list_migrations() -> tuple[Migration, ...]:
    migrations = []
    for file in files("sanya.engines.migrations").iterdir():
        match = _FILE_NAME.fullmatch(file.name)
        if match is not None:
            text = file.read_text(encoding="utf-8").replace("\r\n", "\n")
            migrations.append(Migration(int(match[1]), match[2], text))
    return tuple(sorted(migrations, key=lambda migration: migration.number))


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
        await transaction.fetch(_LOCK[database.dialect])
        await transaction.execute(_translate_statement(_CREATE_RECORD, database.dialect))
        if await _is_applied(transaction, migration):
            return
        for statement in migration.build_statements(database.dialect):
            await transaction.execute(statement)
        await transaction.execute(
            "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.digest, datetime.now(UTC).isoformat(timespec="seconds")),
        )


async def _is_applied(transaction: Transaction, migration: Migration) -> bool:
    return bool(await transaction.fetch("SELECT 1 FROM schema_migrations WHERE number = ?", (migration.number,)))
