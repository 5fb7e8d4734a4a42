"""Two plain PostgreSQL queries, as an expert would write them: the ten best rows by words and the ten nearest rows.

They use the same driver, pool, session, tables and filter as ours. They return positions only, and do not look up ids
or check that the documents are still valid.

- Words: one statement reads the postings of the terms, which are summed to BM25 (the ranking of PostgreSQL is not BM25
  and is far slower). With a filter, the best candidates are tested against it; if few rows match, these are listed
  instead. The choice is made beforehand.
- Vectors: `ORDER BY embedding <#> … LIMIT 10` with the condition of the filter. For each kind of filter, the search is
  only as wide as a recall of 0.95 needs, or as wide as it helps. The width and `iterative_scan` are session settings.

Nothing is cached between queries, while ours caches postings, filter results and small partitions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np

from benchmarks.retrieval_corpus import Corpus
from benchmarks.retrieval_peers import DEPTH, RECALL
from benchmarks.retrieval_pgvector import get_pgvector_home, start_server
from benchmarks.retrieval_queries import QUERIES, describe_filters, find_nearest
from sanya.engines.database import open_database
from sanya.engines.index.postgresql.filters import build_where, format_array
from sanya.engines.index.postgresql.postings import NO_POSTINGS, Bm25Ranking, Population, hash_term
from sanya.engines.index.postgresql.postings import QueryTerm as Term
from sanya.engines.index.rows import as_bytes, as_int
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix

Filters = tuple[Filter, ...]

_PARTITION = "r.namespace = 'speed' AND r.partition_name = 'en'"
_WORDS = f"SELECT term, first, postings FROM retrieval_terms r WHERE {_PARTITION} AND term IN (:some)"
_TOTAL = f"SELECT words_total FROM retrieval_rows r WHERE {_PARTITION} AND position = ?"
_PASSING = f"SELECT r.position FROM retrieval_rows r WHERE {_PARTITION} AND :where"
_AMONG = f"{_PASSING} AND r.position IN (SELECT unnest(?::text::bigint[]))"
_NEAREST = "SELECT position FROM :table ORDER BY embedding <#> ?::text::halfvec LIMIT :depth"
# The planner decides whether to test rows as the graph yields them or to find the matching rows first.
_FILTERED = f"""
SELECT e.position FROM :table e JOIN retrieval_rows r ON r.position = e.position AND {_PARTITION}
WHERE :where ORDER BY e.embedding <#> ?::text::halfvec LIMIT :depth"""
_TABLE = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'retrieval_meaning_%'"
_WIDTHS = (40, 48, 56, 64, 80, 100, 128, 160, 200, 256, 320, 400)
# Stop widening once recall gains less than this.
_WORTH = 0.002
_WALKED_ON = "-c hnsw.iterative_scan=relaxed_order"
_FEW = 2000
_LOOKED_UP = 20 * DEPTH


@dataclass(frozen=True, slots=True)
class Session:
    """Database session for the queries of one kind of filter."""

    database: Database
    is_few: bool
    """True if so few rows match that listing them is fastest."""


class PlainPgvector:
    def __init__(self, table: str, population: Population) -> None:
        self._population = population
        self._nearest = _NEAREST.replace(":table", table).replace(":depth", str(DEPTH))
        self._filtered = _FILTERED.replace(":table", table).replace(":depth", str(DEPTH))
        self.sessions: dict[Filters, Session] = {}

    async def search_words(self, terms: list[str], filters: Filters) -> list[int]:
        sql = _WORDS.replace(":some", ", ".join("?" for _ in terms))
        strings: dict[bytes, list[tuple[int, bytes]]] = {}
        database = self.sessions[filters].database
        for key, first, postings in await database.fetch(sql, [hash_term("words", term) for term in terms]):
            strings.setdefault(as_bytes(key), []).append((as_int(first), as_bytes(postings)))
        asked = [Term("words", 1.0, NO_POSTINGS.extend(some)) for some in strings.values()]
        ranking = Bm25Ranking(asked, self._population.count, self._population)
        if not filters:
            return [int(row) for row in ranking.find_best(DEPTH)[0]]
        return await self._search_filtered_words(ranking, filters)

    async def _search_filtered_words(self, ranking: Bm25Ranking, filters: Filters) -> list[int]:
        (condition, values), session = build_where(filters), self.sessions[filters]
        if session.is_few:
            rows = await session.database.fetch(_PASSING.replace(":where", condition), values)
            passing = np.array([as_int(row[0]) for row in rows], dtype=np.int64)
            return [int(row) for row in ranking.find_best_among(passing, DEPTH)[0]]
        best = ranking.find_best(_LOOKED_UP)[0].tolist()
        rows = await session.database.fetch(_AMONG.replace(":where", condition), [*values, format_array(best)])
        found = {as_int(row[0]) for row in rows}
        return [row for row in best if row in found][:DEPTH]

    async def search_vectors(self, vector: Matrix, filters: Filters) -> list[int]:
        condition, values = build_where(filters)
        sql = self._filtered.replace(":where", condition) if filters else self._nearest
        rows = await self.sessions[filters].database.fetch(sql, [*values, str(vector.tolist())])
        return [as_int(row[0]) for row in rows]


@asynccontextmanager
async def opened_plain(size: int, kinds: Sequence[Filters]) -> AsyncIterator[PlainPgvector]:
    """Open the plain queries on a server that has the rows, with separate sessions for each kind of filter."""
    corpus, home = Corpus(size), get_pgvector_home(size)
    url = await asyncio.to_thread(start_server, home / "server")
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(url, home))
        table = str((await database.fetch(_TABLE))[0][0])
        total = as_int((await database.fetch(_TOTAL, (size,)))[0][0])
        plain = PlainPgvector(table, Population(size, {"words": total}))
        for filters in kinds:
            await widen(plain, stack, f"{url}&options=", corpus, filters)
        yield plain


async def widen(plain: PlainPgvector, stack: AsyncExitStack, url: str, corpus: Corpus, filters: Filters) -> None:
    """Widen the search until it reaches the recall. By default, it misses more than a twentieth."""
    condition, values = build_where(filters)
    before = 0.0
    for width in _WIDTHS:
        opening = open_database(url + quote(f"-c hnsw.ef_search={width} {_WALKED_ON}"), get_pgvector_home(corpus.size))
        database = await opening.__aenter__()
        count = f"SELECT count(*) FROM ({_PASSING.replace(':where', condition)}) passing"
        is_few = as_int((await database.fetch(count, values))[0][0]) <= _FEW
        plain.sessions[filters] = Session(database, is_few)
        found = await recall(plain, corpus, filters)
        print(
            f"Plain vector query on PostgreSQL, {describe_filters(filters)}, width {width}: recall {found:.3f}",
            flush=True,
        )
        if found >= RECALL or found < before + _WORTH or width == _WIDTHS[-1]:
            stack.push_async_exit(opening)
            return
        before = found
        await opening.__aexit__(None, None, None)


async def recall(plain: PlainPgvector, corpus: Corpus, filters: Filters) -> float:
    asked = corpus.make_queries(QUERIES)
    best = find_nearest(corpus, asked, filters)
    # Positions start at 1.
    found = [{row - 1 for row in await plain.search_vectors(vector, filters)} for _, vector in asked]
    return sum(len(some & set(rows)) for some, rows in zip(found, best, strict=True)) / sum(map(len, best))
