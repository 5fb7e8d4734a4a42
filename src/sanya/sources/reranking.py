"""Scores passages by a cross-encoder behind an endpoint: `POST <url>/rerank`, as Jina, Cohere, vLLM and llama.cpp
offer it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import isfinite
from typing import Any

import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import RetryPolicy
from sanya.sources.upstream_client import UpstreamClient, UpstreamProfile, UpstreamRequest, choose_breaker

SOURCE = "reranker"
_LIMITS = EgressLimits(max_bytes=4 * 1024 * 1024, total_s=20.0)
_RETRY_POLICY = RetryPolicy(tries=2, most_s=5.0)
_PROFILE = UpstreamProfile(
    name="the reranking endpoint", source=SOURCE, wait_hint="ask again later", rate_limit_statuses=frozenset()
)


@asynccontextmanager
async def open_reranker(
    url: str, model: str, key: str = "", *, breakers: Breakers | None = None
) -> AsyncIterator[EndpointReranker]:
    """Open the reranker at `url` (as in https://host/v1). The owner wrote the address, so it may be private."""
    async with EgressClient(SOURCE, [Destination.from_url(url, private=True)], _LIMITS) as egress:
        breaker = choose_breaker(_PROFILE, breakers)
        client = UpstreamClient(egress=egress, profile=_PROFILE, breaker=breaker, retry_policy=_RETRY_POLICY)
        yield EndpointReranker(client, url.rstrip("/") + "/rerank", model, key)


class EndpointReranker:
    def __init__(self, client: UpstreamClient, url: str, model: str, key: str) -> None:
        self._client = client
        self._url = url
        self._model = model
        self._headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        texts = [_clean(text) for text in passages]
        body = orjson.dumps({"model": self._model, "query": _clean(query), "documents": texts, "top_n": len(texts)})
        question = UpstreamRequest("check its address, model and key", self._url, content=body, headers=self._headers)
        return _read(await self._client.send(question, bytes), len(texts))


def _clean(text: str) -> str:
    # Some endpoints refuse an empty text.
    return text.encode("utf-8", "replace").decode("utf-8") or " "


def _read(body: bytes, count: int) -> list[float]:
    try:
        results: Any = orjson.loads(body)["results"]
        scores = {int(result["index"]): float(result["relevance_score"]) for result in results}
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        raise UpstreamFailed("the reranking endpoint answered in another shape than Jina's", source=SOURCE) from None
    if sorted(scores) != list(range(count)) or not all(map(isfinite, scores.values())):
        raise UpstreamFailed(f"the reranking endpoint did not score all of the {count} texts", source=SOURCE)
    return [scores[number] for number in range(count)]
