"""The graph is the same however it was built: in one go, over many starts, by a reader or by the deriving process."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded import vector_space as vectors
from sanya.engines.index.embedded.graph import FIRST_ROWS, NeighbourGraph, compute_next_size
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.embedded.vector_space import EXACT_ROWS, VectorSpace
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import EmbeddedRow, IndexEntry
from tests.engines.index.conftest import DIM, SPACES, make_vector, probe_vector, read_answer, read_words
from tests.long_form import often

# Beyond the second power of two, where fixed sizes double; in the long form beyond the third.
ROWS = often(9_000, 21_000)


def make_rows(count: int = ROWS) -> Matrix:
    found = np.random.default_rng(2).standard_normal((count, DIM)).astype(np.float32)
    normal: Matrix = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
    return normal


def build(file: Path, found: Matrix, seed: int | None) -> NeighbourGraph:
    """Build in one go, or with a seed in pieces of random size, sometimes after a restart."""
    chooser = random.Random(seed)
    graph = NeighbourGraph(file, DIM)
    while (done := len(graph)) < len(found):
        size = len(found) if seed is None else chooser.choice([1, 7, 300, 5000])
        end = min(done + max(size, FIRST_ROWS if not done else 0), len(found))
        graph.add(np.arange(done, end) + 1, found[done:end], keep=chooser.random() < 0.7)
        if seed is not None and chooser.random() < 0.05:
            graph = NeighbourGraph(file, DIM)
    return graph


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> NeighbourGraph:
    """Return the graph built in one go."""
    return build(tmp_path_factory.mktemp("whole") / "whole.graph", make_rows(), None)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_graph_built_in_pieces_over_many_starts_is_that_built_in_one_go(
    whole: NeighbourGraph, tmp_path: Path, seed: int
) -> None:
    pieces = build(tmp_path / "pieces.graph", make_rows(), seed)
    assert len(whole) == len(pieces) == ROWS
    for asked in range(50):
        assert whole.search(make_vector(asked), 30).tolist() == pieces.search(make_vector(asked), 30).tolist()


def test_fixed_sizes_hold_every_power_of_two_beyond_the_first() -> None:
    size, sizes = 0, []
    while size < 2_000_000:
        sizes.append(size := compute_next_size(size))
    assert {1 << n for n in range(12, 21)} <= set(sizes)
    assert len(sizes) < 150


def test_a_graph_grows_a_little_with_each_change_before_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, needed = FIRST_ROWS + 200, FIRST_ROWS + 400
    monkeypatch.setattr(vectors, "_GRAPH_START_ROWS", begun)
    monkeypatch.setattr(vectors, "EXACT_ROWS", needed)
    found = make_rows(needed + 1)
    space = VectorSpace(tmp_path, "meaning", DIM)
    space.write(1, dict(enumerate(found, 1)), len(found))
    arrivals = np.arange(1, len(found) + 1)
    sizes = []
    for count in range(begun, needed + 1):
        space.load(count, arrivals, count, keep=True)
        sizes.append(len(space._graph) if space._graph else 0)
        if count % 50 == 0:
            best = np.argsort(-(found[:count] @ make_vector(count)))[:20] + 1
            assert sorted(space.find_nearest(make_vector(count), 20).tolist()) == sorted(best.tolist())
    assert sizes[:2] == [0, FIRST_ROWS]
    assert max(np.diff(sizes[1:])) <= vectors._GROW_STEP
    assert sizes[-1] == needed
    space.load(len(found), arrivals, len(found), keep=True)
    at_once = build(tmp_path / "other.graph", found, None)
    assert space.find_nearest(make_vector(7), 30).tolist() == at_once.search(make_vector(7), 30).tolist()


async def test_a_rebuilt_index_with_a_graph_answers_the_same(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some vectors arrive late, some rows end, and the index restarts in between."""
    needed = often(FIRST_ROWS + 2000, EXACT_ROWS)
    monkeypatch.setattr(vectors, "_GRAPH_START_ROWS", needed - FIRST_ROWS // 2)
    monkeypatch.setattr(vectors, "EXACT_ROWS", needed)
    found = make_rows(needed + 3000)
    entries = [
        IndexEntry(
            Document(f"d{n}", (DocumentText(f"t{n}"),)),
            "en",
            {} if n % 3 == 0 else {"meaning": found[n]},
            awaits_vectors=n % 3 == 0,
        )
        for n in range(len(found))
    ]
    probes = [probe_vector(make_vector(n), pool=20) for n in range(20)]
    async with open_database("", home) as database:
        for start in range(0, len(entries), 3000):
            async with open_embedded(database, home / "index", read_words) as index:
                await index.declare("notes", SPACES)
                await index.upsert("notes", entries[start : start + 3000])
                waiting = await index.list_unembedded("notes", 900)
                given = [EmbeddedRow(row, {"meaning": found[int(row.document.id[1:])]}) for row in waiting]
                await index.give_vectors("notes", given)
                await index.delete("notes", [f"d{start + 1}"])
        async with (
            open_embedded(database, home / "index", read_words) as index,
            open_embedded(database, home / "index", read_words) as reader,
        ):
            before = [await read_answer(await index.search(probe)) for probe in probes]
            assert [await read_answer(await reader.search(probe)) for probe in probes] == before
            assert (home / "index" / "notes" / "en" / "meaning.graph").exists()
            await index.rebuild("notes")
            assert [await read_answer(await index.search(probe)) for probe in probes] == before
