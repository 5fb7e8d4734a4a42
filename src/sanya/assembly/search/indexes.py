"""Opens the search index that the settings of a home name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from sanya.kernel.breaker import Breakers
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database
from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.engines.index.weaviate.index import WeaviateOptions
    from sanya.retrieval.index import Index
    from sanya.retrieval.terms import TermReader

IndexKind = Literal["embedded", "postgresql", "weaviate"]


def check_index_settings(settings: Settings) -> None:
    """Raise BadSetting at the start for what would otherwise fail with the first search."""
    if settings.index == "weaviate" and not settings.weaviate_url:
        raise BadSetting("index = weaviate needs weaviate_url, e.g. http://localhost:8080")
    if settings.index == "postgresql" and not settings.database_url:
        raise BadSetting("index = postgresql needs database_url to name a PostgreSQL server")


async def choose_index(settings: Settings, database: Database) -> IndexKind:
    """Resolve `auto`: PostgreSQL where it holds the data and has pgvector, else embedded."""
    from sanya.engines.index.postgresql.pgvector import check_pgvector

    if settings.index != "auto":
        return settings.index
    return "embedded" if (await check_pgvector(database)).problem else "postgresql"


@asynccontextmanager
async def open_index(
    settings: Settings, database: Database, reader: TermReader, breakers: Breakers | None = None
) -> AsyncIterator[Index]:
    match await choose_index(settings, database):
        case "embedded":
            from sanya.engines.index.embedded.index import open_embedded

            async with open_embedded(database, settings.home / "index", reader.read_document) as embedded:
                yield embedded
        case "postgresql":
            from sanya.engines.index.postgresql.index import open_postgresql_index
            from sanya.engines.index.postgresql.pgvector import check_pgvector

            if problem := (await check_pgvector(database)).problem:
                raise StoreUnavailable(f"Cannot open the index on PostgreSQL: {problem}")
            async with open_postgresql_index(database, reader.read_document) as postgresql:
                yield postgresql
        case "weaviate":
            from sanya.engines.index.weaviate.index import open_weaviate

            options = build_weaviate_options(settings, breakers)
            folder = settings.home / "weaviate"
            async with open_weaviate(database, folder, reader.read_document, options) as weaviate:
                yield weaviate


def build_weaviate_options(settings: Settings, breakers: Breakers | None = None) -> WeaviateOptions:
    from sanya.engines.index.weaviate.connection import WeaviateAddress
    from sanya.engines.index.weaviate.index import WeaviateOptions
    from sanya.engines.index.weaviate.schema import Layout

    address = WeaviateAddress(settings.weaviate_url, settings.weaviate_grpc_port, settings.weaviate_key)
    return WeaviateOptions(address, Layout(settings.weaviate_class, UUID(settings.papers_uuid_namespace)), breakers)
