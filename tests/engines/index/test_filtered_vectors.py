"""Filters keep recall, also above the number of rows that are compared one by one."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.embedded.partition import SELECTIVE_ROWS
from sanya.engines.index.embedded.vector_space import EXACT_ROWS
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Between, Document, DocumentText, Equals, Filter
from sanya.retrieval.index import Index, IndexEntry
from tests.engines.index.conftest import DIM, SPACES, list_ids, make_vector, probe_vector, read_words

ROWS = EXACT_ROWS + 4000
FILTERS: list[tuple[Filter, ...]] = [
    (),
    (Equals("journal", "rare"),),
    (Between("number", 100, 3000),),
    (Between("number", 1000, ROWS - 1100),),
    (Between("number", 5, 900), Equals("journal", "rare")),
]


def open_index(kind: str, database: Database, folder: Path) -> AbstractAsyncContextManager[Index]:
    if kind == "embedded":
        return open_embedded(database, folder, read_words)
    return open_postgresql_index(database, read_words)


def mask_allowed(filters: tuple[Filter, ...], numbers: np.ndarray) -> np.ndarray:
    keep = np.ones(len(numbers), dtype=bool)
    for filter in filters:
        match filter:
            case Equals():
                keep &= numbers % 50 == 0
            case Between(_, least, most):
                keep &= (numbers >= (least or 0)) & (numbers <= (most or 0))
    return keep


@pytest.mark.parametrize("kind", ["embedded", "pgvector"])
async def test_a_filtered_search_returns_what_comparing_everything_would(
    request: pytest.FixtureRequest, home: Path, kind: str
) -> None:
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((40, DIM))
    rows = (centres[rng.integers(0, 40, ROWS)] + rng.standard_normal((ROWS, DIM))).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    entries = [
        IndexEntry(
            Document(
                f"d{n}", (DocumentText(f"text {n}"),), {"number": n, "journal": "rare" if n % 50 == 0 else "common"}
            ),
            "en",
            {"meaning": rows[n]},
        )
        for n in range(ROWS)
    ]
    url = "" if kind == "embedded" else str(request.getfixturevalue("postgresql_url"))
    async with open_database(url, home) as database, open_index(kind, database, home / "index") as index:
        await index.declare("notes", SPACES)
        await index.upsert("notes", entries)
        await index.refresh()
        if isinstance(index, PostgresqlIndex):
            await index.graphs.wait()
        for filters in FILTERS:
            keep = np.flatnonzero(mask_allowed(filters, np.arange(ROWS)))
            assert await index.count("notes", filters) == len(keep)
            recalls = []
            for seed in range(20):
                vector = make_vector(seed)
                best = keep[np.argsort(-(rows[keep] @ vector))[:10]]
                found = await index.search(probe_vector(vector, filters=filters))
                order = np.argsort(-(found.vectors["meaning"] @ vector))[:10]
                recalls.append(
                    len({f"d{n}" for n in best} & set(await found.fetch_ids(order.tolist()))) / max(1, len(best))
                )
            # Few rows are compared one by one, which is exact; a broad filter uses the graph.
            least = 1.0 if filters and len(keep) <= SELECTIVE_ROWS else 0.95
            assert float(np.mean(recalls)) >= least, (filters, np.mean(recalls))
        for removed in (20, 4000):
            await index.delete("notes", [f"d{n}" for n in range(removed)])
            for filters in FILTERS:
                assert await index.count("notes", filters) == mask_allowed(filters, np.arange(ROWS))[removed:].sum()


@pytest.mark.parametrize("kind", ["embedded", "pgvector"])
async def test_a_broad_filter_finds_the_nearest_where_rows_are_compared_one_by_one(
    request: pytest.FixtureRequest, home: Path, kind: str
) -> None:
    count, filters = 5000, (Between("number", 500, 4499),)
    rows = np.array([make_vector(n) for n in range(count)])
    entries = [
        IndexEntry(Document(f"d{n}", (DocumentText(f"text {n}"),), {"number": n}), "en", {"meaning": row})
        for n, row in enumerate(rows)
    ]
    url = "" if kind == "embedded" else str(request.getfixturevalue("postgresql_url"))
    async with open_database(url, home) as database, open_index(kind, database, home / "index") as index:
        await index.declare("notes", SPACES)
        await index.upsert("notes", entries)
        await index.refresh()
        for seed in range(count, count + 20):
            vector = make_vector(seed)
            best = 500 + np.argsort(-(rows[500:4500] @ vector))[:10]
            found = set(await list_ids(await index.search(probe_vector(vector, filters=filters))))
            assert {f"d{n}" for n in best} <= found


async def test_a_graph_saved_on_closing_serves_the_next_start(home: Path) -> None:
    rows = np.array([make_vector(n) for n in range(EXACT_ROWS + 50)])
    entries = [
        IndexEntry(Document(f"d{n}", (DocumentText(f"t{n}"),)), "en", {"meaning": row}) for n, row in enumerate(rows)
    ]
    probe = probe_vector(rows[77], pool=5)
    async with open_database("", home) as database:
        async with open_embedded(database, home / "index", read_words) as index:
            await index.declare("notes", SPACES)
            await index.upsert("notes", entries)
            assert "d77" in await list_ids(await index.search(probe))
        assert (home / "index" / "notes" / "en" / "meaning.graph").exists()
        async with open_embedded(database, home / "index", read_words) as index:
            await index.upsert(
                "notes", [IndexEntry(Document("new", (DocumentText("new"),)), "en", {"meaning": rows[77]})]
            )
            assert {"d77", "new"} <= set(await list_ids(await index.search(probe)))


@pytest.mark.parametrize("pool", [1, 100])
async def test_a_pool_larger_than_the_shelf_returns_all_of_it(home: Path, pool: int) -> None:
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        await index.upsert(
            "notes", [IndexEntry(Document("a", (DocumentText("x"),)), "en", {"meaning": make_vector(1)})]
        )
        assert await list_ids(await index.search(probe_vector(make_vector(2), pool=pool))) == ["a"]
