"""gRPC beside HTTP: on, off or automatic, and never on a public address without authentication."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

import sanya
from sanya.surfaces.grpc import runner
from sanya.surfaces.http.listener import CannotServe, bind
from sanya.surfaces.http.server import serve
from tests.surfaces.http.conftest import WAIT_S

pytestmark = pytest.mark.usefixtures("begun_home")


@asynccontextmanager
async def served(home: Path, **settings: Any) -> AsyncIterator[str]:
    """Run a complete server and yield its HTTP URL."""
    stop, ready = asyncio.Event(), asyncio.get_running_loop().create_future()
    async with sanya.open(home, port=0, **settings) as app:
        task = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop))
        async with asyncio.timeout(WAIT_S):
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        yield await ready
        stop.set()
        async with asyncio.timeout(WAIT_S):
            await task


def free_port() -> int:
    with bind("127.0.0.1", 0) as probe:
        port: int = probe.getsockname()[1]
        return port


async def test_http_and_grpc_start_and_stop_together(home: Path) -> None:
    port = free_port()
    async with served(home, grpc="on", grpc_port=port) as url, httpx.AsyncClient(base_url=url) as client:
        assert (await client.get("/health")).is_success
        assert (await client.post("/graphql", json={"query": "{ __typename }"})).json()["data"]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            asked = health_pb2.HealthCheckRequest(service="sanya.v1.FundsService")
            answer = await health_pb2_grpc.HealthStub(channel).Check(asked, timeout=WAIT_S, wait_for_ready=True)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
    bind("127.0.0.1", port).close()


async def test_a_grpc_port_in_use_is_logged_and_http_still_serves(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with caplog.at_level(logging.WARNING):
            async with served(home, grpc_port=port) as url, httpx.AsyncClient(base_url=url) as client:
                assert (await client.get("/health")).is_success
        assert f"gRPC is disabled: 127.0.0.1:{port} is in use" in caplog.text
        with pytest.raises(CannotServe, match="--grpc-port"):
            async with served(home, grpc="on", grpc_port=port):
                pass


async def test_missing_grpc_packages_are_logged_and_http_still_serves(
    home: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_REQUIRED_PACKAGES", ("a_package_that_is_not_there",))
    with caplog.at_level(logging.WARNING):
        async with served(home, grpc_port=0) as url, httpx.AsyncClient(base_url=url) as client:
            assert (await client.get("/health")).is_success
    assert "a_package_that_is_not_there is not installed. Run `pip install sanya[grpc]`" in caplog.text


async def test_a_public_address_without_authentication_is_refused_for_grpc_too(home: Path) -> None:
    with pytest.raises(CannotServe, match="no authentication"):
        async with served(home, host="0.0.0.0", grpc="on", grpc_port=0):
            pass
