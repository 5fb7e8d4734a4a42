"""Embeds the passages of the starter graph, so that a new home does not have to.

Writes src/sanya/suites/herbs/starter_vectors.npz. Run it after the graph, its sentences or an embedding model have
changed.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from sanya.engines.database import open_database
from sanya.engines.embedders.bundled_vectors import encode_vectors, read_vectors
from sanya.engines.embedders.offline import create_offline_embedders
from sanya.engines.index.store import hash_content
from sanya.retrieval.embedding import Embedder, Matrix
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.terms import detect_text_language
from sanya.suites.herbs.facts.fact import derive_facts
from sanya.suites.herbs.graph.starter import load_starter
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.search.passages import build_passages

TARGET = Path(str(files("sanya.suites.herbs"))) / "starter_vectors.npz"


async def main() -> None:
    texts = await _read_texts()
    known = read_vectors(TARGET.read_bytes()) if TARGET.is_file() else {}
    spaces: dict[str, dict[bytes, Matrix]] = {}
    embedders = create_offline_embedders()
    try:
        for space, embedder in embedders.items():
            readable = [text for text in texts if space != ENGLISH or detect_text_language(text) == "en"]
            spaces[embedder.model.digest] = await _embed_texts(embedder, readable, known.get(embedder.model.digest, {}))
    finally:
        for embedder in embedders.values():
            embedder.close()
    TARGET.write_bytes(encode_vectors(spaces))


async def _read_texts() -> list[str]:
    with TemporaryDirectory() as folder:
        async with open_database("", Path(folder)) as database:
            await load_starter(database)
            graph = await HerbStore(database).load_graph()
    return sorted({passage.document.text for passage in build_passages(graph, derive_facts(graph)).values()})


async def _embed_texts(embedder: Embedder, texts: list[str], known: dict[bytes, Matrix]) -> dict[bytes, Matrix]:
    vectors = {hash_content(text): known.get(hash_content(text)[:12]) for text in texts}
    missing = [text for text in texts if vectors[hash_content(text)] is None]
    rows = await embedder.embed(missing)
    vectors |= {hash_content(text): row for text, row in zip(missing, rows, strict=True)}
    return {key: row for key, row in vectors.items() if row is not None}


if __name__ == "__main__":
    asyncio.run(main())
