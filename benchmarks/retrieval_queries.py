"""Queries and filters that every search engine answers, and the exact results to compare with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import orjson

from benchmarks.retrieval_corpus import MODEL, ROWS_AT_ONCE, Corpus
from benchmarks.retrieval_library import CACHE
from benchmarks.retrieval_peers import DEPTH
from sanya.retrieval.documents import Between, Equals, Filter
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Index, Probe
from sanya.retrieval.language_search import ENGLISH

QUERIES = 200
FILTERS: tuple[tuple[Filter, ...], ...] = (
    (),
    (Between("year", 2010, 2019),),
    (Equals("journal", "Journal 7"),),
    (Between("year", 2000, 2019), Equals("journal", "Journal 7")),
)
Asked = Sequence[tuple[str, Matrix]]


class PrecomputedEmbedder:
    """Embedder with precomputed query vectors, because the search is measured and not the embedding."""

    model = MODEL

    def __init__(self, vectors: dict[str, Matrix]) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([self._vectors[text] for text in texts])


def describe_filters(filters: tuple[Filter, ...]) -> str:
    return " and ".join(condition.field for condition in filters) or "no filter"


async def measure_recalls(index: Index, corpus: Corpus, queries: Asked) -> dict[str, float]:
    """Return the recall of the vector search for each filter, against an exact scan of the matching rows."""
    found: dict[str, float] = {}
    for filters in FILTERS:
        best, hits, of = find_nearest(corpus, queries, filters), 0, 0
        for at, (_, vector) in enumerate(queries):
            candidates = await index.search(Probe("speed", "en", {}, {ENGLISH: vector}, filters=filters, pool=50))
            order = np.argsort(-(candidates.vectors[ENGLISH] @ vector))[:DEPTH]
            hits += len({int(id[1:]) for id in await candidates.fetch_ids(order.tolist())} & set(best[at]))
            of += len(best[at])
        found[describe_filters(filters)] = hits / of if of else 1.0
    return found


def find_nearest(corpus: Corpus, queries: Asked, filters: tuple[Filter, ...]) -> list[list[int]]:
    """Return the nearest rows by an exact scan. The result is cached, because a million rows take minutes."""
    kept = CACHE / f"retrieval_nearest-{corpus.size}" / f"{len(queries)} {describe_filters(filters)}.json"
    if kept.exists():
        known: list[list[int]] = orjson.loads(kept.read_bytes())
        return known
    asked = np.array([vector for _, vector in queries])
    scores = np.full((len(queries), 0), -1.0, dtype=np.float32)
    rows = np.empty((len(queries), 0), dtype=np.int64)
    for start in range(0, corpus.size, ROWS_AT_ONCE):
        block = corpus.make_vectors(start, min(start + ROWS_AT_ONCE, corpus.size))
        passing = np.flatnonzero(corpus.mask_rows(start, len(block), filters))
        scores = np.hstack([scores, asked @ block[passing].T])
        rows = np.hstack([rows, np.broadcast_to(start + passing, (len(queries), len(passing)))])
        keep = np.argsort(-scores, axis=1)[:, :DEPTH]
        scores, rows = np.take_along_axis(scores, keep, 1), np.take_along_axis(rows, keep, 1)
    found = [[int(row) for row in each] for each in rows]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(orjson.dumps(found))
    return found
