"""Schemas of PostgreSQL for tests. Migrating one takes longer than most tests, so a migrated one is used again: after a
test its rows are taken out, and where anything else in it is no longer as the migrations left it, it is given up."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Self

from sanya.engines.database import open_database

# More than these leave so much behind that a new schema is cheaper to work in.
_MAX_ROWS = 20_000
# `xmin` is the transaction that wrote a row of the catalogue: any change of a definition gives another.
_DEFINITIONS = """
SELECT kind, oid::text, part, xmin::text FROM (
    SELECT 'relation' AS kind, oid, 0 AS part, xmin FROM pg_class WHERE relnamespace = %(schema)s::regnamespace
    UNION ALL
    SELECT 'column', attrelid, attnum, pg_attribute.xmin FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = %(schema)s::regnamespace
    UNION ALL
    SELECT 'trigger', pg_trigger.oid, 0, pg_trigger.xmin FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = %(schema)s::regnamespace
    UNION ALL
    SELECT 'constraint', oid, 0, xmin FROM pg_constraint WHERE connamespace = %(schema)s::regnamespace
    UNION ALL
    SELECT 'function', oid, 0, xmin FROM pg_proc WHERE pronamespace = %(schema)s::regnamespace
    UNION ALL
    SELECT 'type', oid, 0, xmin FROM pg_type WHERE typnamespace = %(schema)s::regnamespace
) AS definitions ORDER BY kind, oid, part"""
_TABLES = (
    "SELECT relname FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relkind = 'r' ORDER BY relname"
)
_NEIGHBOURS = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)"
_RESTART_SEQUENCES = """
SELECT setval(seqrelid, seqstart, false) FROM pg_sequence
JOIN pg_class ON pg_class.oid = seqrelid WHERE relnamespace = %(schema)s::regnamespace"""


@dataclass(frozen=True, slots=True)
class _Migrated:
    name: str
    definitions: list[Any]
    filled: dict[str, list[Any]]
    """What the migrations themselves wrote, by table."""
    empty: tuple[str, ...]
    """The tables that they left empty."""


class Schemas:
    def __init__(self, server: str) -> None:
        import psycopg

        self._server = server
        self._connection = psycopg.connect(server, autocommit=True)
        # The ledger refuses to lose rows, by a trigger; whoever puts a schema back is not asked.
        self._connection.execute("SET session_replication_role = replica")
        # Whoever still holds a row that shall go is told of, not waited for without end.
        self._connection.execute("SET lock_timeout = '60s'")
        self._numbers = count(1)
        self._migrated: list[_Migrated] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for schema in self._migrated:
            self._drop(schema.name)
        self._connection.close()

    @contextmanager
    def empty(self) -> Iterator[str]:
        """The address of a schema with nothing in it."""
        name = self._create()
        yield self._url(name)
        self._drop(name)

    @contextmanager
    def migrated(self) -> Iterator[str]:
        """The address of a schema as the migrations leave it."""
        schema = self._migrated.pop() if self._migrated else self._migrate()
        yield self._url(schema.name)
        if self._is_restored(schema):
            self._migrated.append(schema)
        else:
            self._drop(schema.name)

    def _create(self) -> str:
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        self._connection.execute(f'CREATE SCHEMA "{name}"')
        return name

    def _drop(self, name: str) -> None:
        self._drop_neighbours(name)
        self._connection.execute(f'DROP SCHEMA "{name}" CASCADE')

    def _drop_neighbours(self, name: str) -> None:
        """The queue of jobs has a schema of its own, named after ours."""
        for (neighbour,) in self._connection.execute(_NEIGHBOURS, (f"{name}_",)).fetchall():
            self._connection.execute(f'DROP SCHEMA "{neighbour}" CASCADE')

    def _url(self, name: str) -> str:
        return f"{self._server}&options=-csearch_path%3D{name}"

    def _migrate(self) -> _Migrated:
        name = self._create()
        # Fixtures may be asked for while a loop runs in this thread.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _open_once(self._url(name))).result()
        rows = {table: self._rows(name, table) for (table,) in self._asked(_TABLES, name)}
        filled = {table: found for table, found in rows.items() if found}
        return _Migrated(name, self._asked(_DEFINITIONS, name), filled, tuple(rows.keys() - filled.keys()))

    def _is_restored(self, schema: _Migrated) -> bool:
        self._drop_neighbours(schema.name)
        if self._asked(_DEFINITIONS, schema.name) != schema.definitions:
            return False
        if any(self._rows(schema.name, table) != rows for table, rows in schema.filled.items()):
            return False
        self._asked(_RESTART_SEQUENCES, schema.name)
        return self._empty_all(schema.name, schema.empty) < _MAX_ROWS

    def _empty_all(self, name: str, tables: Sequence[str]) -> int:
        """Takes out all rows and says how many there were."""
        asked = ", ".join(f'EXISTS (SELECT FROM "{name}"."{table}")' for table in tables)
        (has_rows,) = self._connection.execute(f"SELECT {asked}").fetchall()
        filled = [table for table, has in zip(tables, has_rows, strict=True) if has]
        return sum(self._connection.execute(f'DELETE FROM "{name}"."{table}"').rowcount for table in filled)

    def _asked(self, sql: str, name: str) -> list[Any]:
        return self._connection.execute(sql, {"schema": f'"{name}"'}).fetchall()

    def _rows(self, name: str, table: str) -> list[Any]:
        return self._connection.execute(f'SELECT * FROM "{name}"."{table}" ORDER BY 1').fetchall()


async def _open_once(url: str) -> None:
    async with open_database(url, Path()):
        pass
