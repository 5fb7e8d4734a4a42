"""Two plain queries on PostgreSQL, such as one who knows it would write: the ten best by words, the ten nearest.

They go through the same driver, pool and session as ours, to the same tables, with the same filter, and bring positions
and no ids: which documents those are, and whether they are still valid, is not asked.

- Words: one statement reads the postings of the terms, which are added up to BM25 (PostgreSQL's own ranking is no BM25,
  and takes far longer). With a filter the best of many are looked up, or, where few rows pass, those are listed: which
  of the two is known beforehand.
- Vectors: `ORDER BY embedding <#> … LIMIT 10` with the filter's condition. For each kind of filter the graph is
  searched no more widely than finds 95 of 100, or than helps; that, and `iterative_scan`, is set once for a session.

Nothing is kept from one query to the next, while ours keeps what it read: postings, what filters let through, and small
shelves whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np

from benchmarks.retrieval_asked import QUERIES, described, nearest
from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_peers import DEPTH, RECALL
from benchmarks.retrieval_pgvector import pgvector_home, served
from sanya.engines.database import open_database
from sanya.engines.index.postgresql.filters import build_where, format_array
from sanya.engines.index.postgresql.postings import NO_POSTINGS, Bm25Ranking, Population, hash_term
from sanya.engines.index.postgresql.postings import QueryTerm as Term
from sanya.engines.index.rows import as_bytes, as_int
from sanya.kernel.database import Database
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix

Filters = tuple[Filter, ...]

_SHELF = "r.namespace = 'speed' AND r.partition_name = 'en'"
_WORDS = f"SELECT term, first, postings FROM retrieval_terms r WHERE {_SHELF} AND term IN (:some)"
_TOTAL = f"SELECT words_total FROM retrieval_rows r WHERE {_SHELF} AND position = ?"
_PASSING = f"SELECT r.position FROM retrieval_rows r WHERE {_SHELF} AND :where"
_AMONG = f"{_PASSING} AND r.position IN (SELECT unnest(?::text::bigint[]))"
_NEAREST = "SELECT position FROM :table ORDER BY embedding <#> ?::text::halfvec LIMIT :depth"
# The rows that pass are looked up one by one as the graph gives them, or are found first, as the server thinks best.
_FILTERED = f"""
SELECT e.position FROM :table e JOIN retrieval_rows r ON r.position = e.position AND {_SHELF}
WHERE :where ORDER BY e.embedding <#> ?::text::halfvec LIMIT :depth"""
_TABLE = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'retrieval_meaning_%'"
_WIDTHS = (40, 48, 56, 64, 80, 100, 128, 160, 200, 256, 320, 400)
# What a wider search finds less than this of more is not worth its time.
_WORTH = 0.002
_WALKED_ON = "-c hnsw.iterative_scan=relaxed_order"
_FEW = 2000
_LOOKED_UP = 20 * DEPTH


@dataclass(frozen=True, slots=True)
class Session:
    """Where queries with some filters are asked."""

    database: Database
    is_few: bool
    """Whether so few rows pass that they are best listed."""


class PlainPgvector:
    def __init__(self, table: str, population: Population) -> None:
        self._population = population
        self._nearest = _NEAREST.replace(":table", table).replace(":depth", str(DEPTH))
        self._filtered = _FILTERED.replace(":table", table).replace(":depth", str(DEPTH))
        self.sessions: dict[Filters, Session] = {}

    async def words(self, terms: list[str], filters: Filters) -> list[int]:
        sql = _WORDS.replace(":some", ", ".join("?" for _ in terms))
        strings: dict[bytes, list[tuple[int, bytes]]] = {}
        database = self.sessions[filters].database
        for key, first, postings in await database.fetch(sql, [hash_term("words", term) for term in terms]):
            strings.setdefault(as_bytes(key), []).append((as_int(first), as_bytes(postings)))
        asked = [Term("words", 1.0, NO_POSTINGS.extend(some)) for some in strings.values()]
        ranking = Bm25Ranking(asked, self._population.count, self._population)
        if not filters:
            return [int(row) for row in ranking.find_best(DEPTH)[0]]
        return await self._filtered_words(ranking, filters)

    async def _filtered_words(self, ranking: Bm25Ranking, filters: Filters) -> list[int]:
        (condition, values), session = build_where(filters), self.sessions[filters]
        if session.is_few:
            rows = await session.database.fetch(_PASSING.replace(":where", condition), values)
            passing = np.array([as_int(row[0]) for row in rows], dtype=np.int64)
            return [int(row) for row in ranking.find_best_among(passing, DEPTH)[0]]
        best = ranking.find_best(_LOOKED_UP)[0].tolist()
        rows = await session.database.fetch(_AMONG.replace(":where", condition), [*values, format_array(best)])
        found = {as_int(row[0]) for row in rows}
        return [row for row in best if row in found][:DEPTH]

    async def meaning(self, vector: Matrix, filters: Filters) -> list[int]:
        condition, values = build_where(filters)
        sql = self._filtered.replace(":where", condition) if filters else self._nearest
        rows = await self.sessions[filters].database.fetch(sql, [*values, str(vector.tolist())])
        return [as_int(row[0]) for row in rows]


@asynccontextmanager
async def opened_plain(size: int, kinds: Sequence[Filters]) -> AsyncIterator[PlainPgvector]:
    """The server must have the rows. Each kind of filter has sessions of its own."""
    corpus, home = Corpus(size), pgvector_home(size)
    url = await asyncio.to_thread(served, home / "server")
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(url, home))
        table = str((await database.fetch(_TABLE))[0][0])
        total = as_int((await database.fetch(_TOTAL, (size,)))[0][0])
        plain = PlainPgvector(table, Population(size, {"words": total}))
        for filters in kinds:
            await widen(plain, stack, f"{url}&options=", corpus, filters)
        yield plain


async def widen(plain: PlainPgvector, stack: AsyncExitStack, url: str, corpus: Corpus, filters: Filters) -> None:
    """Lets the graph be searched as widely as it must: as it comes, it misses more than every twentieth."""
    condition, values = build_where(filters)
    before = 0.0
    for width in _WIDTHS:
        opening = open_database(url + quote(f"-c hnsw.ef_search={width} {_WALKED_ON}"), pgvector_home(corpus.size))
        database = await opening.__aenter__()
        count = f"SELECT count(*) FROM ({_PASSING.replace(':where', condition)}) passing"
        is_few = as_int((await database.fetch(count, values))[0][0]) <= _FEW
        plain.sessions[filters] = Session(database, is_few)
        found = await recall(plain, corpus, filters)
        print(f"plain vectors on PostgreSQL, {described(filters)}, width {width}: {found:.3f}", flush=True)
        if found >= RECALL or found < before + _WORTH or width == _WIDTHS[-1]:
            stack.push_async_exit(opening)
            return
        before = found
        await opening.__aexit__(None, None, None)


async def recall(plain: PlainPgvector, corpus: Corpus, filters: Filters) -> float:
    asked = corpus.queries(QUERIES)
    best = nearest(corpus, asked, filters)
    # Rows are numbered from 1.
    found = [{row - 1 for row in await plain.meaning(vector, filters)} for _, vector in asked]
    return sum(len(some & set(rows)) for some, rows in zip(found, best, strict=True)) / sum(map(len, best))
