"""The graph is the same however it came to be: in one go, over many starts, in a reader or in the one that derives."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded import open_embedded
from sanya.engines.index.graph import FIRST_ROWS, NeighbourGraph, next_size
from sanya.engines.index.vectors import EXACT_ROWS
from sanya.retrieval.documents import Document, Text
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import Embedded, Entry
from tests.engines.index.conftest import DIM, SPACES, answer, meaning_probe, read_words, unit

ROWS = 21_000


def rows(count: int = ROWS) -> Matrix:
    found = np.random.default_rng(2).standard_normal((count, DIM)).astype(np.float32)
    normal: Matrix = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
    return normal


def build(file: Path, vectors: Matrix, seed: int | None) -> NeighbourGraph:
    """Without a seed in one go; with one, in pieces of any size, now and then by a process that starts anew."""
    chooser = random.Random(seed)
    graph = NeighbourGraph(file, DIM)
    while (done := len(graph)) < len(vectors):
        size = len(vectors) if seed is None else chooser.choice([1, 7, 300, 5000])
        end = min(done + max(size, FIRST_ROWS if not done else 0), len(vectors))
        graph.add(np.arange(done, end) + 1, vectors[done:end], keep=chooser.random() < 0.7)
        if seed is not None and chooser.random() < 0.05:
            graph = NeighbourGraph(file, DIM)
    return graph


@pytest.mark.parametrize("seed", [1, 2])
def test_a_graph_built_in_pieces_over_many_starts_is_that_built_in_one_go(tmp_path: Path, seed: int) -> None:
    vectors = rows()
    whole, pieces = build(tmp_path / "whole.graph", vectors, None), build(tmp_path / "pieces.graph", vectors, seed)
    assert len(whole) == len(pieces) == ROWS
    for asked in range(50):
        assert whole.search(unit(asked), 30).tolist() == pieces.search(unit(asked), 30).tolist()


def test_fixed_sizes_hold_every_power_of_two_beyond_the_first() -> None:
    size, sizes = 0, []
    while size < 2_000_000:
        sizes.append(size := next_size(size))
    assert {1 << n for n in range(12, 21)} <= set(sizes)
    assert len(sizes) < 150


async def test_a_rebuilt_index_with_a_graph_answers_the_same(home: Path) -> None:
    """Some vectors come late, some starts lie between, some rows end."""
    vectors = rows(EXACT_ROWS + 3000)
    entries = [
        Entry(
            Document(f"d{n}", (Text(f"t{n}"),)),
            "en",
            {} if n % 3 == 0 else {"meaning": vectors[n]},
            awaits_vectors=n % 3 == 0,
        )
        for n in range(len(vectors))
    ]
    probes = [meaning_probe(unit(n), pool=20) for n in range(20)]
    async with open_database("", home) as database:
        for start in range(0, len(entries), 3000):
            async with open_embedded(database, home / "index", read_words) as index:
                await index.declare("shelf", SPACES)
                await index.upsert("shelf", entries[start : start + 3000])
                waiting = await index.unembedded("shelf", 900)
                given = [Embedded(row, {"meaning": vectors[int(row.document.id[1:])]}) for row in waiting]
                await index.give_vectors("shelf", given)
                await index.delete("shelf", [f"d{start + 1}"])
        async with (
            open_embedded(database, home / "index", read_words) as index,
            open_embedded(database, home / "index", read_words) as reader,
        ):
            before = [await answer(await index.search(probe)) for probe in probes]
            assert [await answer(await reader.search(probe)) for probe in probes] == before
            assert (home / "index" / "shelf" / "en" / "meaning.graph").exists()
            await index.rebuild("shelf")
            assert [await answer(await index.search(probe)) for probe in probes] == before
