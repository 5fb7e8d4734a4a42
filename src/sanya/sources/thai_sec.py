"""Client of the Thai SEC's open data, version 2: pages of rows, within its quota."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import orjson

from sanya.kernel.breaker import Breakers
from sanya.sources.egress import Destination, EgressClient, EgressLimits
from sanya.sources.pacing import Budget, Clock, RetryPolicy
from sanya.sources.upstream_client import (
    MalformedResponse,
    UpstreamClient,
    UpstreamProfile,
    UpstreamRequest,
    choose_breaker,
)

PUBLIC_URL = "https://api.sec.or.th"
# 5,000 calls in 300 s is the SEC's quota.
REQUESTS_PER_SECOND = 5_000 / 300
_KEY_HEADER = "Ocp-Apim-Subscription-Key"
_PAGE = 100
# A kind has tens of thousands of rows. A cursor that continues after this many pages runs in a circle.
_MOST_PAGES = 5_000
_LIMITS = EgressLimits(max_bytes=16 * 1024 * 1024, total_s=60.0)
_PROFILE = UpstreamProfile(
    name="the Thai SEC",
    source="thai_sec",
    wait_hint="its quota is 5,000 calls in five minutes, try again later",
    key_hint="set thai_sec_key to a subscription key of its open data portal",
    rate_limit_statuses=frozenset({421, 429}),
    empty_statuses=frozenset({204}),
)

OpenDataRow = dict[str, Any]


@asynccontextmanager
async def open_thai_sec(
    url: str,
    key: str,
    budget: Budget,
    *,
    clock: Clock | None = None,
    limits: EgressLimits = _LIMITS,
    breakers: Breakers | None = None,
) -> AsyncIterator[ThaiSec]:
    """Open the client. An address other than the SEC's was written by the owner, so it may be private."""
    destination = Destination.from_url(url, private=url.rstrip("/") != PUBLIC_URL)
    async with EgressClient(_PROFILE.name, [destination], limits) as egress:
        # The quota is counted over five minutes, so it may take as long to recover.
        retry_policy = RetryPolicy(tries=6, first_s=1.0, most_s=300.0)
        client = UpstreamClient(
            egress=egress,
            profile=_PROFILE,
            breaker=choose_breaker(_PROFILE, breakers),
            budget=budget,
            clock=clock or Clock(),
            retry_policy=retry_policy,
        )
        yield ThaiSec(client, url.rstrip("/"), key)


class ThaiSec:
    def __init__(self, client: UpstreamClient, url: str, key: str) -> None:
        self._client = client
        self._url = url
        self._headers = {_KEY_HEADER: key, "Accept": "application/json"}

    async def fetch_rows(self, path: str, **filters: str) -> list[OpenDataRow]:
        """Fetch all rows of a kind, page by page."""
        found: list[OpenDataRow] = []
        cursor = ""
        for _ in range(_MOST_PAGES):
            params = {"page_size": str(_PAGE), **filters, **({"next_cursor": cursor} if cursor else {})}
            rows, following = await self._client.send(self._build_request(path, params), _read_page)
            found += rows
            if not following or following == cursor:
                return found
            cursor = following
        raise MalformedResponse(f"the pages of {path} do not end")

    def _build_request(self, path: str, params: Mapping[str, str]) -> UpstreamRequest:
        return UpstreamRequest(path, f"{self._url}/v2/fund/{path}", params, headers=self._headers)


def _read_page(body: bytes) -> tuple[list[OpenDataRow], str]:
    if not body:
        return [], ""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise MalformedResponse("answered with something that is not JSON") from None
    rows = found.get("items") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise MalformedResponse("answered without rows")
    return rows, str(found.get("next_cursor") or "")
