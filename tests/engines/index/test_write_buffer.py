"""Rows that this process committed enter the index from the buffer; after anything else, from the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import EmbeddedIndex, open_embedded
from sanya.engines.index.erasure import erase_documents
from sanya.engines.index.rows import Version
from sanya.engines.index.write_buffer import BufferedChange, WriteBuffer
from sanya.kernel.storage.database import Database, Row, Value
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.index import EmbeddedRow, IndexEntry
from tests.engines.index.conftest import (
    SPACES,
    list_ids,
    make_entry,
    make_vector,
    probe_vector,
    probe_words,
    read_answer,
    read_words,
)


class Watched:
    """A database that counts how often rows are read for derivation."""

    def __init__(self, inner: Database) -> None:
        self._inner = inner
        self.times = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        self.times += "d.position > ?" in sql
        return await self._inner.fetch(sql, params, touches=touches)


@asynccontextmanager
async def opened(database: Database, home: Path) -> AsyncIterator[tuple[EmbeddedIndex, Watched]]:
    watched = Watched(database)
    async with open_embedded(cast(Database, watched), home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        yield index, watched


def make_pending(document_id: str, text: str) -> IndexEntry:
    return IndexEntry(Document(document_id, (DocumentText(text),), {"year": 1999}), "en", {}, awaits_vectors=True)


async def search_ids(index: EmbeddedIndex, word: str = "common") -> list[str]:
    return await list_ids(await index.search(probe_words(word)))


async def is_like_rebuilt(index: EmbeddedIndex) -> bool:
    """Return whether the answers equal those of an index built from the store alone."""
    probes = [probe_words("common"), probe_words("second common"), probe_vector(make_vector(7))]
    before = [await read_answer(await index.search(probe)) for probe in probes]
    await index.rebuild("notes")
    return before == [await read_answer(await index.search(probe)) for probe in probes]


async def test_what_was_committed_here_is_not_read_again(database: Database, home: Path) -> None:
    async with opened(database, home) as (index, watched):
        await index.upsert("notes", [make_entry("a", "common first"), make_pending("b", "common second")])
        async with database.transaction() as transaction:
            await index.upsert("notes", [make_entry("c", "common third"), make_entry("t", "common", "th")], transaction)
            await index.delete("notes", ["a"], transaction)
        await index.upsert("notes", [make_entry("c", "common changed \x00", name="\x00")])
        assert (await search_ids(index), watched.times) == (["b", "c"], 0)
        assert await is_like_rebuilt(index)
        assert watched.times > 0


async def test_a_transaction_that_was_rolled_back_leaves_nothing(database: Database, home: Path) -> None:
    async with opened(database, home) as (index, _):
        with pytest.raises(ZeroDivisionError):
            async with database.transaction() as transaction:
                await index.upsert("notes", [make_entry("a", "common never")], transaction)
                raise ZeroDivisionError
        async with database.transaction() as transaction:
            await index.upsert("notes", [make_entry("b", "common second")], transaction)
        await index.refresh()
        assert (await search_ids(index), await search_ids(index, "never")) == (["b"], [])


async def test_what_another_process_brought_in_between_is_noticed(home: Path) -> None:
    async with (
        open_database("", home) as database,
        open_database("", home) as second,
        opened(database, home) as (index, watched),
    ):
        other = EmbeddedIndex(second, home / "elsewhere", read_words)
        for number, (writer, base) in enumerate([(index, database), (other, second)] * 2):
            async with base.transaction() as transaction:
                await writer.upsert("notes", [make_entry(f"{number}", f"common {number}")], transaction)
        await index.refresh()
        assert (await search_ids(index), watched.times) == (["0", "1", "2", "3"], 1)
        async with database.transaction() as transaction:
            await index.upsert("notes", [make_entry("4", "common 4")], transaction)
        async with second.transaction() as transaction:
            await other.delete("notes", ["4"], transaction)
        await index.refresh()
        assert await search_ids(index) == ["0", "1", "2", "3"]
        assert await is_like_rebuilt(index)
        await other.close()


async def test_vectors_that_came_before_the_rows_were_derived_are_there(database: Database, home: Path) -> None:
    async with opened(database, home) as (index, _):
        async with database.transaction() as transaction:
            await index.upsert(
                "notes", [make_pending("a", "common first"), make_pending("b", "common second")], transaction
            )
        rows = await index.list_unembedded("notes", 1)
        assert await index.give_vectors("notes", [EmbeddedRow(row, {"meaning": make_vector(7)}) for row in rows]) == 1
        assert await list_ids(await index.search(probe_vector(make_vector(7)))) == ["a"]
        assert await is_like_rebuilt(index)


async def test_what_was_erased_does_not_come_back(database: Database, home: Path) -> None:
    async with opened(database, home) as (index, _):
        async with database.transaction() as transaction:
            await index.upsert(
                "notes", [make_entry("a", "common secret"), make_entry("b", "common second")], transaction
            )
        async with database.transaction() as transaction:
            await erase_documents(transaction, "notes", ["a"])
        await index.rebuild("notes")
        assert (await search_ids(index), await search_ids(index, "secret")) == (["b"], [])


def test_no_more_is_held_than_there_is_room_for() -> None:
    fresh = WriteBuffer(max_characters=100)
    rows = [Version(1, "a", (DocumentText("x" * 40),), "{}", b"")]
    for seq in (1, 2):
        fresh.put("notes", seq, BufferedChange({"en": rows}, 42))
    assert fresh.collect_rows(("notes", "en"), [1, 2]) == [*rows, *rows]
    assert fresh.collect_rows(("notes", "th"), [1, 2]) == []
    fresh.put("notes", 3, BufferedChange({"en": rows}, 42))
    assert fresh.collect_rows(("notes", "en"), [1, 2, 3]) is None
    assert fresh.collect_rows(("notes", "en"), [3]) == rows
    fresh.put("notes", 4, BufferedChange({"en": rows}, 101))
    assert fresh.collect_rows(("notes", "en"), [4]) is None
    fresh.drop_through(3)
    for seq in (5, 6):
        fresh.put("notes", seq, BufferedChange({"en": rows}, 50))
    assert fresh.collect_rows(("notes", "en"), [5, 6]) == [*rows, *rows]
