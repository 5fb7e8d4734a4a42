"""Writes src/sanya/suites/papers/starter_vectors.npz: the vectors of the sample papers, so that a new home does
not have to embed them. Run it after the samples, the chunks or a model have changed."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path

from sanya.engines.embedders.bundled_vectors import encode_vectors
from sanya.engines.embedders.offline import create_offline_embedders
from sanya.engines.index.store import hash_content
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.terms import detect_text_language
from sanya.suites.papers.starter import list_sample_texts

TARGET = Path(str(files("sanya.suites.papers"))) / "starter_vectors.npz"


async def main() -> None:
    spaces: dict[str, dict[bytes, Matrix]] = {}
    local = create_offline_embedders()
    try:
        for space, embedder in local.items():
            texts = [text for text in list_sample_texts() if space != ENGLISH or detect_text_language(text) == "en"]
            rows = await embedder.embed(texts)
            spaces[embedder.model.digest] = {hash_content(text): row for text, row in zip(texts, rows, strict=True)}
    finally:
        for embedder in local.values():
            embedder.close()
    TARGET.write_bytes(encode_vectors(spaces))


if __name__ == "__main__":
    asyncio.run(main())
