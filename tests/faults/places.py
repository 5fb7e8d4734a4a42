"""Homes that are filled once and restored for every attempt: on SQLite a folder that is copied, on PostgreSQL a schema
whose rows are kept in another."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r' ORDER BY relname"


@dataclass(frozen=True)
class Place:
    """The location of a home: its folder and the URL of its database, which is empty for SQLite."""

    home: Path
    url: str


class KeptRows:
    """A copy of a schema's rows, in another schema."""

    def __init__(self, connection: psycopg.Connection[Any], schema: str) -> None:
        self._connection = connection
        self._schema, self._beside = f'"{schema}"', f'"{schema}_kept"'
        self._all = self._list_tables()
        self._say([f"CREATE SCHEMA {self._beside}"])
        self._filled = [table for table in self._all if self._has_rows(table)]
        self._say([f"CREATE TABLE {self._beside}.{table} AS TABLE {self._schema}.{table}" for table in self._filled])

    def put_back(self) -> None:
        made_since = [table for table in self._list_tables() if table not in self._all]
        self._say(
            [
                *(f"DROP TABLE {self._schema}.{table} CASCADE" for table in made_since),
                *(f"DELETE FROM {self._schema}.{table}" for table in self._all),
                *(f"INSERT INTO {self._schema}.{table} TABLE {self._beside}.{table}" for table in self._filled),
            ]
        )

    def forget(self) -> None:
        self._say([f"DROP SCHEMA {self._beside} CASCADE"])
        self._connection.close()

    def _list_tables(self) -> list[str]:
        return [f'"{name}"' for (name,) in self._connection.execute(_TABLES, (self._schema,)).fetchall()]

    def _has_rows(self, table: str) -> bool:
        return bool(self._connection.execute(f"SELECT FROM {self._schema}.{table} LIMIT 1".encode()).fetchall())

    def _say(self, statements: Sequence[str]) -> None:
        if statements:
            self._connection.execute("; ".join(statements).encode())


@dataclass
class Places:
    """Creates homes below a folder. `url` names a migrated schema on PostgreSQL; it is empty for SQLite."""

    folder: Path
    url: str
    _numbers: count[int] = field(default_factory=lambda: count(1))
    _kept: KeptRows | None = None

    def create(self) -> Place:
        home = self.folder / f"place_{next(self._numbers)}"
        home.mkdir(parents=True, mode=0o700)
        return Place(home, self.url)

    def copy(self, place: Place) -> Place:
        """Copy a home that nobody has open. On PostgreSQL there is one copy at a time."""
        made = self.create()
        shutil.copytree(place.home, made.home, dirs_exist_ok=True)
        if self.url and self._kept is None:
            self._kept = KeptRows(_connect(self.url), self.url.rpartition("%3D")[2])
        elif self._kept is not None:
            self._kept.put_back()
        return made

    def close(self) -> None:
        if self._kept is not None:
            self._kept.forget()


def _connect(url: str) -> psycopg.Connection[Any]:
    import psycopg

    connection = psycopg.connect(url, autocommit=True)
    # A trigger keeps the ledger append-only; restoring rows bypasses it.
    connection.execute("SET session_replication_role = replica")
    return connection
