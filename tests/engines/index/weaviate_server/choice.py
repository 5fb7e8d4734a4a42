"""Chooses the server of a test: the real Weaviate at SANYA_WEAVIATE_URL, or else the stand-in."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from sanya.engines.index.weaviate.connection import WeaviateAddress, open_connection
from sanya.engines.index.weaviate.index import WeaviateOptions
from sanya.engines.index.weaviate.schema import Layout
from tests.engines.index.weaviate_server.server import stand_in


@asynccontextmanager
async def weaviate_options() -> AsyncIterator[WeaviateOptions]:
    """Use the real server, with classes of the test's own that are removed at the end, or else a stand-in."""
    url = os.environ.get("SANYA_WEAVIATE_URL", "")
    if not url:
        async with stand_in() as server:
            yield WeaviateOptions(WeaviateAddress(server.url, server.grpc_port))
        return
    port, key = os.environ.get("SANYA_WEAVIATE_GRPC_PORT", "50051"), os.environ.get("SANYA_WEAVIATE_KEY", "")
    options = WeaviateOptions(WeaviateAddress(url, int(port), key, 60), Layout(f"Test{uuid4().hex}"))
    try:
        yield options
    finally:
        async with open_connection(options.address) as connection:
            for name in await connection.client.collections.list_all():
                if name.startswith(options.layout.papers_class):
                    await connection.client.collections.delete(name)


def build_settings(options: WeaviateOptions) -> dict[str, str | int]:
    """Return the settings of a home that searches there."""
    return {
        "weaviate_url": options.address.url,
        "weaviate_grpc_port": options.address.grpc_port,
        "weaviate_class": options.layout.papers_class,
    }
