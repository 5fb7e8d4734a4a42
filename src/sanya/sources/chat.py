"""Client for endpoints that speak OpenAI's chat API.

It bounds time and size; the caller checks what the model wrote.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import RetryPolicy
from sanya.sources.upstream_client import UpstreamClient, UpstreamProfile, UpstreamRequest, choose_breaker

# One try: callers have an answer without the model, or try again much later.
_RETRY_POLICY = RetryPolicy(tries=1)
_MOST_BYTES = 1024 * 1024
_LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a request, and the limits of its response."""

    name: str
    total_s: float
    most_tokens: int
    most_characters: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model: `url` as in https://host/v1."""

    url: str
    model: str
    key: str = ""


@asynccontextmanager
async def open_chat(
    endpoint: Endpoint, purpose: Purpose, *, breakers: Breakers | None = None
) -> AsyncIterator[ChatEndpoint]:
    """Open the endpoint. The owner wrote the address, so it may be private."""
    limits = EgressLimits(max_bytes=_MOST_BYTES, total_s=purpose.total_s)
    profile = UpstreamProfile(
        name=f"the {purpose.name} endpoint",
        source=purpose.name,
        wait_hint="ask again later",
        rate_limit_statuses=frozenset(),
    )
    async with EgressClient(purpose.name, [Destination.from_url(endpoint.url, private=True)], limits) as egress:
        client = UpstreamClient(
            egress=egress, profile=profile, breaker=choose_breaker(profile, breakers), retry_policy=_RETRY_POLICY
        )
        yield ChatEndpoint(client, endpoint, purpose)


class ChatEndpoint:
    def __init__(self, client: UpstreamClient, endpoint: Endpoint, purpose: Purpose) -> None:
        self.model = endpoint.model
        self._client = client
        self._url = endpoint.url.rstrip("/") + "/chat/completions"
        self._purpose = purpose
        key = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._headers = {"content-type": "application/json", **key}

    async def ask(self, task: str, data: str, seed: int) -> str:
        """Ask the model. `task` is our instruction; `data` is untrusted and goes into the user message."""
        body = {
            "model": self.model,
            "temperature": 0,
            "seed": seed % _LARGEST_SEED,
            "max_tokens": self._purpose.most_tokens,
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": data}],
        }
        request = UpstreamRequest(self._purpose.name, self._url, content=orjson.dumps(body), headers=self._headers)
        return self._read(await self._client.send(request, bytes))

    def _read(self, body: bytes) -> str:
        name = self._purpose.name
        try:
            found: Any = orjson.loads(body)["choices"][0]["message"]["content"]
        except (orjson.JSONDecodeError, KeyError, TypeError, IndexError):
            message = f"the {name} endpoint answered in another shape than OpenAI's"
            raise UpstreamFailed(message, source=name) from None
        if not isinstance(found, str) or not found.strip() or len(found) > self._purpose.most_characters:
            raise UpstreamFailed(f"the {name} endpoint gave no usable text", source=name)
        return found
