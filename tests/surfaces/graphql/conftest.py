"""The demo server of the HTTP tests, queried with GraphQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.surfaces.http.conftest import DemoServer, open_server, server  # noqa: F401 - fixtures

Ask = Callable[..., Awaitable[dict[str, Any]]]


async def post_query(
    server: DemoServer,  # noqa: F811
    query: str,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> httpx.Response:
    return await server.client.post("/graphql", json={"query": query, **more}, headers=headers)


@pytest.fixture
def ask(server: DemoServer) -> Ask:  # noqa: F811
    """Send a query and return the JSON response."""

    async def send(query: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = (await post_query(server, query, **more)).json()
        return answer

    return send
