"""Looks at what a home searches with, for `sanya doctor`: whether it is there, in which version, and whether it fits
what was indexed before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanya.assembly.embedders import check_embedder_settings, open_embedders
from sanya.assembly.indexes import check_index_settings, chosen_index, weaviate_options
from sanya.kernel.database import Database
from sanya.kernel.faults import Fault
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.retrieval.embedding import Model

_SHOWN_DIGITS = 12
_PROBE = "dimension"


@dataclass(frozen=True, slots=True)
class SearchFact:
    """`advice` says what to do, and is empty where all is well."""

    name: str
    found: str
    advice: str = ""


async def embedder_facts(settings: Settings, database: Database | None) -> list[SearchFact]:
    """Whether the models work, and whether they are those that made the vectors in the store."""
    try:
        check_embedder_settings(settings)
        models = await _working(settings)
    except BadSetting as problem:
        return [SearchFact("embedder", str(problem), "Correct the settings.")]
    except Fault as fault:
        return [SearchFact("embedder", fault.message, fault.hint or "Mend that, or set embedder to offline.")]
    facts = [SearchFact("embedder", _described(model)) for model in models.values()]
    return [*facts, *(await _mixtures(database, models) if database else [])]


async def _working(settings: Settings) -> dict[str, Model]:
    """By space. A model of the owner's choice is asked for a vector; of the packaged ones the weights are compared."""
    from sanya.engines.embedders.offline import check_weights

    packaged = await asyncio.to_thread(check_weights) if settings.embedder == "offline" else []
    async with open_embedders(settings) as embedders:
        models = {space: one.model for space, one in embedders.items()}
        for one in embedders.values():
            if one.model not in packaged:
                await one.embed([_PROBE])
    return models


async def index_facts(settings: Settings, database: Database | None) -> list[SearchFact]:
    try:
        check_index_settings(settings)
        kind = await chosen_index(settings, database) if database else settings.index
        if kind == "weaviate":
            return [await _weaviate(settings)]
        if kind == "postgresql" and database:
            return [await _postgresql(database)]
    except BadSetting as problem:
        return [SearchFact("index", str(problem), "Correct the settings.")]
    except Fault as fault:
        return [SearchFact("index", fault.message, "Start the server, or correct the settings that name it.")]
    return [SearchFact("index", "embedded, in the home")]


async def _weaviate(settings: Settings) -> SearchFact:
    from sanya.engines.index.weaviate_connection import open_connection

    options = weaviate_options(settings)
    async with open_connection(options.address) as connection:
        version = await connection.version()
        async with connection.answering("looking for its classes"):
            there = await connection.client.collections.exists(settings.weaviate_class)
            if not there:
                return SearchFact("index", f"Weaviate {version}, class {settings.weaviate_class} not made yet")
            config = await connection.client.collections.get(settings.weaviate_class).config.get()
    from sanya.engines.index.weaviate_schema import TERMS

    if TERMS not in {one.name for one in config.properties}:
        found = f"Weaviate {version}, class {settings.weaviate_class} was made by something else"
        return SearchFact("index", found, "Set weaviate_class to another name.")
    spaces = ", ".join(sorted(config.vector_config or {}))
    return SearchFact("index", f"Weaviate {version}, class {settings.weaviate_class} with the vectors {spaces}")


async def _postgresql(database: Database) -> SearchFact:
    from sanya.engines.index.pgvector import pgvector_of

    pgvector = await pgvector_of(database)
    if pgvector.problem:
        return SearchFact("index", f"PostgreSQL: {pgvector.problem}", "Do that, or set index to embedded.")
    return SearchFact("index", f"PostgreSQL with pgvector {pgvector.version}")


async def _mixtures(database: Database, models: Mapping[str, Model]) -> list[SearchFact]:
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


def _described(model: Model) -> str:
    return f"{model.name}, {model.dim} numbers, digest {model.digest[:_SHOWN_DIGITS]}"
