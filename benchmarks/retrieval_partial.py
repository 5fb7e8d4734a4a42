"""Quality while a corpus is being embedded: nDCG@10 on SciFact with 0, 1, 10, 50, 90 and 100 of 100 documents embedded,
against words alone.

It uses the home of retrieval_quality: vectors are stored by text, so that each is embedded once. Each share has a
namespace of its own, with the documents in an order by hash, so that the embedded ones are a fair sample.
"""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from pathlib import Path

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_library import get_cached_home, opened_library
from benchmarks.retrieval_quality import DEPTH, compute_ndcg, fill, read_judgements, read_rows
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.search import Library, SearchMode, SearchQuery

SET = "scifact"
SHARES = (0, 1, 10, 50, 90, 100)


def run() -> Result:
    """Return the lowest nDCG of all shares, beside that of words alone."""
    figures = asyncio.run(measure(get_cached_home("retrieval_quality")))
    return judge_ratio("retrieval_partial", min(figures["hybrid"].values()), figures["words"][100], (">=", 1.0))


async def measure(home: Path) -> dict[str, dict[int, float]]:
    async with opened_library(home) as library:
        await fill(library, SET)
        names = {share: await fill_partly(library, share) for share in SHARES}
        figures = {
            "words": {100: await measure_ndcg(library, names[100], "bm25")},
            "hybrid": {share: await measure_ndcg(library, name, "hybrid") for share, name in names.items()},
        }
    print(json.dumps(figures))
    return figures


async def fill_partly(library: Library, share: int) -> str:
    """Add the documents with this share of 100 embedded, and return the namespace."""
    name = f"{SET}_{share}"
    await library.declare(name)
    rows = sorted(read_rows(SET, "corpus"), key=lambda row: sha256(row["id"].encode()).digest())
    if await library.count(name) < len(rows):
        documents = [Document(row["id"], (DocumentText(row["title"], 2), DocumentText(row["text"]))) for row in rows]
        await library.add(name, documents, embed=False)
    missing = await library.count_unembedded(name) - round(len(rows) * (100 - share) / 100)
    await library.embed_missing(name, limit=max(0, missing))
    return name


async def measure_ndcg(library: Library, name: str, mode: SearchMode) -> float:
    relevant, queries = read_judgements(SET), read_rows(SET, "queries")
    gained = 0.0
    for row in queries:
        result = await library.search(SearchQuery(row["text"], name, mode, limit=DEPTH))
        gained += compute_ndcg([hit.id for hit in result.hits], relevant[row["id"]])
    return round(gained / len(queries), 4)


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
