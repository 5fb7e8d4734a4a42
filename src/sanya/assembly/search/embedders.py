"""Opens the embedding models that the settings of a home name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING

from sanya.assembly.prepared_folder import open_prepared_files
from sanya.kernel.breaker import Breakers
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.retrieval.embedding import Embedder, WordsOnly

_NO_MODELS = (
    "No embedding model is installed, so words alone are searched.",
    "To search by meaning as well, run: pip install 'sanya[embeddings]'",
    "ยังไม่ได้ติดตั้งโมเดลเวกเตอร์ จึงค้นด้วยคำเท่านั้น",
    "หากต้องการค้นด้วยความหมายด้วย ให้รัน: pip install 'sanya[embeddings]'",
)
_CHOSEN = (
    "The setting embedder is none, so words alone are searched.",
    "To search by meaning as well, run: sanya settings set embedder offline",
    "ตั้งค่า embedder เป็น none จึงค้นด้วยคำเท่านั้น",
    "หากต้องการค้นด้วยความหมายด้วย ให้รัน: sanya settings set embedder offline",
)


_embeds_in_background = False


def embed_in_background() -> None:
    """Let homes that this process opens embed large batches in a process of their own, as a server should. A command
    has nothing else to do meanwhile."""
    global _embeds_in_background
    _embeds_in_background = True


def check_embedder_settings(settings: Settings) -> None:
    """Raise BadSetting at the start for what would otherwise fail with the first search."""
    if settings.embedder in ("offline", "none"):
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


def find_words_only(settings: Settings) -> WordsOnly | None:
    """Return why words alone are searched, or None if there are models. Nothing is loaded.

    Only packaged models may be missing: who names another model wants it, and is told if it cannot be opened.
    """
    from sanya.engines.embedders.offline import PACKAGED_MODELS, find_missing_packages
    from sanya.retrieval.embedding import WordsOnly

    if settings.embedder == "none":
        return WordsOnly(*_CHOSEN, PACKAGED_MODELS)
    needs_packaged = settings.embedder == "offline" or settings.embedder_reads == "english"
    return WordsOnly(*_NO_MODELS, PACKAGED_MODELS) if needs_packaged and find_missing_packages() else None


@asynccontextmanager
async def open_embedders(settings: Settings, breakers: Breakers | None = None) -> AsyncIterator[Mapping[str, Embedder]]:
    """Yield embedders by vector space. The owner's model embeds both languages, or English beside the packaged one."""
    from sanya.engines.embedders.background import BackgroundEmbedder, EmbeddingProcess
    from sanya.engines.embedders.kept_words import KeptWords
    from sanya.engines.embedders.offline import create_offline_embedders
    from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL

    if find_words_only(settings):
        yield {}
        return
    words = KeptWords(open_prepared_files(settings))
    local = create_offline_embedders(words)
    process = EmbeddingProcess()
    packaged: Mapping[str, Embedder] = local
    if _embeds_in_background:
        packaged = {space: BackgroundEmbedder(embedder, space, process) for space, embedder in local.items()}
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
        await process.close()
        for embedder in local.values():
            embedder.close()
        words.save()


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
