"""How good `rag.search` is: nDCG@10 on SciFact, its documents stored as papers and its claims put to the tool, beside
the goal for that set. What the tool adds to the shared search is left out in turn, and last all of it.

The home is that of retrieval_quality, so that a text is embedded once for both. The set's ids are not PubMed's: a
document gets a number far beyond those that PubMed has given, in that home alone. The set knows no dates, journals or
types, so quality and recency have nothing to raise here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.result import Result, judged
from benchmarks.retrieval_library import cached_home
from benchmarks.retrieval_quality import AT_LEAST, DEPTH, judgements, ndcg, rows
from sanya.app import App, open_beside
from sanya.retrieval.search import SearchQuery
from sanya.settings import load_settings
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.pubmed.record import PaperRecord, Section
from sanya.suites.papers.store import PaperStore

SET = "scifact"
FIRST_ID = 9_800_000_001
PAPERS_AT_ONCE = 500
CHUNKS_A_PAPER = 3
AS_IT_COMES = "as it comes"
WAYS: dict[str, dict[str, Any]] = {
    AS_IT_COMES: {},
    "enhance_query off": {"enhance_query": False},
    "rerank_by_quality off": {"rerank_by_quality": False},
    "words": {"search_mode": "bm25"},
    "words, enhance_query off": {"search_mode": "bm25", "enhance_query": False},
    "meaning": {"search_mode": "semantic"},
}

Finds = Callable[[str], Awaitable[list[str]]]


def run() -> Result:
    figures = asyncio.run(measure(cached_home("retrieval_quality")))
    return judged("papers_quality", figures[AS_IT_COMES], AT_LEAST[SET], (">=", 1.0))


async def measure(home: Path) -> dict[str, float]:
    # Unrecorded: what is asked here would fill the home's ledger.
    async with open_beside(load_settings({"home": home}), recorded=False) as app:
        await fill(app)
        ways = {name: through_the_tool(app, given) for name, given in WAYS.items()}
        ways["the shared search alone"] = without_the_tool(app)
        figures = {}
        for name, finds in ways.items():
            gains = await gains_of(finds)
            figures[name] = sum(gains.values()) / len(gains)
            print(f"{name:26}{figures[name]:>8.4f}", flush=True)
    print(f"{'at least':26}{AT_LEAST[SET]:>8.4f}")
    return figures


async def fill(app: App) -> None:
    shelf = PaperIndex(app.library, app.database)
    store = PaperStore(app.database, shelf)
    await shelf.prepare()
    records = [paper(place, row) for place, row in enumerate(rows(SET, "corpus"))]
    for start in range(0, len(records), PAPERS_AT_ONCE):
        async with app.database.transaction() as transaction:
            await store.upsert_pubmed_docs(records[start : start + PAPERS_AT_ONCE], transaction)
    await shelf.refresh()
    await shelf.embed_missing()


def paper(place: int, row: dict[str, str]) -> PaperRecord:
    return PaperRecord(pmid=str(FIRST_ID + place), title=row["title"], sections=(Section(None, None, row["text"]),))


def through_the_tool(app: App, given: dict[str, Any]) -> Finds:
    async def finds(query: str) -> list[str]:
        answer = await app.call("rag.search", {"query": query, "top_k": DEPTH, **given})
        return [document["pmid"] for document in answer["documents"]]

    return finds


def without_the_tool(app: App) -> Finds:
    async def finds(query: str) -> list[str]:
        library = await app.library()
        found = await library.search(SearchQuery(query, NAMESPACE, limit=DEPTH * CHUNKS_A_PAPER))
        chunks = await library.fetch_documents(NAMESPACE, [hit.id for hit in found.hits])
        return list(dict.fromkeys(str(chunks[hit.id].fields["pmid"]) for hit in found.hits))[:DEPTH]

    return finds


async def gains_of(finds: Finds) -> dict[str, float]:
    """The nDCG of each query."""
    ids = {str(FIRST_ID + place): row["id"] for place, row in enumerate(rows(SET, "corpus"))}
    relevant = judgements(SET)
    return {
        row["id"]: ndcg([ids[position] for position in await finds(row["text"])], relevant[row["id"]])
        for row in rows(SET, "queries")
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
