"""The one client for endpoints that speak OpenAI's chat wire. What they write is checked by whoever asked; here it is
only fetched, bounded in time and size."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import UpstreamFailed
from sanya.sources.asking import Asking, Manners, Question, breaker_of
from sanya.sources.egress import Destination, Limits, Outside
from sanya.sources.pace import Patience

# Whoever asks has an answer without it, or asks again much later: there is nothing to be patient for.
_PATIENCE = Patience(tries=1)
_MOST_BYTES = 1024 * 1024
_LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Purpose:
    """What an endpoint is asked for, and how much of an answer is taken."""

    name: str
    total_s: float
    most_tokens: int
    most_characters: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is: `url` as in https://host/v1."""

    url: str
    model: str
    key: str = ""


@asynccontextmanager
async def open_chat(
    endpoint: Endpoint, purpose: Purpose, *, breakers: Breakers | None = None
) -> AsyncIterator[ChatEndpoint]:
    """The address may be a private one, since the owner wrote it."""
    limits = Limits(max_bytes=_MOST_BYTES, total_s=purpose.total_s)
    manners = Manners(
        name=f"the {purpose.name} endpoint", source=purpose.name, wait_hint="ask again later", too_many=frozenset()
    )
    async with Outside(purpose.name, [Destination.of(endpoint.url, private=True)], limits) as outside:
        asking = Asking(outside=outside, manners=manners, breaker=breaker_of(manners, breakers), patience=_PATIENCE)
        yield ChatEndpoint(asking, endpoint, purpose)


class ChatEndpoint:
    def __init__(self, asking: Asking, endpoint: Endpoint, purpose: Purpose) -> None:
        self.model = endpoint.model
        self._asking = asking
        self._url = endpoint.url.rstrip("/") + "/chat/completions"
        self._purpose = purpose
        key = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._headers = {"content-type": "application/json", **key}

    async def ask(self, task: str, data: str, seed: int) -> str:
        """`task` is ours; `data` is anybody's, and stands where a user speaks."""
        body = {
            "model": self.model,
            "temperature": 0,
            "seed": seed % _LARGEST_SEED,
            "max_tokens": self._purpose.most_tokens,
            "messages": [{"role": "system", "content": task}, {"role": "user", "content": data}],
        }
        asked = Question(self._purpose.name, self._url, content=orjson.dumps(body), headers=self._headers)
        return self._read(await self._asking.ask(asked, bytes))

    def _read(self, body: bytes) -> str:
        name = self._purpose.name
        try:
            found: Any = orjson.loads(body)["choices"][0]["message"]["content"]
        except (orjson.JSONDecodeError, KeyError, TypeError, IndexError):
            told = f"the {name} endpoint answered in another shape than OpenAI's"
            raise UpstreamFailed(told, source=name) from None
        if not isinstance(found, str) or not found.strip() or len(found) > self._purpose.most_characters:
            raise UpstreamFailed(f"the {name} endpoint gave no usable text", source=name)
        return found
