"""Search engines under comparison, each with the same rows and its own plain queries for words and vectors.

The plain queries of PostgreSQL apply the filter of the search. Those of the other engines have no filter, which makes
the comparison harder for us.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.engine_sizes import find_listener, format_bytes, measure_disk, measure_memory, read_environment
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_library import get_cached_home, read_build_times, record_build_time
from benchmarks.retrieval_peers import DEPTH, BareEngines
from benchmarks.retrieval_pgvector import get_pgvector_home, opened_pgvector
from benchmarks.retrieval_plain_pgvector import Filters, opened_plain
from benchmarks.retrieval_queries import FILTERS, QUERIES, find_nearest
from benchmarks.retrieval_speed import fill
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.weaviate.connection import WeaviateAddress
from sanya.engines.index.weaviate.index import WeaviateIndex, WeaviateOptions, open_weaviate
from sanya.engines.index.weaviate.schema import TERMS, Layout, format_query_terms
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Index, Probe
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.terms import TermReader

PlainWords = Callable[[list[str], Filters], Awaitable[object]]
PlainVectors = Callable[[Matrix, Filters], Awaitable[object]]

_ELSEWHERE = "on its server"


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    index: Index
    search_words: PlainWords
    """Plain word query of the engine; the next field is its plain vector query."""
    search_vectors: PlainVectors
    built: str
    disk: str
    measure_memory: Callable[[], str]
    """Memory of the engine once it was searched."""
    beside: Sequence[tuple[Filters, Sequence[Filters]]] = (((), FILTERS),)
    """Filters of the plain queries, each with the filters of the searches that it is compared with."""


@asynccontextmanager
async def embedded(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    home, corpus = get_cached_home(f"retrieval_speed-{size}"), Corpus(size)
    before = measure_memory(os.getpid())
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        with record_build_time(home):
            await fill(index, corpus)
        await _search_all_vectors(index, corpus)
        # The bare engines of the comparison are in the same process.
        memory = format_bytes(measure_memory(os.getpid()) - before)
        bare, asked = BareEngines(corpus, home), corpus.make_queries(QUERIES)
        bare.widen([vector for _, vector in asked], find_nearest(corpus, asked, ()))

        async def search_words(terms: list[str], _: Filters) -> None:
            bare.search_words(terms)

        async def search_vectors(vector: Matrix, _: Filters) -> None:
            bare.search_vectors(vector)

        files = [*home.glob("sanya.db*"), *(home / "index").rglob("*")]
        yield Engine(
            "embedded",
            index,
            search_words,
            search_vectors,
            _format_build_time(home),
            format_bytes(sum(map(_read_size, files))),
            lambda: memory,
        )


@asynccontextmanager
async def pgvector(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    home = get_pgvector_home(size)
    async with (
        opened_pgvector(size, reader) as (index, database),
        opened_plain(size, FILTERS) as plain,
    ):
        postmaster = int((home / "server" / "postmaster.pid").read_text("utf-8").splitlines()[0])
        ((disk,),) = await database.fetch("SELECT pg_database_size(current_database())")
        beside = [(filters, (filters,)) for filters in FILTERS]
        yield Engine(
            "pgvector",
            index,
            plain.search_words,
            plain.search_vectors,
            _format_build_time(home),
            format_bytes(int(str(disk))),
            lambda: format_bytes(measure_memory(postmaster)),
            beside,
        )


@asynccontextmanager
async def weaviate(size: int, reader: TermReader) -> AsyncIterator[Engine]:
    """Open Weaviate on the server at SANYA_WEAVIATE_URL, with separate collections."""
    home = get_cached_home(f"retrieval_weaviate-{size}")
    async with (
        open_database("", home) as database,
        open_weaviate(database, home / "weaviate", reader.read_document, _build_weaviate_options(size)) as index,
    ):
        with record_build_time(home):
            await fill(index, Corpus(size))
        server = find_listener(urlsplit(os.environ["SANYA_WEAVIATE_URL"]).port or 80)
        data = read_environment(server, "PERSISTENCE_DATA_PATH") if server is not None else ""
        folder = Path(data) / index.classes.layout.name_class("speed").lower()
        yield Engine(
            "Weaviate",
            index,
            *_make_plain_queries(index),
            _format_build_time(home),
            format_bytes(measure_disk(folder)) if data else _ELSEWHERE,
            lambda: format_bytes(measure_memory(server)) if data and server is not None else _ELSEWHERE,
        )


def is_weaviate_configured() -> bool:
    return bool(os.environ.get("SANYA_WEAVIATE_URL"))


def _build_weaviate_options(size: int) -> WeaviateOptions:
    port, key = os.environ.get("SANYA_WEAVIATE_GRPC_PORT", "50051"), os.environ.get("SANYA_WEAVIATE_KEY", "")
    address = WeaviateAddress(os.environ["SANYA_WEAVIATE_URL"], int(port), key, timeout_s=60)
    return WeaviateOptions(address, Layout(f"Benchmark{size}"))


def _make_plain_queries(index: WeaviateIndex) -> tuple[PlainWords, PlainVectors]:
    query = index.classes.get_collection("speed").query

    async def search_words(terms: list[str], _: Filters) -> object:
        asked = format_query_terms("en", {"words": dict.fromkeys(terms, 0.1)})
        return await query.bm25(query=asked, query_properties=[TERMS], limit=DEPTH, return_properties=[])

    async def search_vectors(vector: Matrix, _: Filters) -> object:
        return await query.near_vector(vector.tolist(), target_vector=ENGLISH, limit=DEPTH, return_properties=[])

    return search_words, search_vectors


def _format_build_time(home: Path) -> str:
    took = read_build_times(home)
    steps = ", ".join(f"{step} {seconds:,.0f}" for step, seconds in took.items() if step != "all")
    return f"{sum(took.values()):,.0f} s" + (f" ({steps})" if steps else "") if took else "not recorded"


async def _search_all_vectors(index: Index, corpus: Corpus) -> None:
    """Search once, so that the index is in memory."""
    for _, vector in corpus.make_queries(QUERIES):
        await index.search(Probe("speed", "en", {}, {ENGLISH: vector}))


def _read_size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
