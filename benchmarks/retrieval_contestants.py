"""The engines that stand side by side: each with the same rows in it, and with its own plain queries for words and for
vectors, which our search is measured beside. PostgreSQL's have the filter of the search; the others' have none, which
is harder on us."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval_asked import FILTERS, QUERIES, nearest
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_library import built, cached_home, counted
from benchmarks.retrieval_peers import DEPTH, BareEngines
from benchmarks.retrieval_pgvector import opened_pgvector, pgvector_home
from benchmarks.retrieval_plain_pgvector import Filters, opened_plain
from benchmarks.retrieval_speed import fill
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.weaviate.connection import WeaviateAddress
from sanya.engines.index.weaviate.index import WeaviateIndex, WeaviateOptions, open_weaviate
from sanya.engines.index.weaviate.schema import TERMS, Layout, format_query_terms
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Index
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.terms import TermReader

PlainWords = Callable[[list[str], Filters], Awaitable[object]]
PlainMeaning = Callable[[Matrix, Filters], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    index: Index
    words: PlainWords
    """Its own plain query for words, and the next for a vector."""
    meaning: PlainMeaning
    built: str
    disk: str
    beside: Sequence[tuple[Filters, Sequence[Filters]]] = (((), FILTERS),)
    """The filters of the plain queries, and those of the searches that each pair of them is measured beside."""


@asynccontextmanager
async def embedded(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    home, corpus = cached_home(f"retrieval_speed-{size}"), Corpus(size)
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        with counted(home):
            await fill(index, corpus)
        bare, asked = BareEngines(corpus, home), corpus.queries(QUERIES)
        bare.widen([vector for _, vector in asked], nearest(corpus, asked, ()))

        async def words(terms: list[str], _: Filters) -> None:
            bare.words(terms)

        async def meaning(vector: Matrix, _: Filters) -> None:
            bare.meaning(vector)

        files = [*home.glob("sanya.db*"), *(home / "index").rglob("*")]
        yield Engine("embedded", index, words, meaning, _seconds(home), _size(sum(map(_bytes, files))))


@asynccontextmanager
async def pgvector(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    home = pgvector_home(size)
    async with (
        opened_pgvector(size, reader) as (index, database),
        opened_plain(size, FILTERS) as plain,
    ):
        ((disk,),) = await database.fetch("SELECT pg_database_size(current_database())")
        beside = [(filters, (filters,)) for filters in FILTERS]
        yield Engine("pgvector", index, plain.words, plain.meaning, _seconds(home), _size(int(str(disk))), beside)


@asynccontextmanager
async def weaviate(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    """On the server that SANYA_WEAVIATE_URL names, in classes of its own."""
    home = cached_home(f"retrieval_weaviate-{size}")
    async with (
        open_database("", home) as database,
        open_weaviate(database, home / "weaviate", reader.read_document, _weaviate_options(size)) as index,
    ):
        with counted(home):
            await fill(index, Corpus(size))
        yield Engine("Weaviate", index, *_plain_weaviate(index), _seconds(home), "on its server")


def is_weaviate_there() -> bool:
    return bool(os.environ.get("SANYA_WEAVIATE_URL"))


def _weaviate_options(size: int) -> WeaviateOptions:
    port, key = os.environ.get("SANYA_WEAVIATE_GRPC_PORT", "50051"), os.environ.get("SANYA_WEAVIATE_KEY", "")
    address = WeaviateAddress(os.environ["SANYA_WEAVIATE_URL"], int(port), key, timeout_s=60)
    return WeaviateOptions(address, Layout(f"Benchmark{size}"))


def _plain_weaviate(index: WeaviateIndex) -> tuple[PlainWords, PlainMeaning]:
    query = index.classes.get_collection("speed").query

    async def words(terms: list[str], _: Filters) -> object:
        asked = format_query_terms("en", {"words": dict.fromkeys(terms, 0.1)})
        return await query.bm25(query=asked, query_properties=[TERMS], limit=DEPTH, return_properties=[])

    async def meaning(vector: Matrix, _: Filters) -> object:
        return await query.near_vector(vector.tolist(), target_vector=ENGLISH, limit=DEPTH, return_properties=[])

    return words, meaning


def _seconds(home: Path) -> str:
    took = built(home)
    steps = ", ".join(f"{step} {seconds:,.0f}" for step, seconds in took.items() if step != "all")
    return f"{sum(took.values()):,.0f} s" + (f" ({steps})" if steps else "") if took else "not recorded"


def _size(number: int) -> str:
    return f"{number / 1e9:.2f} GB"


def _bytes(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
