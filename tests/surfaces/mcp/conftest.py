"""The sample suites behind an endpoint, and behind the SDK alone."""

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
from tests.surfaces.mcp.sample_suites import SampleKernel, open_sample_kernel

MAX_BODY_BYTES = 64 * 1024
Entered = TypeVar("Entered")


@asynccontextmanager
async def hold_in_one_task(manager: AbstractAsyncContextManager[Entered]) -> AsyncIterator[Entered]:
    """Enter and leave `manager` in one task.

    The SDK's task groups require that, but pytest runs the two ends of a fixture in two tasks.
    """
    entered: asyncio.Future[Entered] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def hold() -> None:
        async with manager as value:
            entered.set_result(value)
            await leave.wait()

    task = asyncio.create_task(hold())
    task.add_done_callback(lambda _: entered.cancel())  # if entering fails, do not wait forever
    try:
        yield await entered
    finally:
        leave.set()
        await task


@pytest.fixture
async def shop(embedded_home: Path) -> AsyncIterator[SampleKernel]:
    async with open_sample_kernel(embedded_home) as opened:
        yield opened


def build_endpoint(shop: SampleKernel, **more: Any) -> McpEndpoint:
    chosen: dict[str, Any] = {"portable": False, "max_body_bytes": MAX_BODY_BYTES, "max_result_tokens": 25_000, **more}
    return McpEndpoint(shop.kernel, **chosen)


@pytest.fixture
async def endpoint(shop: SampleKernel) -> AsyncIterator[McpEndpoint]:
    made = build_endpoint(shop)
    async with hold_in_one_task(made.running()):
        yield made


@pytest.fixture
async def sdk_alone(shop: SampleKernel) -> AsyncIterator[ASGIApp]:
    """The same handlers behind the SDK's own transport, without the hot path."""
    server = build_endpoint(shop).server
    sessions = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MAX_BODY_BYTES)
    async with hold_in_one_task(sessions.run()):
        yield sessions.handle_request
