"""Many questions at once, each of which wants to see everything that is stored: the index catches up once for all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from sanya.engines.database import open_database
from sanya.engines.index.embedded import open_embedded
from sanya.kernel.database import Database, Row, Value
from tests.engines.index.conftest import SPACES, entry, ids_of, read_words, words_probe


class Counting:
    """A database that counts how often it is asked for the partitions, with which every catching up begins."""

    def __init__(self, inner: Database) -> None:
        self._inner = inner
        self.times = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        self.times += "'position '" in sql
        return await self._inner.fetch(sql, params, touches=touches)


async def test_those_who_ask_at_once_wait_for_one_catching_up(home: Path) -> None:
    async with open_database("", home) as database:
        counting = Counting(database)
        async with open_embedded(cast(Database, counting), home / "index", read_words) as index:
            await index.declare("shelf", SPACES)
            async with database.transaction() as transaction:
                await index.upsert("shelf", [entry("a", "common one"), entry("b", "common two")], transaction)
            counting.times = 0
            await asyncio.gather(*(index.refresh() for _ in range(20)))
            assert counting.times == 1
            assert await ids_of(await index.search(words_probe("common"))) == ["a", "b"]
            await asyncio.gather(*(index.refresh() for _ in range(20)))
            assert counting.times == 1, "there is nothing new"


async def test_who_goes_away_leaves_the_index_whole(home: Path) -> None:
    """At every turn of the loop somebody who had the index catch up is cancelled: what was begun is ended, by one."""
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", read_words) as index,
    ):
        await index.declare("shelf", SPACES)
        for turns in range(40):
            async with database.transaction() as transaction:
                await index.upsert("shelf", [entry(f"{turns}", f"common {turns}")], transaction)
            asking = asyncio.create_task(index.refresh())
            for _ in range(turns):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await index.refresh()
        assert await index.count("shelf") == 40


async def test_who_asks_while_one_catches_up_sees_what_was_stored_before_he_asked(home: Path) -> None:
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", read_words) as index,
    ):
        await index.declare("shelf", SPACES)
        await index.upsert("shelf", [entry("0", "common 0")])
        for number in range(1, 15):
            async with database.transaction() as transaction:
                await index.upsert("shelf", [entry(f"{number}", f"common {number}")], transaction)
            first = asyncio.ensure_future(index.refresh())
            async with database.transaction() as transaction:
                await index.upsert("shelf", [entry(f"{number} late", f"common {number}")], transaction)
            await index.refresh()
            found = await ids_of(await index.search(words_probe("common")))
            assert f"{number} late" in found
            await first
