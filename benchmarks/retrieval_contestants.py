"""The engines that stand side by side: each with the same rows in it, and with its own plain queries for words and for
vectors, which our search is measured beside."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval_asked import QUERIES, nearest
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_library import built, cached_home, counted
from benchmarks.retrieval_peers import DEPTH, BareEngines
from benchmarks.retrieval_pgvector import opened_pgvector, pgvector_home
from benchmarks.retrieval_speed import fill
from sanya.engines.database import open_database
from sanya.engines.index.embedded import open_embedded
from sanya.engines.index.postgresql_postings import NO_POSTINGS, Asked, Population, Ranking, key_of
from sanya.engines.index.rows import raw, whole
from sanya.engines.index.weaviate import WeaviateIndex, WeaviateOptions, open_weaviate
from sanya.engines.index.weaviate_connection import WeaviateAddress
from sanya.engines.index.weaviate_schema import TERMS, Layout, asked_terms
from sanya.kernel.database import Database
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Index
from sanya.retrieval.legs import ENGLISH
from sanya.retrieval.terms import Reader

_PLAIN_WORDS = """
SELECT term, first, postings FROM retrieval_terms
WHERE namespace = 'speed' AND partition_name = 'en' AND term IN (:some)"""
_TOTAL = "SELECT words_total FROM retrieval_rows WHERE namespace = 'speed' AND partition_name = 'en' AND position = ?"
_PLAIN_VECTORS = "SELECT position FROM :table ORDER BY embedding <#> ?::text::halfvec LIMIT :depth"


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    index: Index
    words: Callable[[list[str]], Awaitable[object]]
    """Its own plain query for words, and the next for a vector."""
    meaning: Callable[[Matrix], Awaitable[object]]
    built: str
    disk: str


@asynccontextmanager
async def embedded(size: int, reader: Reader) -> AsyncIterator[Engine]:
    home, corpus = cached_home(f"retrieval_speed-{size}"), Corpus(size)
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        with counted(home):
            await fill(index, corpus)
        bare, asked = BareEngines(corpus, home), corpus.queries(QUERIES)
        bare.widen([vector for _, vector in asked], nearest(corpus, asked, ()))

        async def words(terms: list[str]) -> None:
            bare.words(terms)

        async def meaning(vector: Matrix) -> None:
            bare.meaning(vector)

        files = [*home.glob("sanya.db*"), *(home / "index").rglob("*")]
        yield Engine("embedded", index, words, meaning, _seconds(home), _size(sum(map(_bytes, files))))


@asynccontextmanager
async def pgvector(size: int, reader: Reader) -> AsyncIterator[Engine]:
    async with opened_pgvector(size, reader) as (index, database):
        ((disk,),) = await database.fetch("SELECT pg_database_size(current_database())")
        ((total,),) = await database.fetch(_TOTAL, (size,))
        everything = Population(size, {"words": int(str(total))})
        plain_vectors = _PLAIN_VECTORS.replace(":table", await _vector_table(database)).replace(":depth", str(DEPTH))

        async def words(terms: list[str]) -> object:
            """Postings, read in one statement and added up: PostgreSQL's own ranking is no BM25, and far slower."""
            sql = _PLAIN_WORDS.replace(":some", ", ".join("?" for _ in terms))
            strings: dict[bytes, list[tuple[int, bytes]]] = {}
            for key, first, postings in await database.fetch(sql, [key_of("words", term) for term in terms]):
                strings.setdefault(raw(key), []).append((whole(first), raw(postings)))
            asked = [Asked("words", 1.0, NO_POSTINGS.grown(some)) for some in strings.values()]
            return Ranking(asked, size, everything).best(DEPTH)

        async def meaning(vector: Matrix) -> object:
            return await database.fetch(plain_vectors, (str(vector.tolist()),))

        yield Engine("pgvector", index, words, meaning, _seconds(pgvector_home(size)), _size(int(str(disk))))


@asynccontextmanager
async def weaviate(size: int, reader: Reader) -> AsyncIterator[Engine]:
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


def _plain_weaviate(
    index: WeaviateIndex,
) -> tuple[Callable[[list[str]], Awaitable[object]], Callable[[Matrix], Awaitable[object]]]:
    query = index.classes.collection("speed").query

    async def words(terms: list[str]) -> object:
        asked = asked_terms("en", {"words": dict.fromkeys(terms, 0.1)})
        return await query.bm25(query=asked, query_properties=[TERMS], limit=DEPTH, return_properties=[])

    async def meaning(vector: Matrix) -> object:
        return await query.near_vector(vector.tolist(), target_vector=ENGLISH, limit=DEPTH, return_properties=[])

    return words, meaning


async def _vector_table(database: Database) -> str:
    rows = await database.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'retrieval_meaning_%'"
    )
    return str(rows[0][0])


def _seconds(home: Path) -> str:
    took = built(home)
    steps = ", ".join(f"{step} {seconds:,.0f}" for step, seconds in took.items() if step != "all")
    return f"{sum(took.values()):,.0f} s" + (f" ({steps})" if steps else "") if took else "not recorded"


def _size(number: int) -> str:
    return f"{number / 1e9:.2f} GB"


def _bytes(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
