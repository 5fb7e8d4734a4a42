"""Opens the embedding models that the settings of a home name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING

from sanya.kernel.breaker import Breakers
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.retrieval.embedding import Embedder


def check_embedder_settings(settings: Settings) -> None:
    """Raise BadSetting at the start for what would otherwise fail with the first search."""
    if settings.embedder == "offline":
        return
    if not settings.embedder_model:
        raise BadSetting(f"embedder = {settings.embedder} needs embedder_model, the name of a model")
    if settings.embedder == "openai":
        from sanya.sources.egress import BadDestination, Destination  # here: an HTTP client takes long to load

        try:
            Destination.from_url(settings.embedder_url, private=True)
        except BadDestination as problem:
            raise BadSetting(
                f"embedder = openai needs embedder_url, e.g. https://api.openai.com/v1: {problem}"
            ) from None


@asynccontextmanager
async def open_embedders(settings: Settings, breakers: Breakers | None = None) -> AsyncIterator[Mapping[str, Embedder]]:
    """Yield embedders by vector space. The owner's model embeds both languages, or English beside the packaged one."""
    from sanya.engines.embedders.offline import create_offline_embedders
    from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL

    packaged = create_offline_embedders()
    try:
        if settings.embedder == "offline":
            yield packaged
            return
        async with _open_chosen(settings, breakers) as chosen:
            if settings.embedder_reads == "english":
                yield {ENGLISH: chosen, MULTILINGUAL: packaged[MULTILINGUAL]}
            else:
                yield {MULTILINGUAL: chosen}
    finally:
        for embedder in packaged.values():
            embedder.close()


@asynccontextmanager
async def _open_chosen(settings: Settings, breakers: Breakers | None) -> AsyncIterator[Embedder]:
    match settings.embedder:
        case "openai":
            from sanya.sources.embeddings import open_endpoint

            asked = settings.embedder_url, settings.embedder_model, settings.embedder_key, settings.embedder_dim
            async with open_endpoint(*asked, breakers=breakers) as endpoint:
                yield endpoint
        case "fastembed":
            from sanya.engines.embedders.fastembed_models import open_fastembed

            with closing(await open_fastembed(settings.embedder_model, settings.home / "models")) as library:
                yield library
        case _:
            from sanya.engines.embedders.huggingface import open_huggingface

            with closing(await open_huggingface(settings.embedder_model)) as model:
                yield model
