"""A small shelf is compared here, a large one by the server: both bring the same, now and as of any earlier change."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.engines.index.postgresql.reader import Moment
from sanya.engines.index.postgresql.small_partitions import SmallShelf
from sanya.engines.index.reembedding import reset_embeddings
from sanya.kernel.database import Database
from sanya.retrieval.documents import Between, Document, Equals, Filter, Text
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Embedded, Entry, Probe
from tests.engines.index.conftest import DIM, SPACES, answer, entry, ranked, read_words, unit, words_probe
from tests.long_form import often

FILTERS: list[tuple[Filter, ...]] = [
    (),
    (Equals("owner", "me"),),
    (Between("number", 10, 60),),
    (Between("number", None, 50), Equals("owner", "me")),
    (Between("number", 30),),
]
CHANGES = often(12, 60)


@asynccontextmanager
async def opened(url: str, home: Path, small_rows: int = 10_000) -> AsyncIterator[tuple[PostgresqlIndex, Database]]:
    async with (
        open_database(url, home) as database,
        open_postgresql_index(database, read_words, small_rows) as index,
    ):
        await index.declare("shelf", SPACES)
        yield index, database


def asked(number: int) -> Matrix:
    """A vector that loses nothing in half precision, which the server compares in."""
    return unit(1000 + number).astype(np.float16).astype(np.float32)


def probe(number: int, filters: tuple[Filter, ...], as_of: int | None) -> Probe:
    terms = {"words": {"common": 1.0, f"w{number % 5}": 2.0}}
    among = (Equals("owner", "me"),) if number % 2 and Equals("owner", "me") in filters else ()
    return Probe("shelf", "en", terms, {"meaning": asked(number)}, {}, filters, among, as_of, pool=9, least=4)


def document(one: int, text: str, owner: str, number: int) -> Document:
    return Document(f"d{one}", (Text(text),), {"owner": owner, "number": number})


async def change(index: PostgresqlIndex, choose: random.Random, number: int) -> None:
    numbers = choose.sample(range(90), 8)
    owner = choose.choice(["me", "you"])
    documents = {one: document(one, f"common w{one % 5} change{number} text{one}", owner, number) for one in numbers}
    kind = choose.choice(["bring", "bring", "remove", "later", "embed"])
    if kind == "bring":
        # Of equal vectors the graph gives any first, so there are none.
        vectors = {one: {"meaning": unit(2000 + 100 * number + one)} for one in numbers}
        await index.upsert("shelf", [Entry(documents[one], "en", vectors[one]) for one in numbers])
    elif kind == "later":
        await index.upsert("shelf", [Entry(documents[one], "en", {}, awaits_vectors=True) for one in numbers])
    elif kind == "remove":
        await index.delete("shelf", [documents[one].id for one in numbers])
    waiting = await index.unembedded("shelf", 5) if kind == "embed" else []
    await index.give_vectors("shelf", [Embedded(one, {"meaning": unit(1_000_000 + one.position)}) for one in waiting])


async def test_small_and_large_shelves_bring_the_same_candidates_at_every_moment(
    home: Path, postgresql_url: str
) -> None:
    seed = random.randrange(2**32)
    choose = random.Random(seed)
    async with (
        opened(postgresql_url, home) as (small, _),
        opened(postgresql_url, home, small_rows=0) as (large, database),
    ):
        moments: list[int | None] = []
        for number in range(CHANGES):
            await change(small, choose, number)
            ((last,),) = await database.fetch("SELECT COALESCE(max(seq), 0) FROM retrieval_commits")
            moments.append(int(str(last)))
            for filters in FILTERS:
                for as_of in (None, choose.choice(moments)):
                    one = probe(number, filters, as_of)
                    found = await answer(await small.search(one))
                    assert found == await answer(await large.search(one)), f"seed {seed}, {one}"


async def test_a_shelf_that_grows_large_keeps_its_earlier_answers_to_the_last_bit(
    home: Path, postgresql_url: str
) -> None:
    def rows(start: int, end: int) -> list[Entry]:
        return [entry(f"d{number}", f"common w{number % 5} {number}", owner="me") for number in range(start, end)]

    async with opened(postgresql_url, home, small_rows=20) as (index, _):
        then = await index.upsert("shelf", rows(0, 20))
        before = [await answer(await index.search(probe(1, some, then))) for some in FILTERS]
        now = await answer(await index.search(probe(1, (), None)))
        await index.upsert("shelf", rows(20, 40))
        assert await answer(await index.search(probe(1, (), None))) != now
        assert [await answer(await index.search(probe(1, some, then))) for some in FILTERS] == before
        async with opened(postgresql_url, home, small_rows=20) as (other, _):
            assert [await answer(await other.search(probe(1, some, then))) for some in FILTERS] == before


async def test_words_are_found_when_another_process_forgot_the_model(home: Path, postgresql_url: str) -> None:
    for small_rows in (10_000, 0):
        async with opened(postgresql_url, home, small_rows) as (index, database):
            await index.upsert("shelf", [entry("a", "ginger"), entry("b", "galangal")])
            asking = replace(words_probe("ginger"), vectors={"meaning": unit(1)})
            assert await ranked(await index.search(asking)) == ["a"]
            await reset_embeddings(database, "shelf")
            found = await index.search(asking)
            assert await ranked(found) == ["a"] and len(found) == 1 and not found.vectors


def test_an_answer_that_comes_late_undoes_nothing() -> None:
    vector = b"\0\0\0\0" + np.ones(DIM, dtype=">f2").tobytes()
    shelf, forever = SmallShelf(SPACES), 2**62
    shelf.take([(1, "a", forever, None, None), (2, "b", forever, 1, vector)], 1)
    shelf.take([(1, "a", 4, 3, vector), (3, "c", forever, 4, vector)], 4)
    shelf.take([(1, "a", forever, None, None)], 2)
    moments = [Moment(1, 2, {}, 0), Moment(3, 2, {}, 0), Moment(4, 3, {}, 0)]
    assert [shelf.valid(moment).tolist() for moment in moments] == [[1, 2], [1, 2], [2, 3]]
    assert shelf.ids == ["a", "b", "c"] and not shelf.lacks(moments[-1])
    query = np.ones(DIM, dtype=np.float32)
    near = [shelf.nearest("meaning", query, shelf.valid(one), one.seq, 5) for one in moments]
    assert near == [[2], [1, 2], [2, 3]]
