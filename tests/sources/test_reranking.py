"""The reranker of the settings, against an endpoint on loopback: scores, faults, and a search that it reorders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import orjson
import pytest

from sanya.assembly.library import SharedLibrary
from sanya.engines.database import open_database
from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.search import SearchQuery
from sanya.settings import BadSetting, Settings
from sanya.sources.reranking import open_reranker


class Endpoint:
    """Scores a passage by the number of its exclamation marks."""

    def __init__(self, answer: bytes | None = None) -> None:
        self.answer = answer
        self.head = ""
        self.request: dict[str, object] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = self.head.lower().splitlines()
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length"))
        self.request = orjson.loads(await reader.readexactly(length))
        documents = self.request["documents"]
        assert isinstance(documents, list)
        results = [{"index": at, "relevance_score": float(text.count("!"))} for at, text in enumerate(documents)]
        body = self.answer if self.answer is not None else orjson.dumps({"results": results[::-1]})
        writer.write(f"HTTP/1.1 200 x\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def served(endpoint: Endpoint) -> AsyncIterator[str]:
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def test_scores_come_in_the_order_of_the_passages() -> None:
    endpoint = Endpoint()
    async with served(endpoint) as url, open_reranker(url, "some-model", "secret") as reranker:
        assert await reranker.score("which?", ["no", "this!!", "\ud800!"]) == [0.0, 2.0, 1.0]
    assert endpoint.request["model"] == "some-model" and endpoint.request["query"] == "which?"
    assert "Bearer secret" in endpoint.head and endpoint.head.startswith("POST /v1/rerank")


@pytest.mark.parametrize(
    "answer",
    [
        b"not json",
        b'{"data": []}',
        b'{"results": [{"index": 0, "relevance_score": 1}]}',
        b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 1e999}]}',
    ],
)
async def test_an_answer_that_lacks_a_score_is_a_fault(answer: bytes) -> None:
    async with served(Endpoint(answer)) as url, open_reranker(url, "m") as reranker:
        with pytest.raises(UpstreamFailed):
            await reranker.score("which?", ["a", "b"])


async def test_a_search_is_reordered_by_the_reranker_where_meaning_takes_part(home: Path) -> None:
    documents = [
        Document("plain", (DocumentText("ginger against nausea in pregnancy"),)),
        Document("loud", (DocumentText("ginger in the kitchen!"),)),
        Document("other", (DocumentText("a garden in spring"),)),
    ]
    async with served(Endpoint()) as url, open_database("", home) as database:
        shared = SharedLibrary(Settings(home=home, reranker_url=url, reranker_model="m"), database)
        try:
            library = await shared()
            await library.declare("trial")
            await library.add("trial", documents)
            found = await library.search(SearchQuery("ginger against nausea", "trial"))
            by_words = await library.search(SearchQuery("ginger against nausea", "trial", mode="bm25"))
        finally:
            await shared.close()
    assert [hit.id for hit in found.hits][:1] == ["loud"] and [hit.id for hit in by_words.hits][:1] == ["plain"]
    assert all(sum(hit.parts.values()) == hit.score for hit in found.hits)


@pytest.mark.parametrize("wrong", [{"reranker_model": "m"}, {"reranker_url": "ftp://x/v1"}])
async def test_settings_that_cannot_work_are_refused_at_the_start(home: Path, wrong: dict[str, str]) -> None:
    async with open_database("", home) as database:
        with pytest.raises(BadSetting):
            SharedLibrary(Settings(home=home, **wrong), database)  # type: ignore[arg-type]
