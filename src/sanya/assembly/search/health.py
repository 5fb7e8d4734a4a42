"""Checks the models and the index of a home for `sanya doctor`: are they there, and do they match what was indexed?"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sanya.assembly.search.embedders import check_embedder_settings, find_words_only, open_embedders
from sanya.assembly.search.indexes import build_weaviate_options, check_index_settings, choose_index
from sanya.kernel.faults import Fault
from sanya.kernel.storage.database import Database
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.retrieval.embedding import Model
    from sanya.retrieval.embedding_status import EmbeddingStatus

_SHOWN_DIGITS = 12
_PROBE = "dimension"


@dataclass(frozen=True, slots=True)
class SearchFact:
    """A finding of the check. `advice` says what to do, and is empty where all is well."""

    name: str
    found: str
    advice: str = ""
    is_fault: bool = True

    @property
    def level(self) -> Literal["good", "note", "bad"]:
        if not self.advice:
            return "good"
        return "bad" if self.is_fault else "note"


async def check_embedders(settings: Settings, database: Database | None) -> list[SearchFact]:
    """Check that the models work and are the ones that made the stored vectors."""
    try:
        check_embedder_settings(settings)
        if words_only := find_words_only(settings):
            return [SearchFact("embedder", words_only.reason, words_only.advice, is_fault=False)]
        models = await _probe_embedders(settings)
    except BadSetting as problem:
        return [SearchFact("embedder", str(problem), "Correct the settings.")]
    except Fault as fault:
        return [SearchFact("embedder", fault.message, fault.hint or "Fix that, or set embedder to offline.")]
    facts = [SearchFact("embedder", _describe_model(model)) for model in models.values()]
    return [*facts, *(await _find_mixed_models(database, models) if database else [])]


async def _probe_embedders(settings: Settings) -> dict[str, Model]:
    """Return the models by vector space. Embed a word with the owner's model; compare the weights of packaged ones."""
    from sanya.engines.embedders.offline import check_weights

    packaged = await asyncio.to_thread(check_weights) if settings.embedder == "offline" else []
    async with open_embedders(settings) as embedders:
        models = {space: embedder.model for space, embedder in embedders.items()}
        for embedder in embedders.values():
            if embedder.model not in packaged:
                await embedder.embed([_PROBE])
    return models


async def check_index(settings: Settings, database: Database | None) -> list[SearchFact]:
    try:
        check_index_settings(settings)
        kind = await choose_index(settings, database) if database else settings.index
        if kind == "weaviate":
            return [await _check_weaviate(settings)]
        if kind == "postgresql" and database:
            return [await _check_postgresql(database)]
    except BadSetting as problem:
        return [SearchFact("index", str(problem), "Correct the settings.")]
    except Fault as fault:
        return [SearchFact("index", fault.message, "Start the server, or correct the settings that name it.")]
    return [SearchFact("index", "embedded, in the home")]


async def check_embedding(settings: Settings, database: Database | None) -> list[SearchFact]:
    """Tell which documents await their vectors. That is no fault: words find them. Without a model none are told: all
    await one."""
    if database is None or find_words_only(settings):
        return []
    from sanya.engines.index.embedding_status import read_embedding_statuses

    return [
        SearchFact(
            "embedding",
            f"{status.awaiting:,} documents of {name} await their vectors{_describe_time(status)}",
            f"Words find them meanwhile. To embed them sooner, run: sanya search embed {name}",
        )
        for name, status in (await read_embedding_statuses(database)).items()
    ]


def _describe_time(status: EmbeddingStatus) -> str:
    left = status.seconds_left
    return "; a running server embeds them" if left is None else f", about {max(1, round(left / 60))} min at this rate"


async def _check_weaviate(settings: Settings) -> SearchFact:
    from sanya.engines.index.weaviate.connection import open_connection

    options = build_weaviate_options(settings)
    async with open_connection(options.address) as connection:
        version = await connection.read_version()
        async with connection.request("looking for its classes"):
            there = await connection.client.collections.exists(settings.weaviate_class)
            if not there:
                return SearchFact("index", f"Weaviate {version}, class {settings.weaviate_class} not created yet")
            config = await connection.client.collections.get(settings.weaviate_class).config.get()
    from sanya.engines.index.weaviate.schema import TERMS

    if TERMS not in {item.name for item in config.properties}:
        found = f"Weaviate {version}, class {settings.weaviate_class} was not created by Sanya"
        return SearchFact("index", found, "Set weaviate_class to another name.")
    spaces = ", ".join(sorted(config.vector_config or {}))
    return SearchFact("index", f"Weaviate {version}, class {settings.weaviate_class} with the vectors {spaces}")


async def _check_postgresql(database: Database) -> SearchFact:
    from sanya.engines.index.postgresql.pgvector import check_pgvector

    pgvector = await check_pgvector(database)
    if pgvector.problem:
        return SearchFact("index", f"PostgreSQL: {pgvector.problem}", "Do that, or set index to embedded.")
    return SearchFact("index", f"PostgreSQL with pgvector {pgvector.version}")


async def _find_mixed_models(database: Database, models: Mapping[str, Model]) -> list[SearchFact]:
    rows = await database.fetch(
        "SELECT namespace, space, model, digest FROM retrieval_spaces ORDER BY namespace, space"
    )
    return [
        SearchFact(
            "embedder",
            f"{namespace} was embedded by {name}, not by {models[space].name}",
            f"Run: sanya search embed {namespace}",
        )
        for namespace, space, name, digest in ((str(a), str(b), str(c), str(d)) for a, b, c, d in rows)
        if space in models and models[space].digest != digest
    ]


def _describe_model(model: Model) -> str:
    return f"{model.name}, {model.dim} numbers, digest {model.digest[:_SHOWN_DIGITS]}"
