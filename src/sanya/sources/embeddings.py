"""Embeds texts through an endpoint that speaks OpenAI's API: one model, in batches, with retries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import numpy as np
import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import UpstreamFailed
from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Matrix, Model, check_vectors
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import RetryPolicy
from sanya.sources.upstream_client import UpstreamClient, UpstreamProfile, UpstreamRequest, choose_breaker

SOURCE = "embeddings"
_LIMITS = EgressLimits(max_bytes=64 * 1024 * 1024, total_s=60.0)
_TEXTS_AT_ONCE = 64
_CACHED_QUERIES = 2048
_RETRY_POLICY = RetryPolicy(tries=4, most_s=20.0)
_PROFILE = UpstreamProfile(
    name="the embedding endpoint", source=SOURCE, wait_hint="ask again later", rate_limit_statuses=frozenset()
)


@asynccontextmanager
async def open_endpoint(
    url: str, model: str, key: str = "", dim: int = 0, *, breakers: Breakers | None = None
) -> AsyncIterator[EndpointEmbedder]:
    """Open the embedder at `url` (as in https://host/v1). Without `dim`, one request finds the length of its vectors.
    The owner wrote the address, so it may be private."""
    async with EgressClient(SOURCE, [Destination.from_url(url, private=True)], _LIMITS) as egress:
        breaker = choose_breaker(_PROFILE, breakers)
        client = UpstreamClient(egress=egress, profile=_PROFILE, breaker=breaker, retry_policy=_RETRY_POLICY)
        endpoint = _Endpoint(client, url.rstrip("/") + "/embeddings", model, key)
        dim = dim or (await endpoint.fetch_vectors(["dimension"])).shape[1]
        # The weights behind an endpoint are unknown; its name and dimension are all that identifies the model.
        digest = sha256(f"{url}\n{model}\n{dim}".encode()).hexdigest()
        yield EndpointEmbedder(Model(model, dim, digest), endpoint)


class EndpointEmbedder:
    """Vectors of single texts, which are queries, are cached: what was asked before is answered while the endpoint is
    away."""

    def __init__(self, model: Model, endpoint: _Endpoint) -> None:
        self.model = model
        self._endpoint = endpoint
        self._known: LruCache[str, Matrix] = LruCache(_CACHED_QUERIES)

    async def embed(self, texts: Sequence[str]) -> Matrix:
        known = self._known.get(texts[0]) if len(texts) == 1 else None
        if known is not None:
            return known
        rows = await self._fetch(texts)
        if len(texts) == 1:
            self._known.put(texts[0], rows)
        return rows

    async def _fetch(self, texts: Sequence[str]) -> Matrix:
        blocks = [np.empty((0, self.model.dim), dtype=np.float32)]
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts[start : start + _TEXTS_AT_ONCE]
            blocks.append(check_vectors(await self._endpoint.fetch_vectors(some), some, self.model))
        return np.concatenate(blocks)


class _Endpoint:
    def __init__(self, client: UpstreamClient, url: str, model: str, key: str) -> None:
        self._client = client
        self._url = url
        self._model = model
        self._headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}

    async def fetch_vectors(self, texts: Sequence[str]) -> Matrix:
        """Return one normalised row for each text. An endpoint need not normalise."""
        # Some endpoints refuse an empty text.
        clean = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        body = orjson.dumps({"model": self._model, "input": clean, "encoding_format": "float"})
        question = UpstreamRequest("check its address, model and key", self._url, content=body, headers=self._headers)
        rows = _read(await self._client.send(question, bytes), len(texts))
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or (norms == 0).any():
            raise UpstreamFailed("the embedding endpoint gave a vector without a direction", source=SOURCE)
        normal: Matrix = (rows / norms).astype(np.float32)
        return normal


def _read(body: bytes, count: int) -> Matrix:
    try:
        found: Any = orjson.loads(body)["data"]
        ordered = sorted(found, key=lambda entry: int(entry["index"]))
        rows = np.array([entry["embedding"] for entry in ordered], dtype=np.float32)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        raise UpstreamFailed("the embedding endpoint answered in another shape than OpenAI's", source=SOURCE) from None
    if rows.ndim != 2 or len(rows) != count:
        raise UpstreamFailed(f"the embedding endpoint gave {len(rows)} vectors for {count} texts", source=SOURCE)
    return rows
