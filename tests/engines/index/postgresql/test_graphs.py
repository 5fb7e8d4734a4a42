"""Graphs are built in the background with the memory that the server has, and searches work without them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.postgresql.graphs import estimate_memory_kb
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.kernel.storage.database import Database
from tests.engines.index.conftest import (
    SPACES,
    list_ids,
    make_entry,
    make_vector,
    probe_vector,
    read_answer,
    read_words,
)
from tests.engines.index.counted_database import CountedDatabase

ROWS = [make_entry(f"d{number:02}", f"text {number}") for number in range(60)]
# Enough rows to request more memory than the default.
SIZES = {"notes": 50_000}
VALID = """
SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
WHERE c.relnamespace::regnamespace::text = current_schema() AND a.amname = 'hnsw' AND i.indisvalid"""
WAITING = """
SELECT count(*) FROM pg_stat_progress_create_index p JOIN pg_class c ON c.oid = p.relid
WHERE c.relnamespace::regnamespace::text = current_schema() AND p.phase = 'waiting for old snapshots'"""
WAIT_S = 60


@asynccontextmanager
async def opened(url: str, home: Path) -> AsyncIterator[tuple[PostgresqlIndex, CountedDatabase]]:
    async with open_database(url, home) as inner:
        database = CountedDatabase(inner)
        async with open_postgresql_index(database, read_words) as index:
            await index.declare("notes", SPACES)
            await index.upsert("notes", ROWS)
            yield index, database


async def count_graphs(database: Database) -> int:
    return int(str((await database.fetch(VALID))[0][0]))


async def build(index: PostgresqlIndex) -> None:
    await index.graphs.begin_building(SIZES)
    async with asyncio.timeout(WAIT_S):
        await index.graphs.wait()


async def wait_until_blocked(database: Database) -> None:
    while (await database.fetch(WAITING))[0][0] == 0:
        continue


@pytest.mark.parametrize("code", ["53100", "53200", "53000"])
async def test_without_room_for_several_workers_one_builds_with_the_servers_own_memory(
    home: Path, postgresql_url: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(postgresql_url, home) as (index, database):
        ((own,),) = await database.fetch("SHOW maintenance_work_mem")
        database.refusals = [code]
        await build(index)
        many, alone = database.builds
        assert many["max_parallel_maintenance_workers"] != "0" and many["maintenance_work_mem"] != own
        assert alone == {"max_parallel_maintenance_workers": "0", "maintenance_work_mem": own}
        assert await count_graphs(database) == 1
        assert "alone" in caplog.text


async def test_a_graph_that_cannot_be_built_is_told_once_and_search_goes_on(
    home: Path, postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    probe = probe_vector(make_vector(5), pool=10)
    async with opened(postgresql_url, home) as (index, database):
        before = await read_answer(await index.search(probe))
        database.refusals = ["53100", "53100"]
        for _ in range(3):
            await build(index)
        assert len(database.builds) == 2 and await count_graphs(database) == 0
        assert caplog.text.count("could not be built") == 1
        assert await read_answer(await index.search(probe)) == before
        await index.upsert("notes", [make_entry("new", "text")])
        assert len(await list_ids(await index.search(probe_vector(make_vector(5), pool=100)))) == len(ROWS) + 1
        # Another process, or this one after its pause, replaces the half-built graph.
        async with open_postgresql_index(database, read_words) as other:
            await build(other)
        assert await count_graphs(database) == 1


async def test_searches_and_writes_go_on_while_a_graph_is_built(home: Path, postgresql_url: str) -> None:
    async with opened(postgresql_url, home) as (index, database), open_database(postgresql_url, home) as elsewhere:
        # A reader of an old snapshot keeps the build from finishing.
        async with elsewhere.snapshot() as reading:
            await reading.fetch("SELECT count(*) FROM retrieval_documents")
            await index.graphs.begin_building(SIZES)
            async with asyncio.timeout(WAIT_S):
                await wait_until_blocked(database)
                await index.upsert("notes", [make_entry("new", "new text")])
                found = await list_ids(await index.search(probe_vector(make_vector(3), pool=100)))
            assert "new" in found and await count_graphs(database) == 0
        async with asyncio.timeout(WAIT_S):
            await index.graphs.wait()
        assert await count_graphs(database) == 1
        assert "new" in await list_ids(await index.search(probe_vector(make_vector(3), pool=100)))


async def test_a_rebuild_does_not_wait_for_a_graph_that_is_built_of_what_it_throws_away(
    home: Path, postgresql_url: str
) -> None:
    async with opened(postgresql_url, home) as (index, database), open_database(postgresql_url, home) as elsewhere:
        async with open_postgresql_index(elsewhere, read_words) as other, elsewhere.snapshot() as reading:
            await reading.fetch("SELECT count(*) FROM retrieval_spaces")
            await index.graphs.begin_building(SIZES)
            async with asyncio.timeout(WAIT_S):
                await wait_until_blocked(database)
                await other.rebuild("notes")
                await index.graphs.wait()
        assert len(await list_ids(await index.search(probe_vector(make_vector(3), pool=100)))) == len(ROWS)


@pytest.mark.parametrize(("rows", "dim", "least_mb", "most_mb"), [(20_000, 384, 50, 60), (1_000_000, 384, 1800, 2048)])
def test_memory_follows_what_is_built(rows: int, dim: int, least_mb: int, most_mb: int) -> None:
    assert least_mb * 1024 <= estimate_memory_kb(rows, dim) <= most_mb * 1024
