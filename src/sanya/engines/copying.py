"""Copies everything from one database to another, engine to engine: row by row in the order of keys, so that a copy
that broke off goes on where it stopped, and told apart by counts and hashes, so that it is known to be whole."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import orjson

from sanya.engines.snapshot import Reading
from sanya.engines.tables import Table, known_tables
from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.database import Database, Row, Transaction, Value
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.sql import build_insert, format_placeholders

_ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Fingerprint:
    rows: int
    digest: str


async def copy_all(source: Reading, target: Database, progress: ProgressSink = ignore_progress) -> None:
    """The target is empty, or holds the beginning of an earlier copy of the same source."""
    await _check_target(source, target)
    counts = {table.name: await _count(source, table) for table in known_tables()}
    total, done = sum(counts.values()), 0
    for table in known_tables():
        there = await _count(target, table)
        done += there
        async for rows in _pages(source, table, await _last_key(target, table)):
            async with target.transaction() as transaction:
                await transaction.execute_many(_insert(table), rows)
            done += len(rows)
            progress(Progress(done, total, table.name))


async def fingerprints(reading: Reading) -> dict[str, Fingerprint]:
    """Of every table, by its name."""
    return {table.name: await _fingerprint(reading, table) for table in known_tables()}


def differences(ours: Mapping[str, Fingerprint], theirs: Mapping[str, Fingerprint]) -> list[str]:
    """The tables that are not the same on both sides, each with what is wrong."""
    return [
        f"{name}: {one.rows} rows here, {other.rows if other else 'no'} there"
        if other is None or one.rows != other.rows
        else f"{name}: the rows differ"
        for name, one in ours.items()
        if one != (other := theirs.get(name))
    ]


async def hold_still(transaction: Transaction, dialect: str) -> None:
    """Nobody writes until the transaction ends. On SQLite the transaction's own turn sees to that."""
    if dialect == "postgresql":
        names = ", ".join(table.name for table in known_tables())
        await transaction.execute(f"LOCK TABLE {names} IN SHARE MODE")


async def _check_target(source: Reading, target: Database) -> None:
    secrets = known_tables()[0]
    theirs = await _all_rows(target, secrets)
    if theirs and theirs != (await _all_rows(source, secrets))[: len(theirs)]:
        raise StoreUnavailable("the target holds another home; give an empty database or a new folder")
    filled = [table.name for table in known_tables() if not theirs and await _count(target, table)]
    if filled:
        raise StoreUnavailable(f"the target already holds {filled[0]}; give an empty database or a new folder")


async def _all_rows(reading: Reading, table: Table) -> list[Row]:
    return [row async for rows in _pages(reading, table, None) for row in rows]


async def _count(reading: Reading, table: Table) -> int:
    ((count,),) = await reading.fetch(f"SELECT COUNT(*) FROM {table.name}")  # noqa: S608 - names of our own, as below
    return int(str(count))


async def _last_key(reading: Reading, table: Table) -> Row | None:
    backwards = ", ".join(f"{column} DESC" for column in table.key)
    rows = await reading.fetch(f"SELECT {', '.join(table.key)} FROM {table.name} ORDER BY {backwards} LIMIT 1")  # noqa: S608
    return rows[0] if rows else None


async def _pages(reading: Reading, table: Table, after: Row | None) -> AsyncIterator[list[Row]]:
    key = ", ".join(table.key)
    at = [table.columns.index(column) for column in table.key]
    while True:
        behind = f" WHERE ({key}) > ({format_placeholders(table.key)})" if after else ""
        sql = f"SELECT {', '.join(table.columns)} FROM {table.name}{behind} ORDER BY {key} LIMIT {_ROWS_AT_ONCE}"  # noqa: S608
        rows = await reading.fetch(sql, after or ())
        if rows:
            yield rows
        if len(rows) < _ROWS_AT_ONCE:
            return
        after = tuple(rows[-1][one] for one in at)


def _insert(table: Table) -> str:
    return build_insert(table.name, table.columns)


async def _fingerprint(reading: Reading, table: Table) -> Fingerprint:
    digest, count = sha256(), 0
    async for rows in _pages(reading, table, None):
        count += len(rows)
        digest.update(b"\n".join(orjson.dumps([_told(value) for value in row]) for row in rows))
    return Fingerprint(count, digest.hexdigest())


def _told(value: Value) -> object:
    return value.hex() if isinstance(value, bytes) else value
