"""A library on real engines, with a small embedder that derives vectors from words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.lexicon import load_general_lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter
from sanya.text.tokens import extract_tokens

NAMES = [("ฟ้าทะลายโจร", "andrographis paniculata"), ("ขมิ้นชัน", "turmeric")]


class WordVectors:
    """Returns the normalised sum of a fixed random direction for each word; synonyms share one."""

    def __init__(self, name: str, dim: int, same: dict[str, str]) -> None:
        self.model = Model(name, dim, f"digest of {name}")
        self._same = same
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Matrix:
        self.asked += texts
        rows = np.array([self._row(text) for text in texts], dtype=np.float32).reshape(-1, self.model.dim)
        normal: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return normal

    def _row(self, text: str) -> Matrix:
        words = [self._same.get(word, word) for word in extract_tokens(text)] or ["nothing"]
        row: Matrix = np.sum([self._direction(word) for word in words], axis=0).astype(np.float32)
        return row

    def _direction(self, word: str) -> Matrix:
        seed = int.from_bytes(sha256(word.encode("utf-8", "replace")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.model.dim).astype(np.float32)


@pytest.fixture(scope="session")
def reader() -> TermReader:
    return TermReader(get_default_segmenter(), load_general_lexicon().extend(NAMES))


@pytest.fixture
def embedders() -> dict[str, WordVectors]:
    same = {"ไข้": "fever", "หัวใจ": "heart"}
    return {ENGLISH: WordVectors("english", 32, {}), MULTILINGUAL: WordVectors("both", 48, same)}


@pytest.fixture
async def library(embedded_home: Path, reader: TermReader, embedders: dict[str, WordVectors]) -> AsyncIterator[Library]:
    async with (
        open_database("", embedded_home) as database,
        open_embedded(database, embedded_home / "index", reader.read_document) as index,
    ):
        opened = Library(index, reader, embedders)
        await opened.declare("herbs")
        yield opened
