"""What `sanya doctor` says of index and embedder."""

from __future__ import annotations

from pathlib import Path

import sanya
from sanya.assembly.search.health import check_embedders, check_embedding, check_index
from sanya.engines.database import open_database
from sanya.engines.index.store import IndexStore
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.embedding import Model
from sanya.retrieval.language_search import MULTILINGUAL
from sanya.settings import Settings
from tests.engines.embedders.tiny_model import write_model
from tests.engines.index.weaviate_server.server import VERSION, StandIn, stand_in


def weaviate(home: Path, server: StandIn) -> Settings:
    return Settings(home=home, index="weaviate", weaviate_url=server.url, weaviate_grpc_port=server.grpc_port)


async def test_weaviate_is_named_with_its_version_and_class(home: Path) -> None:
    async with stand_in() as server:
        (fact,) = await check_index(weaviate(home, server), None)
        assert f"Weaviate {VERSION}" in fact.found and "not created yet" in fact.found and not fact.advice
        server.store.create({"class": "PubMedChunk", "properties": []})
        (fact,) = await check_index(weaviate(home, server), None)
        assert "not created by Sanya" in fact.found and "weaviate_class" in fact.advice
        await server.stop()
        (fact,) = await check_index(weaviate(home, server), None)
        assert fact.advice
        await server.start()


async def test_the_index_of_each_database_is_named(home: Path, database: Database) -> None:
    (fact,) = await check_index(Settings(home=home), database)
    assert not fact.advice
    assert ("pgvector 0." in fact.found) == (database.dialect == "postgresql")


async def test_packaged_models_are_compared_and_a_chosen_one_is_tried(home: Path, tmp_path: Path) -> None:
    assert [fact.advice for fact in await check_embedders(Settings(home=home), None)] == ["", ""]
    folder = str(write_model(tmp_path / "model"))
    (fact,) = await check_embedders(Settings(home=home, embedder="huggingface", embedder_model=folder), None)
    assert "6 numbers, digest" in fact.found and not fact.advice


async def test_what_is_missing_is_said_with_what_to_do(home: Path) -> None:
    (fact,) = await check_embedders(Settings(home=home, embedder="huggingface", embedder_model="no/model"), None)
    assert "sanya models install huggingface:no/model" in fact.found and fact.advice
    (fact,) = await check_embedders(Settings(home=home, embedder="openai"), None)
    assert "embedder_model" in fact.found and fact.advice
    (fact,) = await check_index(Settings(home=home, index="weaviate"), None)
    assert "weaviate_url" in fact.found and fact.advice


async def test_vectors_of_another_model_are_named_with_the_command_that_mends_it(home: Path, tmp_path: Path) -> None:
    folder = str(write_model(tmp_path / "model"))
    async with open_database("", home) as database:
        await IndexStore(database).declare("papers", {MULTILINGUAL: Model("former", 3, "other")})
        settings = Settings(home=home, embedder="huggingface", embedder_model=folder)
        *_, fact = await check_embedders(settings, database)
    assert "former" in fact.found and "sanya search embed papers" in fact.advice


async def test_documents_that_await_their_vectors_are_counted_with_the_command_that_embeds_them(
    home: Path, database_url: str
) -> None:
    async with sanya.open(home, database_url=database_url) as app:
        assert await check_embedding(app.settings, app.database) == []
        library = await app.library()
        await library.declare("notes")
        await library.add("notes", [Document("a", (DocumentText("one text"),))], embed=False)
        (fact,) = await check_embedding(app.settings, app.database)
        assert "1 documents of notes await their vectors" in fact.found
        assert "sanya search embed notes" in fact.advice
        assert (await app.library.read_embedding_statuses())["notes"].awaiting == 1
        await library.embed_missing("notes")
        assert await check_embedding(app.settings, app.database) == []
