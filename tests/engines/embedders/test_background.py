"""Large batches are embedded in a process of their own, which the server neither needs nor leaves behind."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import AsyncIterator

import numpy as np
import pytest

from sanya.engines.embedders.background import BackgroundEmbedder, EmbeddingProcess
from sanya.engines.embedders.local import LocalEmbedder
from sanya.engines.embedders.offline import create_offline_embedders
from sanya.retrieval.language_search import ENGLISH

TEXTS = [f"turmeric in {number} adults \ud800 ขมิ้นชัน" for number in range(40)]


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return create_offline_embedders()[ENGLISH]


@pytest.fixture
async def process() -> AsyncIterator[EmbeddingProcess]:
    opened = EmbeddingProcess()
    yield opened
    await opened.close()


async def test_the_process_makes_the_vectors_that_threads_make(local: LocalEmbedder, process: EmbeddingProcess) -> None:
    embedder = BackgroundEmbedder(local, ENGLISH, process)
    rows = await embedder.embed(TEXTS)
    assert process.pid is not None
    assert np.allclose(rows, await local.embed(TEXTS), atol=1e-4)
    assert rows.flags.writeable


async def test_a_question_starts_no_process(local: LocalEmbedder, process: EmbeddingProcess) -> None:
    await BackgroundEmbedder(local, ENGLISH, process).embed(TEXTS[:8])
    assert process.pid is None


async def test_a_batch_is_embedded_although_the_process_was_killed(
    local: LocalEmbedder, process: EmbeddingProcess, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = BackgroundEmbedder(local, ENGLISH, process)
    expected = await embedder.embed(TEXTS)
    killed = process.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    assert np.allclose(await embedder.embed(TEXTS), expected, atol=1e-4)
    assert "the embedding process failed" in caplog.text
    assert np.allclose(await embedder.embed(TEXTS), expected, atol=1e-4)
    assert process.pid not in (None, killed), "the next batch starts another"


async def test_a_cancelled_batch_is_not_taken_for_the_next(local: LocalEmbedder, process: EmbeddingProcess) -> None:
    embedder = BackgroundEmbedder(local, ENGLISH, process)
    expected = await embedder.embed(TEXTS)
    cancelled = asyncio.ensure_future(embedder.embed([f"{text} of another batch" for text in TEXTS]))
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert np.allclose(await embedder.embed(TEXTS), expected, atol=1e-4)


async def test_the_process_ends_when_nothing_is_embedded() -> None:
    process = EmbeddingProcess(idle_s=0)
    await process.embed(ENGLISH, TEXTS, 384)
    pid = process.pid  # the timer has not run: nothing was awaited since
    assert pid is not None
    assert await asyncio.to_thread(_wait_for_end, pid)
    assert process.pid is None
    await process.close()


def _wait_for_end(pid: int) -> bool:
    descriptor = os.pidfd_open(pid)
    try:
        return bool(select.select([descriptor], [], [], 20)[0])
    finally:
        os.close(descriptor)
