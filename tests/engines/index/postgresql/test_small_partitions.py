"""A small partition is compared in memory, a large one by the server: both give the same candidates, now and as of any
change."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.engines.index.postgresql.reader import PartitionState
from sanya.engines.index.postgresql.small_partitions import SmallPartition
from sanya.engines.index.reembedding import reset_embeddings
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Between, Document, DocumentText, Equals, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import EmbeddedRow, IndexEntry, Probe
from tests.engines.index.conftest import (
    DIM,
    SPACES,
    make_entry,
    make_vector,
    probe_words,
    rank_ids,
    read_answer,
    read_words,
)
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
        await index.declare("notes", SPACES)
        yield index, database


def make_half_vector(number: int) -> Matrix:
    """Return a vector that loses nothing in half precision, which the server uses."""
    return make_vector(1000 + number).astype(np.float16).astype(np.float32)


def probe(number: int, filters: tuple[Filter, ...], as_of: int | None) -> Probe:
    terms = {"words": {"common": 1.0, f"w{number % 5}": 2.0}}
    among = (Equals("owner", "me"),) if number % 2 and Equals("owner", "me") in filters else ()
    return Probe(
        "notes", "en", terms, {"meaning": make_half_vector(number)}, {}, filters, among, as_of, pool=9, min_candidates=4
    )


def make_document(suffix: int, text: str, owner: str, number: int) -> Document:
    return Document(f"d{suffix}", (DocumentText(text),), {"owner": owner, "number": number})


async def change(index: PostgresqlIndex, choose: random.Random, number: int) -> None:
    suffixes = choose.sample(range(90), 8)
    owner = choose.choice(["me", "you"])
    documents = {
        suffix: make_document(suffix, f"common w{suffix % 5} change{number} text{suffix}", owner, number)
        for suffix in suffixes
    }
    kind = choose.choice(["bring", "bring", "remove", "later", "embed"])
    if kind == "bring":
        # The graph returns equal vectors in any order, so there are none.
        vectors = {suffix: {"meaning": make_vector(2000 + 100 * number + suffix)} for suffix in suffixes}
        await index.upsert("notes", [IndexEntry(documents[suffix], "en", vectors[suffix]) for suffix in suffixes])
    elif kind == "later":
        await index.upsert(
            "notes", [IndexEntry(document, "en", {}, awaits_vectors=True) for document in documents.values()]
        )
    elif kind == "remove":
        await index.delete("notes", [document.id for document in documents.values()])
    waiting = await index.list_unembedded("notes", 5) if kind == "embed" else []
    await index.give_vectors(
        "notes", [EmbeddedRow(row, {"meaning": make_vector(1_000_000 + row.position)}) for row in waiting]
    )


async def test_small_and_large_partitions_bring_the_same_candidates_at_every_change(
    home: Path, postgresql_url: str
) -> None:
    seed = random.randrange(2**32)
    choose = random.Random(seed)
    async with (
        opened(postgresql_url, home) as (small, _),
        opened(postgresql_url, home, small_rows=0) as (large, database),
    ):
        states: list[int | None] = []
        for number in range(CHANGES):
            await change(small, choose, number)
            ((last,),) = await database.fetch("SELECT COALESCE(max(seq), 0) FROM retrieval_commits")
            states.append(int(str(last)))
            for filters in FILTERS:
                for as_of in (None, choose.choice(states)):
                    query = probe(number, filters, as_of)
                    found = await read_answer(await small.search(query))
                    assert found == await read_answer(await large.search(query)), f"seed {seed}, {query}"


async def test_a_partition_that_grows_large_keeps_its_earlier_answers_to_the_last_bit(
    home: Path, postgresql_url: str
) -> None:
    def rows(start: int, end: int) -> list[IndexEntry]:
        return [make_entry(f"d{number}", f"common w{number % 5} {number}", owner="me") for number in range(start, end)]

    async with opened(postgresql_url, home, small_rows=20) as (index, _):
        then = await index.upsert("notes", rows(0, 20))
        before = [await read_answer(await index.search(probe(1, some, then))) for some in FILTERS]
        now = await read_answer(await index.search(probe(1, (), None)))
        await index.upsert("notes", rows(20, 40))
        assert await read_answer(await index.search(probe(1, (), None))) != now
        assert [await read_answer(await index.search(probe(1, some, then))) for some in FILTERS] == before
        async with opened(postgresql_url, home, small_rows=20) as (other, _):
            assert [await read_answer(await other.search(probe(1, some, then))) for some in FILTERS] == before


async def test_words_are_found_when_another_process_forgot_the_model(home: Path, postgresql_url: str) -> None:
    for small_rows in (10_000, 0):
        async with opened(postgresql_url, home, small_rows) as (index, database):
            await index.upsert("notes", [make_entry("a", "ginger"), make_entry("b", "galangal")])
            asking = replace(probe_words("ginger"), vectors={"meaning": make_vector(1)})
            assert await rank_ids(await index.search(asking)) == ["a"]
            await reset_embeddings(database, "notes")
            found = await index.search(asking)
            assert await rank_ids(found) == ["a"] and len(found) == 1 and not found.vectors


def test_an_answer_that_comes_late_undoes_nothing() -> None:
    vector = b"\0\0\0\0" + np.ones(DIM, dtype=">f2").tobytes()
    partition, forever = SmallPartition(SPACES), 2**62
    partition.take([(1, "a", forever, None, None), (2, "b", forever, 1, vector)], 1)
    partition.take([(1, "a", 4, 3, vector), (3, "c", forever, 4, vector)], 4)
    partition.take([(1, "a", forever, None, None)], 2)
    states = [PartitionState(1, 2, {}, 0), PartitionState(3, 2, {}, 0), PartitionState(4, 3, {}, 0)]
    assert [partition.find_valid(state).tolist() for state in states] == [[1, 2], [1, 2], [2, 3]]
    assert partition.ids == ["a", "b", "c"] and not partition.is_behind(states[-1])
    query = np.ones(DIM, dtype=np.float32)
    near = [partition.find_nearest("meaning", query, partition.find_valid(state), state.seq, 5) for state in states]
    assert near == [[2], [1, 2], [2, 3]]
