"""fastembed models from its cache, which the test fills with a tiny one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from sanya.engines.embedders.batch_runner import BatchEmbedder
from sanya.engines.embedders.fastembed_models import open_fastembed
from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.retrieval.embedding import Matrix, Model, check_vectors
from tests.engines.embedders.tiny_model import DIM, write_model

NAME = "BAAI/bge-small-en-v1.5"
COMMIT = "0" * 40


def cache_with_model(cache: Path) -> Path:
    """Lay out the cache like the hub's library does."""
    kept = cache / "models--qdrant--bge-small-en-v1.5-onnx-q"
    write_model(kept / "snapshots" / COMMIT, "model_optimized.onnx")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(COMMIT)
    return cache


async def test_a_model_in_the_cache_embeds_in_order_and_normalised(tmp_path: Path) -> None:
    embedder = await open_fastembed(NAME, cache_with_model(tmp_path))
    texts = [f"heart {'rice ' * (n % 5)}" for n in range(50)]
    rows = check_vectors(await embedder.embed(texts), texts, embedder.model)
    alone = (await embedder.embed([texts[7]]))[0]
    assert rows.shape == (50, DIM) and np.allclose(rows[7], alone, atol=1e-5)
    assert (await embedder.embed([texts[7]])) is (await embedder.embed([texts[7]]))
    assert len(embedder.model.digest) == 64
    embedder.close()


async def test_a_model_that_is_not_here_is_not_fetched_and_the_fault_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="sanya models install fastembed:"):
        await open_fastembed(NAME, tmp_path)
    with pytest.raises(InvalidArgument, match="does not know"):
        await open_fastembed("nobody/nothing", tmp_path)


async def test_without_the_extra_the_fault_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.engines.embedders.fastembed_models.find_spec", lambda _: None)
    with pytest.raises(Unavailable, match=r"pip install 'sanya\[fastembed\]'"):
        await open_fastembed(NAME, tmp_path)


async def test_a_caller_that_goes_away_stops_the_batches_not_yet_begun() -> None:
    begun, gate, calls = Event(), Event(), 0

    def encode(texts: object) -> Matrix:
        nonlocal calls
        calls += 1
        begun.set()
        gate.wait(10)
        return np.ones((16, 1), dtype=np.float32)

    embedder = BatchEmbedder(Model("slow", 1, "d"), encode)
    task = asyncio.create_task(embedder.embed(["x"] * 16 * 200))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.set()
    embedder.close()
    assert calls < 200
