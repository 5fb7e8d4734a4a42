"""A search takes one or two round trips, and cached rows are not read again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.retrieval.documents import Equals, Filter
from sanya.retrieval.index import IndexEntry, Probe
from tests.engines.index.conftest import SPACES, make_entry, make_vector, read_answer, read_words
from tests.engines.index.counted_database import CountedDatabase

# More than the number that is always listed.
MANY = 2100
OWN: tuple[Filter, ...] = (Equals("owner", "me"),)
THIRD: tuple[Filter, ...] = (Equals("third", 1),)


@asynccontextmanager
async def opened(
    url: str, home: Path, rows: int, small_rows: int = 10_000
) -> AsyncIterator[tuple[PostgresqlIndex, CountedDatabase]]:
    async with open_database(url, home) as inner:
        database = CountedDatabase(inner)
        async with open_postgresql_index(database, read_words, small_rows) as index:
            await index.declare("notes", SPACES)
            await index.upsert("notes", [make_row(number) for number in range(rows)])
            await index.refresh()
            yield index, database


def make_row(number: int) -> IndexEntry:
    owner = "me" if number % 2 else "you"
    return make_entry(f"d{number:04}", f"common w{number % 7}", owner=owner, third=number % 3)


def probe(filters: tuple[Filter, ...] = (), among: tuple[Filter, ...] = (), as_of: int | None = None) -> Probe:
    terms = {"words": {"common": 1.0, "w3": 1.0}}
    return Probe(
        "notes",
        "en",
        terms,
        {"meaning": make_vector(1)},
        filters=filters,
        statistics_filters=among,
        as_of=as_of,
        pool=20,
    )


async def count_trips(index: PostgresqlIndex, database: CountedDatabase, asked: Probe) -> int:
    database.trips = 0
    await index.list_partitions("notes")
    await index.search(asked)
    return database.trips


@pytest.mark.parametrize(("small_rows", "count"), [(10_000, 1), (0, 2)])
async def test_a_search_takes_one_trip_in_a_small_partition_and_two_in_a_large_one_whatever_is_asked(
    home: Path, postgresql_url: str, small_rows: int, count: int
) -> None:
    async with opened(postgresql_url, home, MANY, small_rows) as (index, database):
        asked = [probe(), probe(THIRD), probe(OWN, OWN), probe(as_of=1), probe(THIRD, OWN, 1)]
        for query in asked:
            await index.search(query)
        assert [await count_trips(index, database, query) for query in asked] == [count] * len(asked)


async def test_a_search_after_a_change_asks_for_what_changed(home: Path, postgresql_url: str) -> None:
    async with opened(postgresql_url, home, 300) as (index, database):
        await index.search(probe())
        await index.upsert("notes", [make_row(7), make_row(300)])
        await index.refresh()
        assert [await count_trips(index, database, probe()) for _ in range(2)] == [2, 1]


async def test_after_a_rebuild_elsewhere_one_search_asks_once_more(home: Path, postgresql_url: str) -> None:
    async with opened(postgresql_url, home, MANY) as (index, database):
        before = await read_answer(await index.search(probe()))
        async with open_postgresql_index(database, read_words) as other:
            await other.rebuild("notes")
        assert [await count_trips(index, database, probe()) for _ in range(2)] == [3, 1]
        assert await read_answer(await index.search(probe())) == before


async def test_the_rows_of_an_owner_are_read_once_and_then_only_what_came_since(
    home: Path, postgresql_url: str
) -> None:
    asked = probe(OWN, OWN)
    async with opened(postgresql_url, home, 300) as (index, database):
        first = await read_answer(await index.search(asked))
        database.asked.clear()
        assert await read_answer(await index.search(asked)) == first
        assert not [sql for sql in database.asked if "string_agg(r.position" in sql]
        await index.upsert("notes", [make_row(number) for number in range(300, 340)])
        grown = await read_answer(await index.search(asked))
        async with open_postgresql_index(database, read_words) as fresh:
            assert await read_answer(await fresh.search(asked)) == grown
            assert await read_answer(await fresh.search(probe(OWN, OWN, as_of=1))) == first
        assert await read_answer(await index.search(probe(OWN, OWN, as_of=1))) == first
        assert grown != first
