"""What the settings for search lead to, on real engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.assembly.library import SharedLibrary
from sanya.assembly.search.embedders import open_embedders
from sanya.assembly.search.indexes import choose_index, open_index
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import EmbeddedIndex
from sanya.engines.index.postgresql.index import PostgresqlIndex
from sanya.engines.index.weaviate.index import WeaviateIndex
from sanya.kernel.faults import UpstreamFailed
from sanya.kernel.storage.database import Database
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.settings import BadSetting, Settings
from sanya.text.segmentation import get_default_segmenter
from tests.engines.embedders.tiny_model import write_model
from tests.engines.index.weaviate_server.server import stand_in
from tests.sources.test_embeddings import Endpoint, served


@pytest.fixture(scope="module")
def reader() -> TermReader:
    return TermReader(get_default_segmenter(), Lexicon({}, {}))


async def test_auto_is_where_the_data_is(home: Path, database: Database, reader: TermReader) -> None:
    settings = Settings(home=home)
    async with open_index(settings, database, reader) as index:
        assert isinstance(index, PostgresqlIndex if database.dialect == "postgresql" else EmbeddedIndex)


async def test_the_embedded_index_may_be_asked_for_beside_postgresql(home: Path, postgresql_url: str) -> None:
    async with open_database(postgresql_url, home) as database:
        assert await choose_index(Settings(home=home, index="embedded"), database) == "embedded"


async def test_weaviate_is_opened_by_its_address(home: Path, reader: TermReader) -> None:
    async with stand_in() as server, open_database("", home) as database:
        settings = Settings(
            home=home,
            index="weaviate",
            weaviate_url=server.url,
            weaviate_grpc_port=server.grpc_port,
            weaviate_class="C",
        )
        async with open_index(settings, database, reader) as index:
            assert isinstance(index, WeaviateIndex)


async def test_an_index_whose_weaviate_is_away_opens_once_it_is_back(home: Path, reader: TermReader) -> None:
    async with stand_in() as server, open_database("", home) as database:
        settings = Settings(home=home, index="weaviate", weaviate_url=server.url, weaviate_grpc_port=server.grpc_port)
        await server.stop()
        with pytest.raises(UpstreamFailed) as failed:
            async with open_index(settings, database, reader):
                pass
        assert failed.value.source == "weaviate" and failed.value.retry_after_ms
        await server.start()
        async with open_index(settings, database, reader) as index:
            assert await index.count("papers") == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"index": "weaviate"}, "weaviate_url"),
        ({"index": "postgresql"}, "database_url"),
        ({"embedder": "fastembed"}, "embedder_model"),
        ({"embedder": "openai", "embedder_model": "m"}, "embedder_url"),
        ({"embedder": "openai", "embedder_model": "m", "embedder_url": "ftp://x"}, "embedder_url"),
    ],
)
async def test_what_is_missing_is_said_at_the_start(home: Path, wrong: dict[str, str], says: str) -> None:
    async with open_database("", home) as database:
        with pytest.raises(BadSetting, match=says):
            SharedLibrary(Settings(home=home, **wrong), database)  # type: ignore[arg-type]


async def test_a_chosen_model_reads_both_languages_or_english_alone(home: Path, tmp_path: Path) -> None:
    folder = str(write_model(tmp_path / "model"))
    chosen = Settings(home=home, embedder="huggingface", embedder_model=folder)
    async with open_embedders(chosen) as both:
        assert list(both) == [MULTILINGUAL] and both[MULTILINGUAL].model.name == folder
    english = Settings(home=home, embedder="huggingface", embedder_model=folder, embedder_reads="english")
    async with open_embedders(english) as spaces:
        assert spaces[ENGLISH].model.name == folder and spaces[MULTILINGUAL].model.dim == 512


async def test_an_endpoint_whose_vectors_are_described_is_not_asked_before_it_is_needed(home: Path) -> None:
    endpoint = Endpoint()
    async with served(endpoint) as url:
        settings = Settings(home=home, embedder="openai", embedder_model="m", embedder_url=url, embedder_dim=3)
        async with open_embedders(settings) as embedders:
            assert embedders[MULTILINGUAL].model.dim == 3 and not endpoint.sizes
            assert (await embedders[MULTILINGUAL].embed(["a", "b"])).shape == (2, 3)
