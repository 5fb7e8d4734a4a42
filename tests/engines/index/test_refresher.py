"""Many searches at once that each need everything stored share one refresh of the index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.weaviate.index import open_weaviate
from sanya.kernel.storage.database import Database, Row, Value
from sanya.retrieval.index import Index
from tests.engines.index.conftest import SPACES, list_ids, make_entry, probe_words, read_words
from tests.engines.index.weaviate_server.choice import weaviate_options


class Counting:
    """A database that counts reads of the partitions, with which every refresh begins."""

    def __init__(self, inner: Database) -> None:
        self._inner = inner
        self.times = 0
        self.began = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        if "'position '" in sql:
            self.times += 1
            self.began.set()
        return await self._inner.fetch(sql, params, touches=touches)


async def test_those_who_ask_at_once_wait_for_one_catching_up(home: Path) -> None:
    async with open_database("", home) as database:
        counting = Counting(database)
        async with open_embedded(cast(Database, counting), home / "index", read_words) as index:
            await index.declare("notes", SPACES)
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry("a", "common one"), make_entry("b", "common two")], transaction)
            counting.times = 0
            await asyncio.gather(*(index.refresh() for _ in range(20)))
            assert counting.times == 1
            assert await list_ids(await index.search(probe_words("common"))) == ["a", "b"]
            await asyncio.gather(*(index.refresh() for _ in range(20)))
            assert counting.times == 1, "there is nothing new"


@asynccontextmanager
async def opened(kind: str, database: Database, folder: Path) -> AsyncIterator[Index]:
    if kind == "embedded":
        async with open_embedded(database, folder, read_words) as index:
            yield index
    else:
        async with weaviate_options() as options, open_weaviate(database, folder, read_words, options) as index:
            yield index


@pytest.mark.parametrize("kind", ["embedded", "weaviate"])
async def test_who_goes_away_leaves_the_catching_up_to_those_who_wait_for_it(kind: str, home: Path) -> None:
    async with open_database("", home) as database:
        counting = Counting(database)
        async with opened(kind, cast(Database, counting), home / "index") as index:
            await index.declare("notes", SPACES)
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry("a", "common one"), make_entry("b", "common two")], transaction)
            counting.times = 0
            counting.began.clear()
            first, second = asyncio.create_task(index.refresh()), asyncio.create_task(index.refresh())
            await asyncio.wait_for(counting.began.wait(), 10)
            first.cancel()
            await second
            assert counting.times == 1, "what the first began was gone on with"
            assert first.cancelled()
            assert await list_ids(await index.search(probe_words("common"))) == ["a", "b"]


@pytest.mark.parametrize("kind", ["embedded", "weaviate"])
async def test_what_nobody_waits_for_any_more_is_no_obstacle_to_closing(kind: str, home: Path) -> None:
    async with open_database("", home) as database:
        counting = Counting(database)
        async with opened(kind, cast(Database, counting), home / "index") as index:
            await index.declare("notes", SPACES)
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry("a", "common one")], transaction)
            counting.began.clear()
            asking = asyncio.create_task(index.refresh())
            await asyncio.wait_for(counting.began.wait(), 10)
            asking.cancel()
        assert not [task for task in asyncio.all_tasks() if task.get_name() == "search index"]


async def test_who_goes_away_leaves_the_index_whole(home: Path) -> None:
    """At every turn of the loop a caller of refresh is cancelled. Work that has begun is finished, by one task."""
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", read_words) as index,
    ):
        await index.declare("notes", SPACES)
        for turns in range(40):
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry(f"{turns}", f"common {turns}")], transaction)
            asking = asyncio.create_task(index.refresh())
            for _ in range(turns):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await index.refresh()
        assert await index.count("notes") == 40


async def test_who_asks_while_one_catches_up_sees_what_was_stored_before_he_asked(home: Path) -> None:
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", read_words) as index,
    ):
        await index.declare("notes", SPACES)
        await index.upsert("notes", [make_entry("0", "common 0")])
        for number in range(1, 15):
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry(f"{number}", f"common {number}")], transaction)
            first = asyncio.ensure_future(index.refresh())
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry(f"{number} late", f"common {number}")], transaction)
            await index.refresh()
            found = await list_ids(await index.search(probe_words("common")))
            assert f"{number} late" in found
            await first
