"""Indexes on each database, and documents whose vectors a test can predict."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.postgresql.index import open_postgresql_index
from sanya.engines.index.weaviate.index import open_weaviate
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Document, DocumentText, FieldValue
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, DocumentTerms, Index, IndexEntry, JoinedTerms, Probe
from tests.engines.index.weaviate_server.choice import weaviate_options

DIM = 16
MODEL = Model("sixteen numbers", DIM, "digest-of-sixteen")
SPACES = {"meaning": MODEL}


def read_words(texts: Sequence[DocumentText], partition: str) -> DocumentTerms:
    words = [f" {word}" for text in texts for word in text.value.split() * text.weight]
    return {"words": JoinedTerms("".join(words), len(words))}


def make_vector(seed: int, dim: int = DIM) -> Matrix:
    row = np.random.default_rng(seed).standard_normal(dim).astype(np.float32)
    return (row / np.linalg.norm(row)).astype(np.float32)


def make_entry(document_id: str, text: str, partition: str = "en", **fields: FieldValue) -> IndexEntry:
    """Create a document whose vector depends only on its text."""
    return IndexEntry(
        Document(document_id, (DocumentText(text),), fields), partition, {"meaning": make_vector(sum(text.encode()))}
    )


def probe_words(text: str, **more: object) -> Probe:
    terms = {"words": dict.fromkeys(text.split(), 1.0)}
    return Probe("notes", "en", terms, **more)  # type: ignore[arg-type]


def probe_vector(vector: Matrix, **more: object) -> Probe:
    return Probe("notes", "en", {}, {"meaning": vector}, **more)  # type: ignore[arg-type]


async def list_ids(found: Candidates) -> list[str]:
    return sorted(await found.fetch_ids(range(len(found))))


async def rank_ids(found: Candidates) -> list[str]:
    """Return the ids that the words found, best first."""
    rows_and_ids = enumerate(await found.fetch_ids(range(len(found))))
    order = sorted((-float(found.bm25[row]), document_id) for row, document_id in rows_and_ids if found.bm25[row] > 0)
    return [document_id for _, document_id in order]


async def read_answer(found: Candidates) -> list[tuple[str, float, bytes]]:
    vectors = found.vectors.get("meaning")
    rows_and_ids = enumerate(await found.fetch_ids(range(len(found))))
    return sorted(
        (document_id, float(found.bm25[row]), b"" if vectors is None else vectors[row].tobytes())
        for row, document_id in rows_and_ids
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture(params=["embedded-sqlite", "embedded-postgresql", "pgvector", "weaviate"])
async def opening(request: pytest.FixtureRequest, home: Path, folder: Path) -> AsyncIterator[tuple[Index, Database]]:
    """Open every kind of index, on every database that it supports."""
    kind = str(request.param)
    on_sqlite = kind in ("embedded-sqlite", "weaviate")
    url = "" if on_sqlite else str(request.getfixturevalue("postgresql_url"))
    home = Path(request.getfixturevalue("embedded_home")) if on_sqlite else home
    async with open_database(url, home) as database, AsyncExitStack() as stack:
        opened: Index
        if kind == "pgvector":
            opened = await stack.enter_async_context(open_postgresql_index(database, read_words))
        elif kind == "weaviate":
            options = await stack.enter_async_context(weaviate_options())
            opened = await stack.enter_async_context(open_weaviate(database, folder, read_words, options))
        else:
            opened = await stack.enter_async_context(open_embedded(database, folder, read_words))
        await opened.declare("notes", SPACES)
        yield opened, database


@pytest.fixture
def index(opening: tuple[Index, Database]) -> Index:
    return opening[0]


@pytest.fixture
def index_database(opening: tuple[Index, Database]) -> Database:
    return opening[1]
