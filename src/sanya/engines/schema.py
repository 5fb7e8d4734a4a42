"""Brings a database to the schema of this code, step by step.

A step is a file `migrations/NNNN_name.sql`, written once for both engines. Statements are parted by an empty line; one
that begins with `-- sqlite only` or `-- postgresql only` is for that engine alone. The rest is SQLite's spelling, with
the words of `_POSTGRESQL_WORDS` replaced for PostgreSQL. A step is applied in one transaction and recorded with its
digest; it is never changed afterwards.
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
# Two processes that start at once take turns: SQLite's writers do so anyway.
_TAKE_TURN = {"sqlite": "SELECT 1", "postgresql": "SELECT pg_advisory_xact_lock(7306079)"}
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

    def statements(self, dialect: str) -> list[str]:
        return [statement for part in re.split(r"\n\s*\n", self.text) if (statement := _statement(part, dialect))]


def _statement(part: str, dialect: str) -> str:
    """The part as `dialect` takes it; empty when there is nothing for it."""
    only = _ONLY.match(part.strip())
    if only is not None and only[1] != dialect:
        return ""
    lines = [line for line in part.splitlines() if not line.lstrip().startswith("--")]
    sql = "\n".join(lines).strip()
    if only is None and dialect == "postgresql":
        return _WORD.sub(lambda word: _POSTGRESQL_WORDS[word[1]], sql)
    return sql


@cache
def known_migrations() -> tuple[Migration, ...]:
    found = []
    for file in files("sanya.engines.migrations").iterdir():
        named = _FILE_NAME.fullmatch(file.name)
        if named is not None:
            text = file.read_text(encoding="utf-8").replace("\r\n", "\n")
            found.append(Migration(int(named[1]), named[2], text))
    return tuple(sorted(found, key=lambda one: one.number))


async def migrate(database: Database, migrations: tuple[Migration, ...] | None = None) -> None:
    """Applies what is missing. Raises StoreUnavailable when the database is not one that this code can serve."""
    known = known_migrations() if migrations is None else migrations
    applied = await applied_migrations(database)
    check_applied(applied, known)
    for migration in known:
        if migration.number not in applied:
            await _apply(database, migration)


async def applied_migrations(database: Database) -> dict[int, str]:
    """The digests of the steps that the database has had, by number."""
    if not await database.fetch(_HAS_RECORD[database.dialect], touches=1):
        return {}
    rows = await database.fetch("SELECT number, digest FROM schema_migrations ORDER BY number", touches=1)
    return {int(number): str(digest) for number, digest in rows if number is not None}


def check_applied(applied: dict[int, str], known: tuple[Migration, ...]) -> None:
    by_number = {one.number: one for one in known}
    for number, digest in applied.items():
        migration = by_number.get(number)
        if migration is None:
            raise StoreUnavailable(
                f"the database was written by a newer Sanya (its schema has step {number}, this one knows "
                f"{max(by_number, default=0)}); upgrade Sanya or choose another home"
            )
        if migration.digest != digest:
            raise StoreUnavailable(
                f"step {number} ({migration.name}) of the schema is not the one the database was made with; "
                "install the released Sanya again, or choose another home"
            )


async def _apply(database: Database, migration: Migration) -> None:
    async with database.transaction() as transaction:
        await transaction.fetch(_TAKE_TURN[database.dialect])
        await transaction.execute(_statement(_CREATE_RECORD, database.dialect))
        if await _is_applied(transaction, migration):
            return
        for statement in migration.statements(database.dialect):
            await transaction.execute(statement)
        await transaction.execute(
            "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.digest, datetime.now(UTC).isoformat(timespec="seconds")),
        )


async def _is_applied(transaction: Transaction, migration: Migration) -> bool:
    return bool(await transaction.fetch("SELECT 1 FROM schema_migrations WHERE number = ?", (migration.number,)))
