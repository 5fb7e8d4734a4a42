"""A corpus that is partly embedded is searched no worse than by words alone, on a part of SciFact with the real models.
`benchmarks/retrieval_partial.py` measures the whole set."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.search import Library, SearchMode, SearchQuery

DATA = Path(__file__).parents[3] / "shared" / "data" / "retrieval" / "scifact"
CLAIMS, DISTRACTORS = 60, 140
SHARES = (0, 1, 10, 50, 90, 100)
# So few claims move by chance: one relevant paper that changes places with its neighbour moves the mean by this much.
CHANCE = 0.006

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="SciFact is not here")


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def choose_part() -> tuple[list[Document], dict[str, dict[str, int]]]:
    """Return the papers of some claims beside others, in the order of the file, and the papers of each claim."""
    judged: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in (DATA / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        claim, paper, grade = line.split("\t")
        judged[claim][paper] = int(grade)
    claims = {row["text"]: judged[row["id"]] for row in read_lines("queries.jsonl")[::5][:CLAIMS]}
    wanted = {paper for papers in claims.values() for paper in papers}
    corpus = read_lines("corpus.jsonl")
    others = {row["id"] for row in corpus[:: len(corpus) // DISTRACTORS]}
    chosen = [row for row in corpus if row["id"] in wanted | others]
    return [Document(row["id"], (DocumentText(row["title"], 2), DocumentText(row["text"]))) for row in chosen], claims


async def measure(library: Library, name: str, mode: SearchMode, claims: dict[str, dict[str, int]]) -> float:
    total = 0.0
    for text, judged in claims.items():
        hits = (await library.search(SearchQuery(text, name, mode))).hits
        gained = sum(judged.get(hit.id, 0) / math.log2(rank + 2) for rank, hit in enumerate(hits))
        total += gained / sum(1 / math.log2(rank + 2) for rank in range(len(judged)))
    return total / len(claims)


async def test_every_vector_helps_and_none_harms(home: Path) -> None:
    documents, claims = choose_part()
    async with sanya.open(home) as app:
        library = await app.library()
        found = {}
        for share in SHARES:
            name = f"part{share}"
            await library.declare(name)
            await library.add(name, documents, embed=False)
            await library.embed_missing(name, limit=round(len(documents) * share / 100))
            found[share] = await measure(library, name, "hybrid", claims)
        words = await measure(library, "part100", "bm25", claims)
    assert found[0] == words
    assert found[100] > words
    for before, share in pairwise(SHARES):
        assert found[share] >= max(words, found[before]) - CHANCE, found
