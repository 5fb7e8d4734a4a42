"""Embeddings from an endpoint that speaks OpenAI's wire: one address, one model, batches, a few patient retries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import numpy as np
import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.embedding import Matrix, Model, checked
from sanya.sources.asking import Asking, Manners, Question, breaker_of
from sanya.sources.egress import Destination, Limits, Outside
from sanya.sources.pace import Patience

SOURCE = "embeddings"
_LIMITS = Limits(max_bytes=64 * 1024 * 1024, total_s=60.0)
_TEXTS_AT_ONCE = 64
_PATIENCE = Patience(tries=4, most_s=20.0)
_MANNERS = Manners(name="the embedding endpoint", source=SOURCE, wait_hint="ask again later", too_many=frozenset())


@asynccontextmanager
async def open_endpoint(
    url: str, model: str, key: str = "", dim: int = 0, *, breakers: Breakers | None = None
) -> AsyncIterator[EndpointEmbedder]:
    """The embedder behind `url` (as in https://host/v1). Without `dim` it is asked once, to learn how long its vectors
    are. The address may be a private one, since the owner wrote it."""
    async with Outside(SOURCE, [Destination.of(url, private=True)], _LIMITS) as outside:
        breaker = breaker_of(_MANNERS, breakers)
        asking = Asking(outside=outside, manners=_MANNERS, breaker=breaker, patience=_PATIENCE)
        endpoint = _Endpoint(asking, url.rstrip("/") + "/embeddings", model, key)
        dim = dim or (await endpoint.vectors(["dimension"])).shape[1]
        # What an endpoint serves cannot be seen; its name and size are the best that can be held against it.
        digest = sha256(f"{url}\n{model}\n{dim}".encode()).hexdigest()
        yield EndpointEmbedder(Model(model, dim, digest), endpoint)


class EndpointEmbedder:
    def __init__(self, model: Model, endpoint: _Endpoint) -> None:
        self.model = model
        self._endpoint = endpoint

    async def embed(self, texts: Sequence[str]) -> Matrix:
        blocks = [np.empty((0, self.model.dim), dtype=np.float32)]
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts[start : start + _TEXTS_AT_ONCE]
            blocks.append(checked(await self._endpoint.vectors(some), some, self.model))
        return np.concatenate(blocks)


class _Endpoint:
    def __init__(self, asking: Asking, url: str, model: str, key: str) -> None:
        self._asking = asking
        self._url = url
        self._model = model
        self._headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}

    async def vectors(self, texts: Sequence[str]) -> Matrix:
        """One normalised row a text; an endpoint need not normalise."""
        # Some endpoints refuse an empty text.
        clean = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        body = orjson.dumps({"model": self._model, "input": clean, "encoding_format": "float"})
        question = Question("check its address, model and key", self._url, content=body, headers=self._headers)
        rows = _read(await self._asking.ask(question, bytes), len(texts))
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or (norms == 0).any():
            raise UpstreamFailed("the embedding endpoint gave a vector without a direction", source=SOURCE)
        normal: Matrix = (rows / norms).astype(np.float32)
        return normal


def _read(body: bytes, count: int) -> Matrix:
    try:
        found: Any = orjson.loads(body)["data"]
        ordered = sorted(found, key=lambda one: int(one["index"]))
        rows = np.array([one["embedding"] for one in ordered], dtype=np.float32)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        raise UpstreamFailed("the embedding endpoint answered in another shape than OpenAI's", source=SOURCE) from None
    if rows.ndim != 2 or len(rows) != count:
        raise UpstreamFailed(f"the embedding endpoint gave {len(rows)} vectors for {count} texts", source=SOURCE)
    return rows
