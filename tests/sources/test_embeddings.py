"""The OpenAI-compatible embedder, against an endpoint on loopback that can misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import numpy as np
import orjson
import pytest

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.embeddings import open_endpoint

Answer = Callable[[dict[str, object]], tuple[int, bytes]]


def vectors_for(request: dict[str, object]) -> tuple[int, bytes]:
    texts = request["input"]
    assert isinstance(texts, list)
    data = [{"index": at, "embedding": [float(len(text)), 3.0, 4.0]} for at, text in enumerate(texts)]
    return 200, orjson.dumps({"data": data[::-1]})


class Endpoint:
    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.heads: list[str] = []
        self.sizes: list[int] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")
        )
        request = orjson.loads(await reader.readexactly(length))
        self.heads.append(head)
        self.sizes.append(len(request["input"]))
        status, body = (self.answers.pop(0) if self.answers else vectors_for)(request)
        extra = "retry-after: 0\r\n" if status == 429 else ""
        writer.write(f"HTTP/1.1 {status} x\r\n{extra}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode())
        writer.write(body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def served(endpoint: Endpoint) -> AsyncIterator[str]:
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def test_texts_get_normalised_vectors_in_their_order_and_in_batches() -> None:
    endpoint = Endpoint()
    async with served(endpoint) as url, open_endpoint(url, "some-model", "secret") as embedder:
        texts = ["x" * n for n in range(1, 101)]
        rows = await embedder.embed(texts)
        assert embedder.model.dim == 3
    assert rows.shape == (100, 3)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[99][0] > rows[0][0]
    assert endpoint.sizes == [1, 64, 36]
    assert "Bearer secret" in endpoint.heads[0] and endpoint.heads[0].startswith("POST /v1/embeddings")


async def test_a_question_that_was_asked_before_needs_no_endpoint() -> None:
    endpoint = Endpoint()
    async with served(endpoint) as url, open_endpoint(url, "m") as embedder:
        first = await embedder.embed(["a question"])
        endpoint.answers = [lambda _: (500, b"away")] * 20
        assert np.array_equal(await embedder.embed(["a question"]), first)
        with pytest.raises(UpstreamFailed, match="500"):
            await embedder.embed(["a question", "another"])


async def test_a_busy_endpoint_is_asked_again() -> None:
    endpoint = Endpoint()
    endpoint.answers = [lambda _: (429, b""), lambda _: (429, b"")]
    async with served(endpoint) as url, open_endpoint(url, "m") as embedder:
        assert (await embedder.embed(["a"])).shape == (1, 3)
    assert len(endpoint.sizes) == 4


@pytest.mark.parametrize(
    "answer",
    [
        (401, b"no"),
        (200, b"not json"),
        (200, b"{}"),
        (200, b'{"data": []}'),
        (200, b'{"data": [{"index": 0, "embedding": [0, 0, 0]}]}'),
        (200, b'{"data": [{"index": 0, "embedding": [1, 0]}]}'),
        (200, b'{"data": [{"index": 0, "embedding": "x"}]}'),
    ],
)
async def test_what_is_not_as_promised_is_a_typed_fault(answer: tuple[int, bytes]) -> None:
    endpoint = Endpoint()
    endpoint.answers = [vectors_for, lambda _: answer]
    async with served(endpoint) as url, open_endpoint(url, "m") as embedder:
        with pytest.raises(UpstreamFailed) as failed:
            await embedder.embed(["text"])
    assert failed.value.source == "embeddings"


async def test_an_endpoint_that_is_not_there_is_a_typed_fault() -> None:
    with pytest.raises(UpstreamFailed):
        async with open_endpoint("http://127.0.0.1:9/v1", "m"):
            pass


async def test_the_digest_tells_models_apart() -> None:
    async with served(Endpoint()) as url, open_endpoint(url, "one") as first, open_endpoint(url, "two") as second:
        assert first.model.digest != second.model.digest
