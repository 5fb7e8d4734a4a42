"""The Thai SEC's open data, version 2: pages of rows, asked for within its quota."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import orjson

from sanya.kernel.breaker import Breakers
from sanya.sources.asking import Asking, BadAnswer, Manners, Question, breaker_of
from sanya.sources.egress import Destination, Limits, Outside
from sanya.sources.pace import Budget, Clock, Patience

PUBLIC_URL = "https://api.sec.or.th"
# 5,000 calls in 300 s is the SEC's quota.
REQUESTS_PER_SECOND = 5_000 / 300
_KEY_HEADER = "Ocp-Apim-Subscription-Key"
_PAGE = 100
# There are some tens of thousands of rows of a kind; a cursor that leads on after so many pages goes in circles.
_MOST_PAGES = 5_000
_LIMITS = Limits(max_bytes=16 * 1024 * 1024, total_s=60.0)
_MANNERS = Manners(
    name="the Thai SEC",
    source="thai_sec",
    wait_hint="its quota is 5,000 calls in five minutes, ask again later",
    key_hint="set thai_sec_key to a subscription key of its open data portal",
    too_many=frozenset({421, 429}),
    nothing=frozenset({204}),
)

Row = dict[str, Any]


@asynccontextmanager
async def open_thai_sec(
    url: str,
    key: str,
    budget: Budget,
    *,
    clock: Clock | None = None,
    limits: Limits = _LIMITS,
    breakers: Breakers | None = None,
) -> AsyncIterator[ThaiSec]:
    """An address other than the SEC's own is one that the owner wrote, so it may be a private one."""
    destination = Destination.of(url, private=url.rstrip("/") != PUBLIC_URL)
    async with Outside("thai_sec", [destination], limits) as outside:
        # A quota of five minutes can take as long to come back.
        patience = Patience(tries=6, first_s=1.0, most_s=300.0)
        asking = Asking(
            outside=outside,
            manners=_MANNERS,
            breaker=breaker_of(_MANNERS, breakers),
            budget=budget,
            clock=clock or Clock(),
            patience=patience,
        )
        yield ThaiSec(asking, url.rstrip("/"), key)


class ThaiSec:
    def __init__(self, asking: Asking, url: str, key: str) -> None:
        self._asking = asking
        self._url = url
        self._headers = {_KEY_HEADER: key, "Accept": "application/json"}

    async def rows(self, path: str, **filters: str) -> list[Row]:
        """All rows of a kind, page by page."""
        found: list[Row] = []
        cursor = ""
        for _ in range(_MOST_PAGES):
            params = {"page_size": str(_PAGE), **filters, **({"next_cursor": cursor} if cursor else {})}
            rows, following = await self._asking.ask(self._question(path, params), _read_page)
            found += rows
            if not following or following == cursor:
                return found
            cursor = following
        raise BadAnswer(f"the pages of {path} do not end")

    def _question(self, path: str, params: Mapping[str, str]) -> Question:
        return Question(path, f"{self._url}/v2/fund/{path}", params, headers=self._headers)


def _read_page(body: bytes) -> tuple[list[Row], str]:
    if not body:
        return [], ""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise BadAnswer("answered with something that is no JSON") from None
    rows = found.get("items") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadAnswer("answered without rows")
    return rows, str(found.get("next_cursor") or "")
