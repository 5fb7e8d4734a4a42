"""The workshop behind an endpoint, and behind the SDK alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp

from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.surfaces.mcp.workshop import Workshop, open_workshop

MAX_BODY_BYTES = 64 * 1024
Entered = TypeVar("Entered")


@asynccontextmanager
async def held(manager: AbstractAsyncContextManager[Entered]) -> AsyncIterator[Entered]:
    """Enters and leaves `manager` in one task. The SDK's task groups want that, and pytest gives the two ends of a
    fixture to two tasks."""
    entered: asyncio.Future[Entered] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def hold() -> None:
        async with manager as value:
            entered.set_result(value)
            await leave.wait()

    task = asyncio.create_task(hold())
    task.add_done_callback(lambda _: entered.cancel())  # where it cannot be entered, nobody waits for it
    try:
        yield await entered
    finally:
        leave.set()
        await task


@pytest.fixture
async def shop(embedded_home: Path) -> AsyncIterator[Workshop]:
    async with open_workshop(embedded_home) as opened:
        yield opened


def endpoint_of(shop: Workshop, **more: Any) -> McpEndpoint:
    chosen: dict[str, Any] = {"portable": False, "max_body_bytes": MAX_BODY_BYTES, "max_result_tokens": 25_000, **more}
    return McpEndpoint(shop.kernel, **chosen)


@pytest.fixture
async def endpoint(shop: Workshop) -> AsyncIterator[McpEndpoint]:
    made = endpoint_of(shop)
    async with held(made.running()):
        yield made


@pytest.fixture
async def sdk_alone(shop: Workshop) -> AsyncIterator[ASGIApp]:
    """The same handlers with the SDK's own transport and no hot path before it."""
    server = endpoint_of(shop).server
    sessions = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MAX_BODY_BYTES)
    async with held(sessions.run()):
        yield sessions.handle_request
