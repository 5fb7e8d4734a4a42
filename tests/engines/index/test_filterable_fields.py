"""Filters use the declared fields of a namespace, in every kind of index, and an index built with others is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import EmbeddedIndex, open_embedded
from sanya.engines.index.store import IndexStore
from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.retrieval.documents import AnyOf, Between, DocumentText, Equals, Filter
from sanya.retrieval.index import DocumentTerms, Index
from tests.engines.index.conftest import SPACES, list_ids, make_entry, probe_words, read_words

PLACES = [
    make_entry("a", "common one", year=1999, journal="Lancet", shown="x"),
    make_entry("b", "common two", year=2020, journal="Lancet", shown="y"),
    make_entry("c", "common three", "th", year=2021, journal="Nature"),
]
OF_YEAR = (Between("year", 2000, None),)
OF_JOURNAL = (Equals("journal", "Lancet"),)


async def search_ids(index: Index, *filters: Filter) -> list[str]:
    return await list_ids(await index.search(probe_words("common", filters=filters)))


async def test_filters_on_declared_fields_find_what_they_did(index: Index) -> None:
    await index.declare("notes", SPACES, ("year", "journal"))
    await index.upsert("notes", PLACES)
    assert await search_ids(index, *OF_YEAR) == ["b"]
    assert await search_ids(index, AnyOf("journal", ("Lancet", "Nature"))) == ["a", "b"]
    assert await index.count("notes", OF_YEAR) == 2
    assert (await index.fetch_documents("notes", ["a"]))["a"].fields["shown"] == "x"


@pytest.mark.parametrize("named", [Equals("shown", "x"), AnyOf("shown", ("x",)), Between("shown", 1, 2)])
async def test_a_filter_on_another_field_is_refused_by_name(index: Index, named: Filter) -> None:
    await index.declare("notes", SPACES, ("year", "journal"))
    await index.upsert("notes", PLACES)
    for refused in (
        index.search(probe_words("common", filters=(*OF_YEAR, named))),
        index.search(probe_words("common", statistics_filters=(named,))),
        index.count("notes", (named,)),
    ):
        with pytest.raises(InvalidArgument, match="notes cannot be filtered by shown; use journal, year"):
            await refused


async def test_who_declares_no_fields_leaves_them_as_they_were(index: Index) -> None:
    await index.upsert("notes", PLACES)
    assert await search_ids(index, Equals("shown", "x")) == ["a"]
    await index.declare("notes", SPACES, ("year",))
    await index.declare("notes", SPACES)
    assert await search_ids(index, *OF_YEAR) == ["b"]
    with pytest.raises(InvalidArgument):
        await search_ids(index, *OF_JOURNAL)


async def test_a_field_that_is_declared_later_is_filtered_by_at_once_and_in_all_rows(index: Index) -> None:
    await index.declare("notes", SPACES, ("year",))
    await index.upsert("notes", PLACES)
    await index.declare("notes", SPACES, ("year", "journal"))
    assert await search_ids(index, *OF_JOURNAL) == ["a", "b"]
    assert await search_ids(index, *OF_YEAR) == ["b"]
    await index.rebuild("notes")
    assert await search_ids(index, *OF_JOURNAL) == ["a", "b"]


async def test_a_name_that_is_no_field_is_not_declared(index: Index) -> None:
    with pytest.raises(InvalidArgument, match="is not a field name"):
        await index.declare("notes", SPACES, ("a field",))


async def test_an_index_that_lacks_a_field_is_derived_anew_when_it_is_opened(home: Path) -> None:
    """This happens after a crash between declaring and deriving, or with a copy of older files."""
    async with open_database("", home) as database:
        async with open_embedded(database, home / "index", read_words) as index:
            await index.declare("notes", SPACES, ("year",))
            await index.upsert("notes", PLACES)
        await IndexStore(database).declare("notes", SPACES, ("year", "journal"))
        async with open_embedded(database, home / "index", read_words) as index:
            assert await search_ids(index, *OF_JOURNAL) == ["a", "b"]


async def test_an_index_that_holds_more_is_kept(home: Path) -> None:
    """This is every index of a home from before fields were declared: its rows need not be read again."""
    read: list[str] = []

    def reading(texts: Sequence[DocumentText], partition: str) -> DocumentTerms:
        read.append(partition)
        return read_words(texts, partition)

    async with open_database("", home) as database:
        async with open_embedded(database, home / "index", reading) as index:
            await index.declare("notes", SPACES)
            await index.upsert("notes", PLACES)
        async with open_embedded(database, home / "index", reading) as index:
            await index.declare("notes", SPACES, ("year",))
            await index.upsert("notes", [make_entry("d", "common four", year=2022, journal="Lancet")])
            assert await search_ids(index, *OF_YEAR) == ["b", "d"]
            assert len(read) == 4
            await index.declare("notes", SPACES, ("year", "journal"))
            assert await search_ids(index, *OF_JOURNAL) == ["a", "b", "d"]
            assert len(read) == 7, "a row of the English ones came without its journal, so these are read again"


async def test_while_another_process_derives_a_field_that_is_not_there_is_told(home: Path) -> None:
    async with open_database("", home) as database, open_database("", home) as second:
        deriving = EmbeddedIndex(database, home / "index", read_words)
        await deriving.declare("notes", SPACES, ("year",))
        await deriving.upsert("notes", PLACES)
        async with open_embedded(second, home / "index", read_words) as index:
            await index.declare("notes", SPACES, ("year", "journal"))
            assert await search_ids(index, *OF_YEAR) == ["b"]
            with pytest.raises(Unavailable, match="another process"):
                await search_ids(index, *OF_JOURNAL)
            with pytest.raises(Unavailable, match="another process"):
                await index.count("notes", OF_JOURNAL)
            await deriving.close()
            await index.refresh()
            assert await search_ids(index, *OF_JOURNAL) == ["a", "b"]
