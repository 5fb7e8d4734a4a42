"""Opens the reranker that the settings of a home name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sanya.kernel.breaker import Breakers
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.retrieval.reranking import Reranker


def check_reranker_settings(settings: Settings) -> None:
    """Raise BadSetting at the start for what would otherwise fail with the first search."""
    if not settings.reranker_url:
        if settings.reranker_model or settings.reranker_key:
            raise BadSetting("reranker_model and reranker_key need reranker_url, the endpoint of the reranker")
        return
    from sanya.sources.egress import BadDestination, Destination  # here: an HTTP client takes long to load

    try:
        Destination.from_url(settings.reranker_url, private=True)
    except BadDestination as problem:
        raise BadSetting(f"reranker_url must be an address such as http://localhost:8001/v1: {problem}") from None


@asynccontextmanager
async def open_chosen_reranker(settings: Settings, breakers: Breakers) -> AsyncIterator[Reranker | None]:
    if not settings.reranker_url:
        yield None
        return
    from sanya.sources.reranking import open_reranker

    asked = settings.reranker_url, settings.reranker_model, settings.reranker_key
    async with open_reranker(*asked, breakers=breakers) as reranker:
        yield reranker
