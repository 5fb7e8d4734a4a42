"""What is particular to Weaviate: it follows the store, repairs itself, keeps its invariants, and raises our faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid5

import numpy as np
import pytest

from sanya.engines.copying import copy_and_compare
from sanya.engines.database import open_database
from sanya.engines.index.weaviate.connection import WeaviateAddress
from sanya.engines.index.weaviate.index import WeaviateIndex, WeaviateOptions, open_weaviate
from sanya.engines.index.weaviate.schema import CHUNK_NAMESPACE, Layout
from sanya.kernel.calls.call import ignore_progress
from sanya.kernel.faults import InvalidArgument, Unavailable, UpstreamFailed
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Between, Document, DocumentText, Equals, FieldValue
from sanya.retrieval.index import IndexEntry, Probe
from sanya.suites.papers.dialect import DIALECT
from tests.engines.index.conftest import (
    SPACES,
    list_ids,
    make_entry,
    make_vector,
    probe_words,
    rank_ids,
    read_answer,
    read_words,
)
from tests.engines.index.weaviate_server.misbehaving import Kind
from tests.engines.index.weaviate_server.server import StandIn, stand_in

FIRST = [make_entry(f"d{n}", f"w{n % 5} common", number=n) for n in range(12)]
SECOND = [make_entry(f"d{n}", f"w{n % 4} changed common", number=n) for n in range(6, 18)]
PROBE = Probe("notes", "en", {"words": {"common": 1.0, "w1": 1.0}}, {"meaning": make_vector(7)}, pool=50)
LIMIT_S = 2.0


def get_address(server: StandIn) -> WeaviateAddress:
    return WeaviateAddress(server.url, server.grpc_port, server.key, LIMIT_S)


@asynccontextmanager
async def opened(
    server: StandIn, database: Database, home: Path, layout: Layout | None = None
) -> AsyncIterator[WeaviateIndex]:
    options = WeaviateOptions(get_address(server), layout or Layout())
    async with open_weaviate(database, home / "weaviate", read_words, options) as index:
        await index.declare("notes", SPACES)
        yield index


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with stand_in() as running:
        yield running


@pytest.fixture
async def store(home: Path) -> AsyncIterator[Database]:
    async with open_database("", home) as database:
        yield database


async def refill_answer(database: Database, home: Path) -> list[tuple[str, float, bytes]]:
    """Return the answer of an empty server that is filled from the same store."""
    async with stand_in() as fresh, opened(fresh, database, home) as index:
        return await read_answer(await index.search(PROBE))


async def test_objects_have_the_class_properties_and_identity_of_the_contract(
    server: StandIn, store: Database, home: Path
) -> None:
    chunk = str(uuid5(CHUNK_NAMESPACE, "12345:s0"))
    fields: dict[str, FieldValue] = {
        "pmid": "12345",
        "chunk_id": "s0",
        "journal": "J",
        "pub_types": ("Review",),
        "year": 2024,
    }
    async with opened(server, store, home) as index:
        await index.declare("papers", SPACES)
        text = (DocumentText("a title", 2), DocumentText("a text"))
        await index.upsert("papers", [IndexEntry(Document(chunk, text, fields), "en", {"meaning": make_vector(1)})])
    held = server.store.get("PubMedChunk")
    properties = held.objects[chunk].properties
    assert properties["pmid"] == "12345" and properties["chunk_id"] == "s0" and properties["year"] == 2024
    assert properties["journal"] == "J" and properties["pub_types"] == ["Review"]
    assert properties["text"] == "a title. a text"
    assert float(np.linalg.norm(held.objects[chunk].vectors["meaning"])) == pytest.approx(1, abs=1e-3)
    named = {property["name"]: property["dataType"][0] for property in held.config["properties"]}
    assert named | {"quality_total": "number", "edat": "text", "lr": "text", "source_url": "text"} == named


async def test_an_id_that_is_no_uuid_makes_one_in_the_same_way(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST[:1])
    assert list(server.store.get("PubMedChunk_notes").objects) == [str(uuid5(CHUNK_NAMESPACE, "d0"))]


async def test_thai_is_found_by_the_words_that_the_reader_cut(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", [make_entry("a", "ฟ้าทะลายโจร แก้ ไข้", "th"), make_entry("b", "ขมิ้นชัน แก้ ปวด", "th")])
        found = await index.search(Probe("notes", "th", {"words": {"ฟ้าทะลายโจร": 1.0}}))
        assert await rank_ids(found) == ["a"]
        assert not len(await index.search(Probe("notes", "th", {"words": {"ฟ้า": 1.0}})))
        assert not len(await index.search(Probe("notes", "th", {"grams": {"ฟ้าทะลายโจร": 1.0}})))


async def test_a_term_counts_by_its_weight(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", [make_entry("a", "ginger root"), make_entry("b", "galangal root")])
        for heavy, light in (("a", "b"), ("b", "a")):
            weights = {"ginger": 2.0 if heavy == "a" else 0.5, "galangal": 2.0 if heavy == "b" else 0.5}
            found = await index.search(Probe("notes", "en", {"words": weights}))
            assert await rank_ids(found) == [heavy, light]
            assert max(found.bm25) == pytest.approx(4 * min(found.bm25), rel=1e-5)


@pytest.mark.parametrize("kind", ["unavailable", "internal", "hangs"])
@pytest.mark.parametrize("method", ["Search", "Aggregate"])
async def test_a_read_that_fails_is_a_typed_fault_that_says_when_to_come_back(
    server: StandIn, store: Database, home: Path, kind: Kind, method: str
) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
        server.misbehaviour.fail_next(method, kind, times=20)
        with pytest.raises(UpstreamFailed) as failed:
            await (index.search(PROBE) if method == "Search" else index.count("notes"))
        assert failed.value.source == "weaviate" and failed.value.retry_after_ms
        assert DIALECT.render_fault(failed.value, None).error["code"] == "WEAVIATE"
        server.misbehaviour.stop()
        assert await index.count("notes") == len(FIRST)


SCHEMA = "POST /v1/schema"
CLASS = "GET /v1/schema/PubMedChunk_notes"


@pytest.mark.parametrize(
    ("method", "kind", "after"),
    [
        ("BatchObjects", "internal", False),
        ("BatchObjects", "internal", True),
        ("BatchObjects", "unavailable", False),
        ("BatchObjects", "hangs", True),
        ("BatchDelete", "internal", False),
        ("BatchDelete", "internal", True),
        (SCHEMA, "internal", False),
        (SCHEMA, "internal", True),
        (SCHEMA, "hangs", True),
        (CLASS, "unavailable", False),
    ],
)
async def test_a_write_that_fails_at_any_step_is_true_and_heals(
    server: StandIn, store: Database, home: Path, method: str, kind: Kind, after: bool
) -> None:
    async with opened(server, store, home) as index:
        if method == "BatchDelete":
            await index.upsert("notes", FIRST)
        server.misbehaviour.fail_next(method, kind, times=20, after=after)
        with pytest.raises(UpstreamFailed):
            await (index.delete("notes", ["d1", "d2"]) if method == "BatchDelete" else index.upsert("notes", FIRST))
        server.misbehaviour.stop()
        await index.refresh()
        found = await read_answer(await index.search(PROBE))
        assert (
            len({document_id for document_id, _, _ in found})
            == len(found)
            == len(FIRST) - 2 * (method == "BatchDelete")
        )
        assert await index.count("notes") == len(found)
        assert found == await refill_answer(store, home / "another")


async def test_objects_that_are_refused_one_by_one_are_put_by_the_next_refresh(
    server: StandIn, store: Database, home: Path
) -> None:
    refused = {str(uuid5(CHUNK_NAMESPACE, document_id)) for document_id in ("d3", "d4")}
    server.misbehaviour.refuses = lambda uuid: uuid in refused
    async with opened(server, store, home) as index:
        with pytest.raises(UpstreamFailed, match="refused 2 of 12"):
            await index.upsert("notes", FIRST)
        server.misbehaviour.stop()
        await index.refresh()
        assert await index.count("notes") == len(FIRST)


async def test_a_server_that_is_switched_off_and_on_serves_again(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
        before = await read_answer(await index.search(PROBE))
        await server.stop()
        with pytest.raises(UpstreamFailed):
            await index.search(PROBE)
        with pytest.raises(UpstreamFailed):
            await index.upsert("notes", SECOND)
        await server.start()
        await _wait_until_it_answers(index)
        await index.refresh()
        assert await read_answer(await index.search(PROBE)) == await refill_answer(store, home / "another") != before


async def _wait_until_it_answers(index: WeaviateIndex) -> None:
    """Wait: gRPC pauses before it connects again."""
    async with asyncio.timeout(30):
        while True:
            try:
                await index.count("notes")
                return
            except UpstreamFailed:
                continue


async def test_a_server_that_lost_everything_is_filled_anew(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
        before = await read_answer(await index.search(PROBE))
        server.store.classes.clear()
        assert await read_answer(await index.search(PROBE)) == before
        del server.store.classes["PubMedChunk_notes"]
        assert await index.count("notes") == len(FIRST)
        assert await read_answer(await index.search(PROBE)) == before


async def test_many_documents_are_followed_in_pages_and_a_crash_between_two_heals(
    server: StandIn, store: Database, home: Path
) -> None:
    many = [
        make_entry(f"d{n}", f"common w{n % 7}", number=n) if n % 3 else make_entry(f"d{n}", f"common w{n % 7}")
        for n in range(450)
    ]
    async with opened(server, store, home) as index:
        server.misbehaviour.fail_next("BatchObjects", "internal", skip=3)
        with pytest.raises(UpstreamFailed):
            await index.upsert("notes", many)
        held = len(server.store.get("PubMedChunk_notes").objects)
        assert 0 < held < len(many)
        server.service.calls.clear()
        await index.refresh()
        assert await index.count("notes") == len(many)
        assert server.service.calls.count("BatchObjects") < 2 * 3 + 1
        await index.delete("notes", [f"d{n}" for n in range(0, 450, 2)])
        assert await index.count("notes") == 225
        assert await index.count("notes", [Between("number", 0, 10)]) == 3


async def test_a_store_restored_from_an_older_state_fills_the_server_again(
    server: StandIn, store: Database, home: Path, tmp_path: Path
) -> None:
    """The server holds rows of the time after the backup, under numbers that new documents get again."""
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
    async with open_database("", tmp_path / "restored") as restored:
        await copy_and_compare(store, restored, ignore_progress)
        async with opened(server, store, home) as index:
            await index.upsert("notes", SECOND)
        async with opened(server, restored, home) as index:
            await index.upsert("notes", [make_entry(f"new{n}", "new common", number=n) for n in range(3)])
            assert await rank_ids(await index.search(probe_words("new"))) == ["new0", "new1", "new2"]
            assert await index.count("notes") == len(FIRST) + 3
            answer = await read_answer(await index.search(PROBE))
        assert answer == await refill_answer(restored, tmp_path / "another")


async def test_another_homes_class_is_left_alone(server: StandIn, store: Database, home: Path, tmp_path: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
    async with open_database("", tmp_path / "other") as other, opened(server, other, tmp_path / "other") as index:
        with pytest.raises(Unavailable, match="weaviate_class"):
            await index.upsert("notes", SECOND)
    third = tmp_path / "third"
    async with open_database("", third) as own, opened(server, own, third, Layout("Another")) as index:
        await index.upsert("notes", SECOND)
        assert await index.count("notes") == len(SECOND)
    async with opened(server, store, home) as index:
        assert await index.count("notes") == len(FIRST)


async def test_somebody_elses_class_of_the_same_name_is_left_alone(
    server: StandIn, store: Database, home: Path
) -> None:
    properties = [{"name": "pmid", "dataType": ["text"]}]
    server.store.create({"class": "PubMedChunk_notes", "properties": properties, "vectorConfig": {}})
    server.store.get("PubMedChunk_notes").put(str(UUID(int=1)), {"pmid": "1"}, {})
    async with opened(server, store, home) as index:
        with pytest.raises(Unavailable, match="did not write"):
            await index.upsert("notes", FIRST)
    assert len(server.store.get("PubMedChunk_notes").objects) == 1


async def test_a_new_vector_space_makes_the_class_anew(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
    async with opened(server, store, home) as index:
        await index.declare("notes", {**SPACES, "second": replace(SPACES["meaning"], digest="second", dim=4)})
        more = SECOND[-1]._replace(vectors={**SECOND[-1].vectors, "second": make_vector(3, 4)})
        index.classes.invalidate()
        await index.upsert("notes", [more])
        assert await index.count("notes") == len(FIRST) + 1
        found = await index.search(Probe("notes", "en", {}, {"second": make_vector(3, 4)}))
        assert await list_ids(found) == ["d17"]


async def test_two_processes_of_one_home_follow_in_turn(server: StandIn, store: Database, home: Path) -> None:
    async with (
        open_database("", home) as other,
        opened(server, store, home) as first,
        opened(server, other, home) as second,
    ):
        for start in range(0, 12, 4):
            await asyncio.gather(
                first.upsert("notes", FIRST[start : start + 2]),
                second.upsert("notes", FIRST[start + 2 : start + 4]),
            )
        assert await first.count("notes") == await second.count("notes") == len(FIRST)
        assert await second.count("notes", [Between("number", 3, 5)]) == 3
        assert await read_answer(await first.search(PROBE)) == await read_answer(await second.search(PROBE))


async def test_on_postgresql_the_turn_is_the_databases(server: StandIn, postgresql_url: str, home: Path) -> None:
    async with (
        open_database(postgresql_url, home) as database,
        open_database(postgresql_url, home) as other_database,
        opened(server, database, home) as first,
        opened(server, other_database, home / "elsewhere") as second,
    ):
        await asyncio.gather(first.upsert("notes", FIRST), second.upsert("notes", SECOND))
        assert await first.count("notes") == await second.count("notes") == 18
        await first.delete("notes", ["d0"])
        assert await list_ids(await second.search(probe_words("w0", filters=(Equals("number", 0),)))) == []


async def test_a_key_is_sent_and_a_wrong_one_is_a_typed_fault(server: StandIn, store: Database, home: Path) -> None:
    server.key = "secret"
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
    with pytest.raises(UpstreamFailed) as failed:
        options = WeaviateOptions(replace(get_address(server), key="wrong"))
        async with open_weaviate(store, home / "weaviate", read_words, options):
            pass
    assert "wrong" not in failed.value.message


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://x", "http://", "http://127.0.0.1:50051", "http://x:y"])
async def test_an_address_that_is_none_says_what_it_takes(store: Database, home: Path, url: str) -> None:
    with pytest.raises(InvalidArgument, match="weaviate_url"):
        async with open_weaviate(store, home, read_words, WeaviateOptions(WeaviateAddress(url))):
            pass


@pytest.mark.parametrize("name", ["", "small", "Has Blank", "Ünicode", "A/../B", "A" * 101])
def test_a_class_name_that_is_none_says_what_it_takes(name: str) -> None:
    with pytest.raises(InvalidArgument, match="weaviate_class"):
        Layout(name)


def test_no_two_namespaces_share_a_class() -> None:
    names = ["a", "a_", "a.", "a-", "a__", "a_d", "a.d", "a_h", "papers", "papers_", "marks"]
    classes = {Layout().name_class(name) for name in names} | {Layout().marks_class}
    assert len(classes) == len(names) + 1


async def test_without_the_extra_the_fault_says_what_to_install(
    store: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.engines.index.weaviate.connection.find_spec", lambda _: None)
    with pytest.raises(Unavailable, match=r"pip install 'sanya\[weaviate\]'"):
        async with open_weaviate(store, home, read_words, WeaviateOptions(WeaviateAddress("http://localhost:1"))):
            pass


async def test_a_search_that_is_cancelled_leaves_the_index_usable(server: StandIn, store: Database, home: Path) -> None:
    async with opened(server, store, home) as index:
        await index.upsert("notes", FIRST)
        server.misbehaviour.fail_next("Search", "hangs")
        task = asyncio.create_task(index.search(PROBE))
        await asyncio.wait_for(server.misbehaviour.hanging.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(await index.search(PROBE)) == len(FIRST)
