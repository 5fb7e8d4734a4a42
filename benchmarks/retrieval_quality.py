"""Quality of the search: nDCG@10 on the available data sets, with one pipeline and one configuration for all.

Documents and vectors are cached in .cache, so that they are embedded once.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_library import get_cached_home, opened_library
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.search import Library, SearchQuery

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data" / "retrieval"


AT_LEAST = {"scifact": 0.74, "xquad_th_th": 0.975, "xquad_th_en": 0.87, "xquad_en_th": 0.87}
MODES = ("bm25", "semantic", "hybrid")
DEPTH = 10
DOCUMENTS_AT_ONCE = 200


def run() -> Result:
    """Return the nDCG@10 of the set with the lowest ratio to its goal."""
    figures = asyncio.run(measure(get_cached_home("retrieval_quality")))
    worst = min(AT_LEAST, key=lambda name: figures[name]["hybrid"]["ndcg"] / AT_LEAST[name])
    return judge_ratio("retrieval_quality", figures[worst]["hybrid"]["ndcg"], AT_LEAST[worst], (">=", 1.0))


async def measure(home: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    async with opened_library(home) as library:
        print(f"{'set':14}" + "".join(f"{mode:>18}" for mode in MODES) + f"{'at least':>10}{'ms/query':>12}")
        for name, least in AT_LEAST.items():
            await fill(library, name)
            figures[name] = await measure_set(library, name)
            modes = [figures[name][mode] for mode in MODES]
            cells = "".join(f"{mode['ndcg']:>10.4f} ({mode['recall']:.3f})" for mode in modes)
            print(f"{name:14}{cells}{least:>10.3f}{figures[name]['ms']:>12.1f}", flush=True)
    return figures


async def fill(library: Library, name: str) -> None:
    await library.declare(name)
    documents = [
        Document(
            row["id"],
            (DocumentText(row["title"], 2), DocumentText(row["text"]))
            if row["title"]
            else (DocumentText(row["text"]),),
        )
        for row in read_rows(name, "corpus")
    ]
    have = await library.count(name)
    for start in range(have, len(documents), DOCUMENTS_AT_ONCE):
        await library.add(name, documents[start : start + DOCUMENTS_AT_ONCE])


async def measure_set(library: Library, name: str) -> dict[str, Any]:
    relevant = read_judgements(name)
    queries = read_rows(name, "queries")
    figures: dict[str, Any] = {}
    for mode in MODES:
        begun = time.perf_counter()
        gains = recalls = 0.0
        for row in queries:
            found = await library.search(SearchQuery(row["text"], name, mode=mode, limit=DEPTH))  # type: ignore[arg-type]
            ids = [hit.id for hit in found.hits]
            gains += compute_ndcg(ids, relevant[row["id"]])
            recalls += len(set(ids) & set(relevant[row["id"]])) / len(relevant[row["id"]])
        figures[mode] = {"ndcg": round(gains / len(queries), 4), "recall": round(recalls / len(queries), 4)}
        figures["ms"] = round((time.perf_counter() - begun) / len(queries) * 1000, 2)
    return figures


def read_judgements(name: str) -> dict[str, dict[str, int]]:
    """Return the relevance grades of documents, by query."""
    relevant: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (DATA / name / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, grade = line.split("\t")
        relevant[query][document] = int(grade)
    return relevant


def compute_ndcg(ids: list[str], relevant: dict[str, int]) -> float:
    gained = sum(relevant.get(id, 0) / math.log2(rank + 2) for rank, id in enumerate(ids[:DEPTH]))
    best = sorted(relevant.values(), reverse=True)[:DEPTH]
    return gained / sum(grade / math.log2(rank + 2) for rank, grade in enumerate(best))


def read_rows(name: str, part: str) -> list[dict[str, str]]:
    lines = (DATA / name / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
