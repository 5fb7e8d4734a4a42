"""A whole home on Weaviate: papers are found there as they are embedded, under the identities of their contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sanya import app
from tests.engines.index.weaviate_server.server import stand_in

QUERIES = ("randomized trial of weight loss", "structured abstract", "ตัวอย่าง การทดลองแบบสุ่ม")


async def found(home: Path, **settings: Any) -> list[list[dict[str, Any]]]:
    async with app.open(home, **settings) as opened:
        answers = [await opened.call("rag.search", {"query": query, "top_k": 3}) for query in QUERIES]
    return [answer["documents"] for answer in answers]


async def test_papers_on_weaviate_are_found_as_they_are_embedded(tmp_path: Path) -> None:
    async with stand_in() as server:
        place = {"weaviate_url": server.url, "weaviate_grpc_port": server.grpc_port}
        on_weaviate = await found(tmp_path / "weaviate", index="weaviate", **place)
        held = server.store.get("PubMedChunk").objects
        assert {hit["uuid"] for answer in on_weaviate for hit in answer} <= held.keys()
    embedded = await found(tmp_path / "embedded", index="embedded")
    for here, there in zip(on_weaviate, embedded, strict=True):
        assert here[0]["pmid"] == there[0]["pmid"]
        assert len(here) == len(there)
