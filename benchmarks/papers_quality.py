"""Quality of `rag.search`: nDCG@10 on SciFact, with its documents stored as papers, against the goal for that set. The
run also measures each option of the tool switched off, and the shared search without the tool.

It uses the home of retrieval_quality, so that each text is embedded once for both. SciFact has no PubMed ids, so each
document gets a number far above those in use. It has no dates, journals or types either, so ranking by quality and
recency has no effect.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_library import get_cached_home
from benchmarks.retrieval_quality import AT_LEAST, DEPTH, compute_ndcg, read_judgements, read_rows
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
DEFAULT_OPTIONS = "default options"
VARIANTS: dict[str, dict[str, Any]] = {
    DEFAULT_OPTIONS: {},
    "enhance_query off": {"enhance_query": False},
    "rerank_by_quality off": {"rerank_by_quality": False},
    "words": {"search_mode": "bm25"},
    "words, enhance_query off": {"search_mode": "bm25", "enhance_query": False},
    "meaning": {"search_mode": "semantic"},
}

Find = Callable[[str], Awaitable[list[str]]]


def run() -> Result:
    figures = asyncio.run(measure(get_cached_home("retrieval_quality")))
    return judge_ratio("papers_quality", figures[DEFAULT_OPTIONS], AT_LEAST[SET], (">=", 1.0))


async def measure(home: Path) -> dict[str, float]:
    # Do not record calls: they would fill the ledger of the home.
    async with open_beside(load_settings({"home": home}), recorded=False) as app:
        await fill(app)
        variants = {name: make_tool_find(app, options) for name, options in VARIANTS.items()}
        variants["shared search only"] = make_shared_find(app)
        figures = {}
        for name, find in variants.items():
            gains = await compute_gains(find)
            figures[name] = sum(gains.values()) / len(gains)
            print(f"{name:26}{figures[name]:>8.4f}", flush=True)
    print(f"{'at least':26}{AT_LEAST[SET]:>8.4f}")
    return figures


async def fill(app: App) -> None:
    paper_index = PaperIndex(app.library, app.database)
    store = PaperStore(app.database, paper_index)
    await paper_index.prepare()
    records = [make_paper(place, row) for place, row in enumerate(read_rows(SET, "corpus"))]
    for start in range(0, len(records), PAPERS_AT_ONCE):
        async with app.database.transaction() as transaction:
            await store.upsert_pubmed_docs(records[start : start + PAPERS_AT_ONCE], transaction)
    await paper_index.refresh()
    await paper_index.embed_missing()


def make_paper(place: int, row: dict[str, str]) -> PaperRecord:
    return PaperRecord(pmid=str(FIRST_ID + place), title=row["title"], sections=(Section(None, None, row["text"]),))


def make_tool_find(app: App, options: dict[str, Any]) -> Find:
    async def find(query: str) -> list[str]:
        answer = await app.call("rag.search", {"query": query, "top_k": DEPTH, **options})
        return [document["pmid"] for document in answer["documents"]]

    return find


def make_shared_find(app: App) -> Find:
    async def find(query: str) -> list[str]:
        library = await app.library()
        found = await library.search(SearchQuery(query, NAMESPACE, limit=DEPTH * CHUNKS_A_PAPER))
        chunks = await library.fetch_documents(NAMESPACE, [hit.id for hit in found.hits])
        return list(dict.fromkeys(str(chunks[hit.id].fields["pmid"]) for hit in found.hits))[:DEPTH]

    return find


async def compute_gains(find: Find) -> dict[str, float]:
    """Return the nDCG of each query, by id."""
    ids = {str(FIRST_ID + place): row["id"] for place, row in enumerate(read_rows(SET, "corpus"))}
    relevant = read_judgements(SET)
    return {
        row["id"]: compute_ndcg([ids[position] for position in await find(row["text"])], relevant[row["id"]])
        for row in read_rows(SET, "queries")
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
