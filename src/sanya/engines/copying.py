"""Copies all tables from one database to another, across engines. Rows are copied in the order of their keys, so that
an interrupted copy resumes where it stopped. Counts and hashes of both sides show that it is complete."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import orjson

from sanya.engines.guest_schema import MIGRATIONS_TABLE, copy_guest_schema, list_all_tables
from sanya.engines.schema import migrate, read_schema
from sanya.engines.snapshot import SqlReader
from sanya.engines.tables import Table
from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database, Row, Transaction, Value
from sanya.kernel.storage.sql import build_insert, format_placeholders

_ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Fingerprint:
    rows: int
    digest: str


async def copy_all(source: SqlReader, target: Database, progress: ProgressSink = ignore_progress) -> None:
    """Copy every table. The target is empty, or holds the beginning of an earlier copy of the same source. It gets
    every step of the source's schema, those of a newer version among them."""
    await migrate(target, await read_schema(source))
    await _check_target(source, target)
    await copy_guest_schema(source, target)
    tables = await list_all_tables(source)
    counts = await count_rows(source)
    total, done = sum(counts.values()), 0
    for table in tables:
        present = await _count(target, table)
        done += present
        async for rows in _read_pages(source, table, await _read_last_key(target, table)):
            async with target.transaction() as transaction:
                await transaction.execute_many(_build_insert(table), rows)
            done += len(rows)
            progress(Progress(done, total, table.name))


async def count_rows(reader: SqlReader) -> dict[str, int]:
    """Return the number of rows of every table that a copy has, by its name."""
    return {table.name: await _count(reader, table) for table in await list_all_tables(reader)}


async def copy_and_compare(source: SqlReader, target: Database, progress: ProgressSink) -> dict[str, Fingerprint]:
    """Copy every table and return the fingerprints, which are equal on both sides."""
    await copy_all(source, target, progress)
    here, there = await compute_fingerprints(source), await compute_fingerprints(target)
    if wrong := list_differences(here, there):
        raise StoreUnavailable(f"the copy differs from the original: {wrong[0]}; remove the copy and start again")
    return here


async def compute_fingerprints(reader: SqlReader) -> dict[str, Fingerprint]:
    """Return the number of rows and the digest of every table, by its name."""
    return {table.name: await _compute_fingerprint(reader, table) for table in await list_all_tables(reader)}


def list_differences(ours: Mapping[str, Fingerprint], theirs: Mapping[str, Fingerprint]) -> list[str]:
    """Describe each table that is not the same on both sides."""
    return [
        f"{name}: {fingerprint.rows} rows here, {other.rows if other else 'no'} there"
        if other is None or fingerprint.rows != other.rows
        else f"{name}: the rows differ"
        for name, fingerprint in ours.items()
        if fingerprint != (other := theirs.get(name))
    ]


async def block_writers(transaction: Transaction, dialect: str) -> None:
    """Block writers until the transaction ends. On SQLite a write transaction already does."""
    if dialect == "postgresql":
        names = ", ".join(table.name for table in await list_all_tables(transaction))
        await transaction.execute(f"LOCK TABLE {names} IN SHARE MODE")


async def _check_target(source: SqlReader, target: Database) -> None:
    secrets, *others = await list_all_tables(target)
    theirs = await _read_all_rows(target, secrets)
    if theirs and theirs != (await _read_all_rows(source, secrets))[: len(theirs)]:
        raise StoreUnavailable("the target holds another home; give an empty database or a new folder")
    # An interrupted copy may have created the tables of guests before it copied the secrets.
    tables = [table for table in others if table.name != MIGRATIONS_TABLE]
    filled = [table.name for table in tables if not theirs and await _count(target, table)]
    if filled:
        raise StoreUnavailable(f"the target already holds {filled[0]}; give an empty database or a new folder")


async def _read_all_rows(reader: SqlReader, table: Table) -> list[Row]:
    return [row async for rows in _read_pages(reader, table, None) for row in rows]


async def _count(reader: SqlReader, table: Table) -> int:
    ((count,),) = await reader.fetch(f"SELECT COUNT(*) FROM {table.name}")  # noqa: S608 - names of our own, as below
    return int(str(count))


async def _read_last_key(reader: SqlReader, table: Table) -> Row | None:
    backwards = ", ".join(f"{column} DESC" for column in table.key)
    rows = await reader.fetch(f"SELECT {', '.join(table.key)} FROM {table.name} ORDER BY {backwards} LIMIT 1")  # noqa: S608
    return rows[0] if rows else None


async def _read_pages(reader: SqlReader, table: Table, after: Row | None) -> AsyncIterator[list[Row]]:
    key = ", ".join(table.key)
    key_columns = [table.columns.index(column) for column in table.key]
    while True:
        after_key = f" WHERE ({key}) > ({format_placeholders(table.key)})" if after else ""
        sql = f"SELECT {', '.join(table.columns)} FROM {table.name}{after_key} ORDER BY {key} LIMIT {_ROWS_AT_ONCE}"  # noqa: S608
        rows = await reader.fetch(sql, after or ())
        if rows:
            yield rows
        if len(rows) < _ROWS_AT_ONCE:
            return
        after = tuple(rows[-1][column] for column in key_columns)


def _build_insert(table: Table) -> str:
    return build_insert(table.name, table.columns)


async def _compute_fingerprint(reader: SqlReader, table: Table) -> Fingerprint:
    digest, count = sha256(), 0
    async for rows in _read_pages(reader, table, None):
        count += len(rows)
        digest.update(b"\n".join(orjson.dumps([_to_json_value(value) for value in row]) for row in rows))
    return Fingerprint(count, digest.hexdigest())


def _to_json_value(value: Value) -> object:
    return value.hex() if isinstance(value, bytes) else value
