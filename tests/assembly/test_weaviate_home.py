"""A whole home on Weaviate, the real server where there is one: papers are found there as they are embedded, under the
identities of their contract, and a home that moves to PostgreSQL or comes out of a backup takes its index along."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from sanya import app
from sanya.engines.index.weaviate.connection import open_connection
from sanya.engines.index.weaviate.index import WeaviateOptions
from sanya.settings import load_settings
from sanya.transfer import back_up, move, restore
from tests.engines.index.weaviate_server.choice import build_settings, weaviate_options

QUERIES = ("randomized trial of weight loss", "structured abstract", "ตัวอย่าง การทดลองแบบสุ่ม")
BELL = "The temple bell of Wat Pho rang at six."


async def search_papers(home: Path, **settings: Any) -> list[list[dict[str, Any]]]:
    async with app.open(home, **settings) as opened:
        answers = [await opened.call("rag.search", {"query": query, "top_k": 3}) for query in QUERIES]
    return [answer["documents"] for answer in answers]


async def list_memories(opened: app.App, query: str) -> list[str]:
    found = (await opened.call("get_memory", {"query": query}))["memories"]
    return [memory["content"] for memory in found]


async def count_objects(options: WeaviateOptions, namespace: str) -> int:
    async with open_connection(options.address) as connection:
        held = connection.client.collections.get(options.layout.name_class(namespace))
        return (await held.aggregate.over_all(total_count=True)).total_count or 0


async def test_papers_on_weaviate_are_found_as_they_are_embedded(tmp_path: Path) -> None:
    async with weaviate_options() as options:
        on_weaviate = await search_papers(tmp_path / "weaviate", index="weaviate", **build_settings(options))
        found = sorted({UUID(hit["uuid"]) for answer in on_weaviate for hit in answer})
        async with open_connection(options.address) as connection:
            held = connection.client.collections.get(options.layout.papers_class)
            for uuid in found:
                assert await held.query.fetch_object_by_id(uuid) is not None
    embedded = await search_papers(tmp_path / "embedded", index="embedded")
    for here, there in zip(on_weaviate, embedded, strict=True):
        assert here[0]["pmid"] == there[0]["pmid"]
        assert len(here) == len(there)


async def test_a_home_that_moves_to_postgresql_keeps_its_classes(home: Path, postgresql_url: str) -> None:
    async with weaviate_options() as options:
        place = {"index": "weaviate", **build_settings(options)}
        async with app.open(home, **place) as opened:  # type: ignore[arg-type]
            await opened.call("send_memory", {"content": BELL})
            before = (await opened.call("rag.search", {"query": QUERIES[0], "top_k": 3}))["documents"]
            assert BELL in await list_memories(opened, "temple bell")
        chunks = await count_objects(options, "papers")
        await move(load_settings({"home": home, **place}, {}), postgresql_url)
        async with app.open(home, database_url=postgresql_url, **place) as moved:  # type: ignore[arg-type]
            assert (await moved.call("rag.search", {"query": QUERIES[0], "top_k": 3}))["documents"] == before
            await moved.call("send_memory", {"content": "The night market of Lopburi closes at ten."})
            assert "night market" in (await list_memories(moved, "when does the night market close"))[0]
            assert BELL in await list_memories(moved, "temple bell")
        assert await count_objects(options, "papers") == chunks


async def test_an_older_backup_on_the_same_server_finds_what_it_holds_and_what_comes_next(tmp_path: Path) -> None:
    async with weaviate_options() as options:
        place = {"index": "weaviate", **build_settings(options)}
        home, copy = tmp_path / "home", tmp_path / "copy"
        async with app.open(home, **place) as opened:  # type: ignore[arg-type]
            await opened.call("send_memory", {"content": BELL})
            await list_memories(opened, "temple bell")
        await back_up(load_settings({"home": home, **place}, {}), tmp_path / "backup.sanya")
        async with app.open(home, **place) as opened:  # type: ignore[arg-type]
            await opened.call("send_memory", {"content": "Lost: the ferry to Koh Lanta leaves at nine."})
            await list_memories(opened, "ferry")
        await restore(load_settings({"home": copy, **place}, {}), tmp_path / "backup.sanya")
        async with app.open(copy, **place) as opened:  # type: ignore[arg-type]
            await opened.call("send_memory", {"content": "The night market of Lopburi closes at ten."})
            assert "night market" in (await list_memories(opened, "when does the night market close"))[0]
            assert BELL in await list_memories(opened, "temple bell")
            assert not any("ferry" in text for text in await list_memories(opened, "ferry to Koh Lanta"))
