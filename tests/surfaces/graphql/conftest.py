"""The house of the HTTP tests, asked in GraphQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from tests.surfaces.http.conftest import House, house, open_house  # noqa: F401 - fixtures

Ask = Callable[..., Awaitable[dict[str, Any]]]


async def asked(house: House, query: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:  # noqa: F811
    return await house.client.post("/graphql", json={"query": query, **more}, headers=headers)


@pytest.fixture
def ask(house: House) -> Ask:  # noqa: F811
    """Sends a query and gives what came back as JSON."""

    async def send(query: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = (await asked(house, query, **more)).json()
        return answer

    return send
