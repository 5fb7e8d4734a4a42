"""Writes src/sanya/suites/papers/starter_vectors.npz: the vectors of the sample papers, so that a new home need not
embed them. Run it after the samples, the chunks or a model have changed."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path

from sanya.engines.embedders.offline import offline_embedders
from sanya.engines.embedders.shipped import written_vectors
from sanya.engines.index.store import content_hash
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.legs import ENGLISH
from sanya.retrieval.terms import language_of_text
from sanya.suites.papers.starter import sample_texts

TARGET = Path(str(files("sanya.suites.papers"))) / "starter_vectors.npz"


async def main() -> None:
    spaces: dict[str, dict[bytes, Matrix]] = {}
    local = offline_embedders()
    try:
        for space, embedder in local.items():
            texts = [text for text in sample_texts() if space != ENGLISH or language_of_text(text) == "en"]
            rows = await embedder.embed(texts)
            spaces[embedder.model.digest] = {content_hash(text): row for text, row in zip(texts, rows, strict=True)}
    finally:
        for one in local.values():
            one.close()
    TARGET.write_bytes(written_vectors(spaces))


if __name__ == "__main__":
    asyncio.run(main())
