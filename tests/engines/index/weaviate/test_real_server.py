"""A real cluster of Weaviate on loopback: the smoke test of the papers contract, and a node killed under load.

`make test-weaviate` builds the server from its Go module and runs this, with the tests of the index, against it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

if not os.environ.get("SANYA_WEAVIATE_URL"):
    pytest.skip("needs a real Weaviate: run `make test-weaviate`", allow_module_level=True)

from sanya import app
from sanya.engines.database import open_database
from sanya.engines.index.weaviate.connection import WeaviateAddress
from sanya.engines.index.weaviate.index import WeaviateIndex, WeaviateOptions, open_weaviate
from scripts.weaviate import WeaviateNode, run_nodes
from tests.engines.index.conftest import SPACES, list_ids, make_entry, probe_words, read_words
from tests.sources.eutils import article, local_eutils

WRITES = 60


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[WeaviateNode]]:
    with run_nodes(tmp_path_factory.mktemp("weaviate"), 3) as nodes:
        yield nodes


@pytest.fixture
async def clustered_index(
    cluster: list[WeaviateNode], embedded_home: Path, folder: Path
) -> AsyncIterator[WeaviateIndex]:
    options = WeaviateOptions(WeaviateAddress(cluster[0].url, cluster[0].ports.grpc, timeout_s=60))
    async with (
        open_database("", embedded_home) as database,
        open_weaviate(database, folder, read_words, options) as index,
    ):
        await index.declare("notes", SPACES)
        yield index


async def test_a_node_killed_under_load_loses_no_acknowledged_row(
    cluster: list[WeaviateNode], clustered_index: WeaviateIndex
) -> None:
    acknowledged = set[str]()
    for number in range(WRITES):
        if number == WRITES // 3:
            cluster[2].kill()
        if number == 2 * WRITES // 3:
            cluster[2].start()
        await clustered_index.upsert("notes", [make_entry(f"d{number}", f"common w{number}")])
        acknowledged.add(f"d{number}")
        found = await clustered_index.search(probe_words(f"w{number}"))
        assert await list_ids(found) == [f"d{number}"]
    await asyncio.to_thread(cluster[2].wait)
    assert set(await list_ids(await clustered_index.search(probe_words("common", pool=2 * WRITES)))) == acknowledged
    assert await clustered_index.count("notes") == WRITES


async def test_a_narrow_term_is_synced_searched_and_read(cluster: list[WeaviateNode], tmp_path: Path) -> None:
    place = {"weaviate_url": cluster[1].url, "weaviate_grpc_port": cluster[1].ports.grpc, "weaviate_class": "SmokeTest"}
    async with local_eutils([article(number, "ginger nausea") for number in range(3)]) as utils:
        settings = {"entrez_url": utils.url, "entrez_requests_per_second": 1000, "index": "weaviate", **place}
        async with app.open(tmp_path / "home", **settings) as opened:  # type: ignore[arg-type]
            synced = await opened.call("pubmed.sync_delta", {"query_key": "smoke", "term": "ginger nausea"})
            assert (synced["inserted"], synced["updated"]) == (3, 0)
            hits = (await opened.call("rag.search", {"query": "ginger nausea", "top_k": 3}))["documents"]
            assert len(hits) == 3
            record = await opened.call("rag.get", {"doc_id": hits[0]["doc_id"]})
            assert (record["doc_id"], record["version"]) == (hits[0]["doc_id"], 1)
